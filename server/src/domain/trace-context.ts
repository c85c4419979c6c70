import { randomBytes } from 'node:crypto'

/** A place in a trace, as the header `traceparent` of W3C Trace Context writes it. */
export type Traceparent = string

const TRACEPARENT = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/
const NONE = /^0+$/

/**
 * What a header says, as this version of the format has it; null for no header and for an invalid one, which counts as none.
 * What later versions put behind these fields is left out, as that specification asks for.
 */
export const readTraceparent = (header: string | undefined): Traceparent | null => {
  const [, version, traceId = '', spanId = '', flags = '', more] = TRACEPARENT.exec(header ?? '') ?? []
  if (version === undefined || version === 'ff' || (version === '00' && more !== undefined)) return null
  if (NONE.test(traceId) || NONE.test(spanId)) return null
  return `00-${traceId}-${spanId}-${flags}`
}

/** A new place in the same trace, below the one given. */
export const continueTrace = (parent: Traceparent): Traceparent =>
  `${parent.slice(0, 36)}${randomBytes(8).toString('hex')}${parent.slice(52)}`

/** How log lines name the trace that they belong to; nothing where there is none. */
export const traceFields = (traceparent: Traceparent | null): { readonly trace_id?: string } =>
  traceparent === null ? {} : { trace_id: traceparent.slice(3, 35) }
