import type { ErrorCode } from '../generated/errors.ts'
import type { FieldError } from '../generated/gateway.ts'

/** A request that had no effect: the code decides the status, the detail says why. */
export interface Refusal {
  readonly kind: 'refused'
  readonly code: ErrorCode
  readonly detail: string
  /** Goes out as `Retry-After`. */
  readonly retryAfterSeconds?: number
  readonly errors?: readonly FieldError[]
}

/** What an operation answers. The body is written as it is at this moment; what happens later does not change it. */
export interface Answer<Body> {
  readonly kind: 'answered'
  readonly status: number
  readonly body: Body
  readonly headers?: Readonly<Record<string, string>>
}

/** An answer that is no JSON: bytes, an event stream, or nothing. */
export interface RawAnswer {
  readonly kind: 'raw'
  readonly status: number
  readonly content: string | Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array<ArrayBuffer>> | null
  readonly headers: Readonly<Record<string, string>>
}

export type Outcome<Body> = Answer<Body> | Refusal

export const answer = <Body>(
  status: number,
  body: Body,
  headers: Readonly<Record<string, string>> = {},
): Answer<Body> => ({
  kind: 'answered',
  status,
  body,
  headers,
})

export const refuse = (
  code: ErrorCode,
  detail: string,
  more: Pick<Refusal, 'retryAfterSeconds' | 'errors'> = {},
): Refusal => ({ kind: 'refused', code, detail, ...more })

/** The values that break the contract, each by its pointer or by the name of its header or query parameter (D-08). */
export const refuseFaults = (errors: readonly FieldError[]): Refusal =>
  refuse(
    'INVALID_REQUEST',
    errors.length === 1 ? 'The request has a fault.' : `The request has ${errors.length} faults.`,
    {
      errors,
    },
  )

/** An ID that this subject does not have; foreign and unknown read alike. */
export const notFound = (what: string): Refusal =>
  refuse('NOT_FOUND', `No such ${what} for this application and subject.`)
