import type { Refusal } from '@conversation-gateway/openapi/behaviour/refusal'
import { refuse } from '@conversation-gateway/openapi/behaviour/refusal'

/** The query that limits a list to records created within a window of time. */
export interface TimeWindow {
  readonly created_after?: string
  readonly created_before?: string
  readonly older_than_seconds?: number
}

/**
 * Reads a window: `from` is inclusive, `before` is exclusive, and null is no limit. Refuses a time that does not exist, such as 30 February,
 * with INVALID_REQUEST.
 */
export const readTimeWindow = (
  { created_after: after, created_before: before, older_than_seconds: age }: TimeWindow,
  now: Date,
): { readonly from: Date | null; readonly before: Date | null } | Refusal => {
  const from = after === undefined ? null : new Date(after)
  const until = before === undefined ? null : new Date(before)
  if (isNoMoment(from)) return refuseMoment('created_after')
  if (isNoMoment(until)) return refuseMoment('created_before')
  const aged = age === undefined ? null : new Date(now.getTime() - age * 1000 + 1)
  return { from, before: until === null || (aged !== null && aged < until) ? aged : until }
}

const isNoMoment = (moment: Date | null): boolean => moment !== null && Number.isNaN(moment.getTime())

const refuseMoment = (pointer: string): Refusal => {
  const message = 'is not a moment that exists'
  return refuse('INVALID_REQUEST', `${pointer} ${message}.`, { faults: [{ pointer, message }] })
}

/** The earlier of two IDs. IDs sort by the time of their creation. */
export const earliest = (one: string | null, other: string | null): string | null =>
  one === null || (other !== null && other < one) ? other : one
