import { onlyHeader, type SignatureHeaders } from './headers.ts'
import { EVENT_ID, importSecret, signedBytes } from './sign.ts'
import { SignatureError } from './signature-error.ts'

/** Largest difference in seconds between a delivery's timestamp and the receiver's clock. */
export const MAX_TOLERANCE_SECONDS = 300

export interface VerifySignatureOptions {
  /**
   * The body's raw bytes, exactly as they were received. A string is not accepted: decoding drops byte order marks
   * and replaces invalid bytes.
   */
  readonly body: Uint8Array | ArrayBuffer
  readonly headers: SignatureHeaders
  /** The secret, or several while one is being rotated: any of them may have signed. */
  readonly secret: string | readonly string[]
  /** Default: the current time. */
  readonly now?: Date | undefined
  /** Allowed difference between timestamp and `now` in seconds, in both directions. Default and maximum: 300. */
  readonly toleranceSeconds?: number | undefined
}

/** The data that a valid signature covers. */
export interface VerifiedDelivery {
  readonly id: string
  /** Unix time in seconds at which the delivery was signed. */
  readonly timestamp: number
  readonly body: Uint8Array
}

/**
 * Checks the signature of a delivery: first that each header occurs exactly once and is well-formed, then the time,
 * then the signature in constant time (SIG-11, SIG-13, SIG-29, SIG-30).
 *
 * @throws {SignatureError} the delivery must not be trusted; `reason` says why.
 * @throws {TypeError} the secret is missing or empty.
 * @throws {RangeError} `toleranceSeconds` is not from 0 to 300.
 */
export const verifySignature = async (options: VerifySignatureOptions): Promise<VerifiedDelivery> => {
  const { headers, toleranceSeconds = MAX_TOLERANCE_SECONDS, now = new Date() } = options
  if (!(toleranceSeconds >= 0 && toleranceSeconds <= MAX_TOLERANCE_SECONDS)) {
    throw new RangeError(`toleranceSeconds must be from 0 to ${MAX_TOLERANCE_SECONDS}.`)
  }
  const keys = await importSecrets(options.secret)
  const body = toBytes(options.body)

  const id = onlyHeader(headers, 'webhook-id')
  const timestamp = onlyHeader(headers, 'webhook-timestamp')
  const signature = onlyHeader(headers, 'webhook-signature')
  if (!EVENT_ID.test(id)) {
    throw new SignatureError('malformed_id', 'webhook-id is not 1-128 printable ASCII characters without spaces.')
  }
  if (!/^[0-9]+$/.test(timestamp)) {
    throw new SignatureError('malformed_timestamp', 'webhook-timestamp is not a Unix time in whole seconds.')
  }
  if (!/^v1,[0-9a-f]{64}$/.test(signature)) {
    throw new SignatureError(
      'malformed_signature',
      'webhook-signature is not `v1,` and 64 lower-case hex characters. Other webhook schemes write it differently.',
    )
  }

  checkTime(Number(timestamp), Math.floor(now.getTime() / 1000), toleranceSeconds)

  const mac = fromHex(signature.slice(3))
  const signed = signedBytes(id, timestamp, body)
  // Try every secret, so that the duration does not reveal which one matched.
  const matches = await Promise.all(keys.map((key) => crypto.subtle.verify('HMAC', key, mac, signed)))
  if (!matches.includes(true)) {
    throw new SignatureError(
      'wrong_signature',
      'The signature does not match. Either the secret is wrong (it may have been rotated, and each direction has ' +
        'its own), or the body differs from the bytes that were received.',
    )
  }
  return { id, timestamp: Number(timestamp), body }
}

const importSecrets = (secret: string | readonly string[]): Promise<CryptoKey[]> => {
  const secrets = typeof secret === 'string' ? [secret] : (secret ?? [])
  if (secrets.length === 0) throw new TypeError('There is no secret to verify with: pass at least one.')
  return Promise.all(secrets.map((each) => importSecret(each, 'verify')))
}

// Written so that NaN is refused.
const checkTime = (timestamp: number, now: number, tolerance: number): void => {
  const age = now - timestamp
  if (!(age <= tolerance)) {
    throw new SignatureError(
      'too_old',
      `The timestamp is ${age} s old; ${tolerance} s are allowed. Either the delivery was delayed or replayed, or ` +
        'the clock of this machine is fast.',
    )
  }
  if (!(age >= -tolerance)) {
    throw new SignatureError(
      'too_new',
      `The timestamp is ${-age} s in the future; ${tolerance} s are allowed. The clock of this machine is probably slow.`,
    )
  }
}

const fromHex = (hex: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from({ length: hex.length / 2 }, (_, index) => Number.parseInt(hex.slice(index * 2, index * 2 + 2), 16))

/** The bytes of a raw body. */
const toBytes = (body: unknown): Uint8Array => {
  if (ArrayBuffer.isView(body)) return new Uint8Array(body.buffer, body.byteOffset, body.byteLength)
  if (isArrayBuffer(body)) return new Uint8Array(body)
  throw new SignatureError(
    'parsed_body',
    typeof body === 'string'
      ? 'The body is a string: decoding it may already have changed it. Pass the raw bytes as they were received.'
      : 'The body is not raw bytes: it was probably parsed before. Verify first, parse later: take the raw bytes ' +
          '(`await request.arrayBuffer()`, express.raw()) and keep body parsers off this route.',
  )
}

// Not `instanceof`, which fails for buffers of another realm, such as a test runner's or a frame's.
const isArrayBuffer = (body: unknown): body is ArrayBuffer =>
  Object.prototype.toString.call(body) === '[object ArrayBuffer]'
