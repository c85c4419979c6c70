import type { Refusal } from '../behaviour/refusal.ts'
import { refuse } from '../behaviour/refusal.ts'
import type { Call } from './call.ts'
import { refuseFaults } from './outcome.ts'
import type { ShapeFault } from './shapes.ts'

interface JsonReading {
  readonly kind: 'read'
  readonly value: unknown
  readonly faults: readonly ShapeFault[]
}

const JSON_TYPE = /^application\/json\s*(;|$)/i

/** The body as JSON. Refused (415) is what does not say that it is JSON. */
export const readJson = ({ headers, body }: Pick<Call, 'headers' | 'body'>): JsonReading | Refusal => {
  const contentType = headers.get('content-type')
  if (body.length === 0) return unusable('is required')
  if (contentType === null || !JSON_TYPE.test(contentType))
    return refuse('UNSUPPORTED_MEDIA_TYPE', 'Send the body as application/json in UTF-8.')
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(body)
    return { kind: 'read', value: JSON.parse(text), faults: [] }
  } catch {
    return unusable('is not valid JSON in UTF-8')
  }
}

const unusable = (message: string): JsonReading => ({
  kind: 'read',
  value: undefined,
  faults: [{ pointer: '', message }],
})

/** 400: UNKNOWN_FIELD when nothing is wrong but unknown members. */
export const refuseBody = (faults: readonly ShapeFault[]): Refusal =>
  faults.every(({ isUnknownMember }) => isUnknownMember)
    ? refuse('UNKNOWN_FIELD', 'The body has members that the operation does not define.', { faults })
    : refuseFaults(faults)
