import type { Admitted, Refusal } from '@conversation-gateway/openapi/behaviour/refusal'
import { refuse } from '@conversation-gateway/openapi/behaviour/refusal'
import { LIMITS } from '@conversation-gateway/openapi/generated/limits'
import { UniqueViolation } from '../../store/db.ts'

/** An ID that does not exist; the operator sees all applications, so there is nothing to conceal. */
export const unknown = (what: string, id: string): Refusal => refuse('NOT_FOUND', `There is no ${what} ${id}.`)

export const taken = (what: string, id: string): Refusal =>
  refuse('ALREADY_EXISTS', `The ${what} ${id} exists already; choose another ID, or use that one.`)

/** Waits for an insert. False if one of these unique constraints refused it. */
export const insertUnlessTaken = async (insert: Promise<void>, constraints: readonly string[]): Promise<boolean> => {
  try {
    await insert
    return true
  } catch (error) {
    if (error instanceof UniqueViolation && constraints.includes(error.constraint)) return false
    throw error
  }
}

/** Null if the expiry of a key or token is in the future, or if it never expires. */
export const refuseExpiry = (expiresAt: Date | null, now: Date): Refusal | null => {
  if (expiresAt === null || expiresAt > now) return null
  const fault = { pointer: '/expires_at', message: `must be later than now (${now.toISOString()})` }
  return refuse('INVALID_REQUEST', `expires_at ${fault.message}.`, { faults: [fault] })
}

export const created = <Body>(body: Body): Admitted<Body> => ({ kind: 'admitted', status: 201, body, replayed: false })

export const changed = <Body>(body: Body): Admitted<Body> => ({ kind: 'admitted', status: 200, body, replayed: false })

/** The work continues after the answer (202). */
export const accepted = <Body>(body: Body): Admitted<Body> => ({ kind: 'admitted', status: 202, body, replayed: false })

/** A page of a list: the number of records that the request asks for, and the last ID of the previous page. */
export interface PageQuery {
  readonly limit: number
  readonly before?: string
}

export const pageSize = ({ limit }: PageQuery): number => Math.min(limit, LIMITS.pageRecords)
