import type { Document, ErrorEntry } from '../document/document.ts'
import { banner, toSource } from './source-text.ts'

/** The `x-errors` of all documents as one table: a code has the same meaning in each. */
export const mergeErrors = (documents: readonly Document[]): Record<string, ErrorEntry> =>
  Object.assign({}, ...documents.map((document) => document.components['x-errors']))

/** The error-code table of the gateway. */
export function generateErrors(...documents: Document[]): string {
  const catalogue = mergeErrors(documents)
  return `${banner('components.x-errors')}
export interface ErrorInfo {
  /** HTTP status of answers with this code. */
  readonly status: number
  readonly title: string
  /** What happened and what to do about it. */
  readonly description: string
  /** Whether the same request, under the same key, may succeed later without any change. */
  readonly retryable: boolean
  /** \`nothing\`: the request had no effect. \`unknown\`: only a replay or a read can tell. */
  readonly happened: 'nothing' | 'unknown'
  /** No request under this key and with this content was admitted (D-07). */
  readonly final_for_key?: boolean
  /** The problem says \`outcome: unknown\` if the request may have taken effect nevertheless (D-57). */
  readonly tells_outcome?: boolean
}

/** Every error code of the contract (D-09). */
export const ERRORS = ${toSource(catalogue)} as const satisfies Record<string, ErrorInfo>

export type ErrorCode = keyof typeof ERRORS
`
}
