/**
 * Why a delivery was rejected.
 *
 * - `missing_header`, `duplicate_header`: not exactly one `webhook-id`, `webhook-timestamp` and `webhook-signature`.
 * - `malformed_id`, `malformed_timestamp`, `malformed_signature`: a header's value breaks the scheme's grammar.
 * - `too_old`, `too_new`: the timestamp is too far from the clock.
 * - `wrong_signature`: no secret gives this signature for these bytes.
 * - `parsed_body`: the body that was passed in is not the raw bytes. A fault of the calling program, not of the sender.
 * - `malformed_body`, `id_mismatch`: the signature is valid, but the body is not an event, or has another event's ID.
 */
export type SignatureErrorReason =
  | 'missing_header'
  | 'duplicate_header'
  | 'malformed_id'
  | 'malformed_timestamp'
  | 'malformed_signature'
  | 'too_old'
  | 'too_new'
  | 'wrong_signature'
  | 'parsed_body'
  | 'malformed_body'
  | 'id_mismatch'

/** A delivery that must not be trusted. The message names the likely mistake, and never a secret or a signature. */
export class SignatureError extends Error {
  override readonly name = 'SignatureError'
  readonly reason: SignatureErrorReason

  constructor(reason: SignatureErrorReason, message: string) {
    super(message)
    this.reason = reason
  }
}
