import type { StreamCut } from './faults.ts'
import type { BearerOperationId } from './tested-operation.ts'

/** A request that has passed the door: its key and its subject were good. */
export interface Call {
  readonly operationId: BearerOperationId
  readonly subject: string
  /** Path IDs by their name in the contract. */
  readonly ids: Readonly<Record<string, string>>
  readonly query: URLSearchParams
  readonly headers: Headers
  readonly body: Uint8Array<ArrayBuffer>
  /** Where the stream that this call opens is to break; null for streams that do not. */
  readonly cut: StreamCut | null
}
