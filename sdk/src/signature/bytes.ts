import { SignatureError } from './signature-error.ts'

/** The bytes of a raw body. */
export const toBytes = (body: unknown): Uint8Array => {
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

// Not instanceof: a buffer of another realm (a test runner's, a frame's) is one too.
const isArrayBuffer = (body: unknown): body is ArrayBuffer =>
  Object.prototype.toString.call(body) === '[object ArrayBuffer]'

/** The signed bytes: event ID, dot, timestamp, dot, raw body. */
export const signedBytes = (id: string, timestamp: string, body: Uint8Array): Uint8Array<ArrayBuffer> => {
  const prefix = new TextEncoder().encode(`${id}.${timestamp}.`)
  const bytes = new Uint8Array(prefix.length + body.length)
  bytes.set(prefix)
  bytes.set(body, prefix.length)
  return bytes
}
