import { createHmac, timingSafeEqual } from 'node:crypto'

/** The signed content: the event's ID, the time of sending, and the body's raw bytes. */
export interface SignedParts {
  readonly id: string
  /** Unix time in seconds, as in the header. */
  readonly timestamp: string
  readonly body: Uint8Array
}

/** The values of each signature header as they were received; a header that came twice has two. */
export interface SignatureHeaders {
  readonly id: readonly string[]
  readonly timestamp: readonly string[]
  readonly signature: readonly string[]
}

/** Why a signed request is rejected. */
export type SignatureFault =
  | 'missing_header'
  | 'duplicate_header'
  | 'malformed_id'
  | 'malformed_timestamp'
  | 'malformed_signature'
  | 'too_old'
  | 'too_new'
  | 'wrong_signature'

export type SignatureVerdict =
  | { readonly ok: true; readonly id: string }
  | { readonly ok: false; readonly reason: SignatureFault }

/** Maximum difference between the sender's clock and this one, in seconds. */
export const TOLERANCE_SECONDS = 300

/** A webhook-id: 1-128 printable ASCII characters without spaces. */
const ID = /^[\x21-\x7e]{1,128}$/
/** Maximum digits of a timestamp, so that the number is exact. */
const TIMESTAMP = /^[0-9]{1,15}$/
const SIGNATURE = /^v1,[0-9a-f]{64}$/

/** `v1,` and the HMAC-SHA256 over `id.timestamp.body` in hexadecimal, under the literal text of the secret. */
export const signPayload = (parts: SignedParts, secret: string): string => `v1,${digest(parts, secret).toString('hex')}`

/**
 * Whether a request was signed with the secret, no more than 300 seconds ago or ahead. The form of the headers comes
 * first, then the time, then the signature, which is compared in constant time (D-37).
 */
export const verifySignature = (
  headers: SignatureHeaders,
  body: Uint8Array,
  secret: string,
  now: Date,
): SignatureVerdict => {
  const { id, timestamp, signature } = headers
  const all = [id, timestamp, signature]
  if (all.some(({ length }) => length === 0)) return failed('missing_header')
  if (all.some(({ length }) => length > 1)) return failed('duplicate_header')
  const [eventId = '', seconds = '', given = ''] = all.map(([value]) => value)
  if (!ID.test(eventId)) return failed('malformed_id')
  if (!TIMESTAMP.test(seconds)) return failed('malformed_timestamp')
  if (!SIGNATURE.test(given)) return failed('malformed_signature')
  const ageSeconds = Math.floor(now.getTime() / 1000) - Number(seconds)
  if (ageSeconds > TOLERANCE_SECONDS) return failed('too_old')
  if (ageSeconds < -TOLERANCE_SECONDS) return failed('too_new')
  const expected = digest({ id: eventId, timestamp: seconds, body }, secret)
  const received = Buffer.from(given.slice('v1,'.length), 'hex')
  return timingSafeEqual(expected, received) ? { ok: true, id: eventId } : failed('wrong_signature')
}

const digest = ({ id, timestamp, body }: SignedParts, secret: string): Buffer =>
  createHmac('sha256', Buffer.from(secret, 'utf8')).update(`${id}.${timestamp}.`).update(body).digest()

const failed = (reason: SignatureFault): SignatureVerdict => ({ ok: false, reason })
