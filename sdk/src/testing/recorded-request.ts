import type { Fault } from './faults.ts'
import type { TestedOperationId } from './operations.ts'

/** A request that reached the handlers, for assertions. */
export interface RecordedRequest {
  readonly operation: TestedOperationId
  readonly url: string
  /** By lower-case name; `authorization` is left out, so that no key gets into test output. */
  readonly headers: Readonly<Record<string, string>>
  /** The parsed JSON; undefined for other bodies and none. */
  readonly body: unknown
  /** Status that the client received; null while, and where, no answer arrives. */
  readonly status: number | null
  readonly fault: Fault | null
}

/** A record whose request is still being answered. */
export type OpenRecord = Omit<RecordedRequest, 'status'> & { status: number | null }

export const recordHeaders = (headers: Headers): Record<string, string> =>
  Object.fromEntries([...headers].filter(([name]) => name !== 'authorization'))

export const readJsonOrNothing = (body: Uint8Array): unknown => {
  try {
    return JSON.parse(new TextDecoder().decode(body))
  } catch {
    return undefined
  }
}
