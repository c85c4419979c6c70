import { randomBytes } from 'node:crypto'

/** A span's position in a trace, as in the header `traceparent` of W3C Trace Context. */
export type Traceparent = string

const TRACEPARENT = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/
const NONE = /^0+$/

/**
 * Parses the header into version 00 of the format; null for a missing or invalid header. Additional fields of later
 * versions are ignored, as the specification requires.
 */
export const readTraceparent = (header: string | undefined): Traceparent | null => {
  const [, version, traceId = '', spanId = '', flags = '', more] = TRACEPARENT.exec(header ?? '') ?? []
  if (version === undefined || version === 'ff' || (version === '00' && more !== undefined)) return null
  if (NONE.test(traceId) || NONE.test(spanId)) return null
  return `00-${traceId}-${spanId}-${flags}`
}

/** The traceparent of a new span under the given one. */
export const continueTrace = (parent: Traceparent): Traceparent =>
  `${parent.slice(0, 36)}${randomBytes(8).toString('hex')}${parent.slice(52)}`

/** The trace member of log lines; empty without a trace. */
export const traceFields = (traceparent: Traceparent | null): { readonly trace_id?: string } =>
  traceparent === null ? {} : { trace_id: traceparent.slice(3, 35) }
