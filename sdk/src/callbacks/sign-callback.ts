import { type SignedHeaders, signedHeaders } from '../signature/sign.ts'

export interface SignCallbackOptions {
  readonly secret: string
  /** Default: the current time. */
  readonly now?: Date | undefined
}

export interface SignedCallback {
  readonly headers: SignedHeaders
  readonly body: Uint8Array<ArrayBuffer>
}

/**
 * A callback as a gateway sends it, for the tests of a receiver.
 *
 * @example
 * const { headers, body } = await signCallback(event, { secret })
 * await fetch(receiverUrl, { method: 'POST', headers, body })
 *
 * @throws {RangeError} `event_id` is not 1-128 printable ASCII characters without spaces.
 */
export const signCallback = async (
  event: { readonly event_id: string },
  { secret, now = new Date() }: SignCallbackOptions,
): Promise<SignedCallback> => {
  const body = new TextEncoder().encode(JSON.stringify(event))
  return { headers: await signedHeaders({ id: event.event_id, body, secret, now }), body }
}
