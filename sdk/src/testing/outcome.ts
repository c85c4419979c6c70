import type { Fault, Refusal } from '../behaviour/refusal.ts'
import { refuse } from '../behaviour/refusal.ts'

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

/** The values that break the contract, each by its pointer or by the name of its header or query parameter (D-08). */
export const refuseFaults = (faults: readonly Fault[]): Refusal =>
  refuse(
    'INVALID_REQUEST',
    faults.length === 1 ? 'The request has a fault.' : `The request has ${faults.length} faults.`,
    { faults },
  )
