import type { Document, ErrorEntry } from '../document.ts'
import { banner, toSource } from './banner.ts'

/** The error-code table: the documents' `x-errors`, merged. A code means the same in every document. */
export function generateErrors(...documents: Document[]): string {
  const catalogue: Record<string, ErrorEntry> = Object.assign(
    {},
    ...documents.map((document) => document.components['x-errors']),
  )
  return `${banner('components.x-errors')}
export interface ErrorInfo {
  /** HTTP status that the code always comes with. */
  readonly status: number
  readonly title: string
  /** What happened and what to do about it. */
  readonly description: string
  /** Whether the same request, under the same key, may succeed later without any change. */
  readonly retryable: boolean
  /** \`nothing\`: the request had no effect. \`unknown\`: only a replay or a read can tell. */
  readonly happened: 'nothing' | 'unknown'
}

/** Every error code of the contract (D-09). */
export const ERRORS = ${toSource(catalogue)} as const satisfies Record<string, ErrorInfo>

export type ErrorCode = keyof typeof ERRORS
`
}
