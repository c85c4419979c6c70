import type { ErrorCode } from '../../generated/errors.ts'

/**
 * One fault of a request: where it is (RFC 6901 pointer into the body, or name of a header or query parameter) and what
 * is wrong.
 */
export interface Fault {
  readonly pointer: string
  readonly message: string
}

/** Maximum number of faults in an answer (D-61). Validators collect one more, to know whether there are more. */
export const LISTED_FAULTS = 20

/**
 * A refused request. The code determines the status; the detail says why and what to do. The request had no effect
 * unless `outcome` is `unknown`.
 */
export interface Refusal {
  readonly kind: 'refused'
  readonly code: ErrorCode
  readonly detail: string
  readonly retryAfterSeconds?: number
  /** The request may have taken effect (D-57). */
  readonly outcome?: 'unknown'
  readonly faults?: readonly Fault[]
  /** Whether further faults are possible that were not searched for. */
  readonly hasMoreFaults?: boolean
}

/** A request that took effect (earlier, if `replayed`), with its answer in wire format. */
export interface Admitted<Body> {
  readonly kind: 'admitted'
  readonly status: 200 | 201 | 202
  readonly body: Body
  readonly replayed: boolean
}

/** A successful read. */
export interface Found<Body> {
  readonly kind: 'found'
  readonly body: Body
}

/** A JSON text, typed by its content. */
export type Json<Value> = string & { readonly [CONTENT]?: Value }
declare const CONTENT: unique symbol

/** A successful read in wire format. */
export interface FoundJson<Body> {
  readonly kind: 'found_json'
  readonly json: Json<Body>
}

export const refuse = (
  code: ErrorCode,
  detail: string,
  more: Omit<Refusal, 'kind' | 'code' | 'detail'> = {},
): Refusal => ({
  kind: 'refused',
  code,
  detail,
  ...more,
})

/** An ID that does not exist for this application and subject. An ID of another tenant gets the same answer. */
export const notFound = (what: string): Refusal =>
  refuse('NOT_FOUND', `No such ${what} for this application and subject.`)

/** The request expects another generation than the current one. */
export const generationConflict = (expected: number, actual: number): Refusal =>
  refuse(
    'GENERATION_CONFLICT',
    `expected_generation is ${expected}, the conversation is at ${actual}. Reload the snapshot.`,
  )

export const RESETTING: Refusal = refuse('BUSY', 'The conversation is being reset; query that operation.')

export const found = <Body>(body: Body): Found<Body> => ({ kind: 'found', body })

export const foundJson = <Body>(json: Json<Body>): FoundJson<Body> => ({ kind: 'found_json', json })
