import type { EventEnvelope } from '../generated/gateway.ts'
import { isObject } from '../is-object.ts'
import { SignatureError } from '../signature/signature-error.ts'
import { type VerifySignatureOptions, verifySignature } from '../signature/verify.ts'

/** An event that arrived as a callback, including events of types that this version does not know. */
export type CallbackEvent = EventEnvelope

export type VerifyCallbackOptions = VerifySignatureOptions

/**
 * The event of a callback, once its signature is right and its `event_id` equals `webhook-id` (CB-36, CB-37).
 *
 * The body is UTF-8 JSON. A leading byte order mark is covered by the signature but makes the JSON invalid.
 * Payloads are typed by the event's `type` and not validated further.
 *
 * @example
 * const event = await verifyCallback({ body: await request.arrayBuffer(), headers: request.headers, secret })
 *
 * @throws {SignatureError} the callback must not be trusted or is not an event; `reason` says why. Answer 4xx, except
 *   for `parsed_body`, which is a fault of the calling program.
 * @throws {TypeError} the secret is missing or empty.
 * @throws {RangeError} `toleranceSeconds` is not from 0 to 300.
 */
export const verifyCallback = async (options: VerifyCallbackOptions): Promise<CallbackEvent> => {
  const { id, body } = await verifySignature(options)
  const event = parseJson(body)
  if (!isEvent(event)) {
    throw new SignatureError('malformed_body', 'The body is not an event: event_id, type or payload is missing.')
  }
  if (event.event_id !== id) {
    throw new SignatureError('id_mismatch', "The body's event_id differs from the webhook-id header.")
  }
  return event
}

const parseJson = (body: Uint8Array): unknown => {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(body))
  } catch {
    throw new SignatureError('malformed_body', 'The body is not JSON in UTF-8.')
  }
}

const isEvent = (value: unknown): value is CallbackEvent =>
  isObject(value) && typeof value.event_id === 'string' && typeof value.type === 'string' && isObject(value.payload)
