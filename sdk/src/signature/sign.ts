import { joinChunks } from '../join-chunks.ts'

/** An HMAC-SHA256 key of the UTF-8 bytes of the secret's literal text. Hex or base64 is not decoded. */
export const importSecret = (secret: string, usage: 'sign' | 'verify'): Promise<CryptoKey> => {
  if (typeof secret !== 'string' || secret === '') {
    throw new TypeError('The signing secret is empty. Was the environment variable or setting that holds it read?')
  }
  const algorithm = { name: 'HMAC', hash: 'SHA-256' }
  return crypto.subtle.importKey('raw', new TextEncoder().encode(secret), algorithm, false, [usage])
}

/** The signed bytes: event ID, dot, timestamp, dot, raw body. */
export const signedBytes = (id: string, timestamp: string, body: Uint8Array): Uint8Array<ArrayBuffer> => {
  const prefix = new TextEncoder().encode(`${id}.${timestamp}.`)
  return joinChunks([prefix, body], prefix.length + body.length)
}

export interface SignPayloadOptions {
  readonly id: string
  /** Unix time in whole seconds. */
  readonly timestamp: number
  readonly body: Uint8Array
  readonly secret: string
}

/** The value of `webhook-signature`: `v1,` and the HMAC-SHA256 of `id.timestamp.body` in lower-case hex. */
export const signPayload = async ({ id, timestamp, body, secret }: SignPayloadOptions): Promise<string> => {
  const key = await importSecret(secret, 'sign')
  const mac = await crypto.subtle.sign('HMAC', key, signedBytes(id, String(timestamp), body))
  return `v1,${toHex(mac)}`
}

export interface SignedHeadersOptions extends Omit<SignPayloadOptions, 'timestamp'> {
  readonly now: Date
}

/** The headers of a signed JSON delivery. A type alias, so that it is assignable to general header types. */
export type SignedHeaders = {
  readonly 'content-type': 'application/json'
  readonly 'webhook-id': string
  readonly 'webhook-timestamp': string
  readonly 'webhook-signature': string
}

/**
 * The four headers of a delivery that is sent at `now`.
 *
 * @throws {RangeError} `id` is not 1-128 printable ASCII characters without spaces: no receiver would accept it.
 */
export const signedHeaders = async ({ id, body, secret, now }: SignedHeadersOptions): Promise<SignedHeaders> => {
  if (!EVENT_ID.test(id)) {
    throw new RangeError('An event ID has 1-128 printable ASCII characters and no spaces: give the event another one.')
  }
  const timestamp = Math.floor(now.getTime() / 1000)
  return {
    'content-type': 'application/json',
    'webhook-id': id,
    'webhook-timestamp': String(timestamp),
    'webhook-signature': await signPayload({ id, timestamp, body, secret }),
  }
}

/** The grammar of `webhook-id`. */
export const EVENT_ID: RegExp = /^[!-~]{1,128}$/

/** The SHA-256 of the bytes in lower-case hex. */
export const sha256Hex = async (bytes: Uint8Array): Promise<string> =>
  toHex(await crypto.subtle.digest('SHA-256', new Uint8Array(bytes)))

/** Bytes in lower-case hex. */
export const toHex = (bytes: ArrayBuffer): string =>
  Array.from(new Uint8Array(bytes), (byte) => byte.toString(16).padStart(2, '0')).join('')
