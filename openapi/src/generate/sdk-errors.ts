import type { Document, ErrorEntry } from '../document/document.ts'
import { mergeErrors } from './errors.ts'
import { banner, toSource } from './source-text.ts'

/** The error codes for the client. Their descriptions are docstrings, which take no space at run time. */
export function generateSdkErrors(...documents: Document[]): string {
  const catalogue = Object.entries(mergeErrors(documents))
  const rows = catalogue.map(
    ([code, { status, description, retryable, happened, final_for_key: final }]) => `  /** ${description} */
  ${code}: { status: ${status}, retryable: ${retryable}, happened: '${happened}'${final ? ', finalForKey: true' : ''} },`,
  )
  const deviations = catalogue.flatMap(([code, entry]) => {
    const deviation = deviate(entry)
    return deviation ? [[code, { status: entry.status, ...deviation }] as const] : []
  })
  return `${banner('components.x-errors')}
export interface ErrorInfo {
  /** HTTP status that the code always comes with. */
  readonly status: number
  /** Whether the same request, under the same key, may succeed later without any change. */
  readonly retryable: boolean
  /** \`nothing\`: the request had no effect. \`unknown\`: only a replay or a read can tell. */
  readonly happened: 'nothing' | 'unknown'
  /** No request under this key and with this content was admitted, even if an earlier answer was lost (D-07). */
  readonly finalForKey?: true
}

/** Every error code of the contract (D-09). */
export const ERRORS = {
${rows.join('\n')}
} as const satisfies Record<string, ErrorInfo>

export type ErrorCode = keyof typeof ERRORS

/** The meaning of a code that the HTTP status alone does not express. */
export interface CodeVerdict {
  readonly status: number
  readonly isTransient?: boolean
  readonly effect?: 'none' | 'none-ever' | 'unknown'
}

/** The codes of {@link ERRORS} whose verdict differs from that of their status. */
export const CODE_VERDICTS: Readonly<Record<string, CodeVerdict>> = ${toSource(Object.fromEntries(deviations))}
`
}

/**
 * The verdict of a code if it differs from that of its status in the client (`judge`, whose test covers every code).
 */
function deviate({ status, retryable, happened, final_for_key: final }: ErrorEntry) {
  const isTransient = [408, 425, 429].includes(status) || (status >= 500 && status !== 501 && status !== 505)
  const byStatus = status === 408 || status >= 500 ? 'unknown' : 'none'
  const effect = final ? 'none-ever' : happened === 'unknown' ? 'unknown' : 'none'
  if (isTransient === retryable && byStatus === effect) return null
  return {
    ...(isTransient === retryable ? {} : { isTransient: retryable }),
    ...(byStatus === effect ? {} : { effect }),
  }
}
