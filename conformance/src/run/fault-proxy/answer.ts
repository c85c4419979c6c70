import { STATUS_CODES } from 'node:http'
import type { HeaderLine } from '../../kit/header-lines.ts'
import type { Bytes } from './bytes.ts'
import { bytesOf } from './bytes.ts'
import type { CannedAnswer } from './fault.ts'

/** Header fields in their order and spelling on the wire. */
export type HeaderFields = readonly HeaderLine[]

/** An answer whose content has no framing yet. */
export interface Answer {
  readonly status: number
  readonly reason: string
  readonly headers: HeaderFields
  readonly content: Bytes
  /** False for answers that end with their head, regardless of their headers. */
  readonly hasBody: boolean
}

/** An answer as bytes, written to the wire unchanged. */
export interface EncodedAnswer {
  /** Length of the head in bytes; 0 if the head is not distinguished from the body. */
  readonly headBytes: number
  readonly bytes: Bytes
}

const CHUNK_END = Buffer.from('\r\n')
const LAST_CHUNK = Buffer.from('0\r\n\r\n')
const CONNECTION_FIELDS = ['connection', 'keep-alive', 'proxy-connection', 'transfer-encoding', 'upgrade', 'te']

/** The fields without those of these names. */
export const withoutFields = (headers: HeaderFields, ...names: readonly string[]): HeaderFields =>
  headers.filter(([name]) => !names.includes(name.toLowerCase()))

/** The end-to-end fields. */
export const endToEndFields = (headers: HeaderFields): HeaderFields => withoutFields(headers, ...CONNECTION_FIELDS)

/** The answer with different content of unknown length. */
export const withContent = (answer: Answer, content: Bytes): Answer => ({
  ...answer,
  headers: withoutFields(answer.headers, 'content-length'),
  content,
})

/** Creates the answer that a rule prescribes. */
export const cannedAnswer = ({ status, headers = {}, body = '' }: CannedAnswer, method: string): Answer => {
  const content = typeof body === 'string' ? Buffer.from(body) : body
  const fields: HeaderFields = Object.entries(headers)
  const hasLength = fields.some(([name]) => name.toLowerCase() === 'content-length')
  return {
    status,
    reason: STATUS_CODES[status] ?? '',
    headers: hasLength ? fields : [...fields, ['content-length', String(content.length)]],
    content: bytesOf(content),
    hasBody: hasBody(method, status),
  }
}

/** Whether an answer with this status to this method has a body (RFC 9112, section 6.3). */
export const hasBody = (method: string, status: number): boolean =>
  method !== 'HEAD' && status !== 204 && status !== 304

/** Serializes an answer: the head in one piece, then the body, chunked if its length is not given. */
export const encodeAnswer = ({ status, reason, headers, content, hasBody }: Answer): EncodedAnswer => {
  const hasLength = headers.some(([name]) => name.toLowerCase() === 'content-length')
  const isChunked = hasBody && !hasLength
  const fields: HeaderFields = [
    ...endToEndFields(headers),
    ...(isChunked ? [['transfer-encoding', 'chunked'] as const] : []),
    ['connection', 'close'],
  ]
  const lines = [`HTTP/1.1 ${status} ${reason}`, ...fields.map(([name, value]) => `${name}: ${value}`)]
  const head = Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1')
  const body = hasBody ? (isChunked ? chunked(content) : content) : bytesOf()
  return { headBytes: head.length, bytes: prefixed(head, body) }
}

async function* prefixed(head: Uint8Array, body: Bytes): Bytes {
  yield head
  return yield* body
}

async function* chunked(content: Bytes): Bytes {
  for (;;) {
    const step = await content.next()
    if (step.done) {
      if (step.value === 'complete') yield LAST_CHUNK
      return step.value
    }
    const size = Buffer.from(`${step.value.length.toString(16)}\r\n`)
    if (step.value.length > 0) yield Buffer.concat([size, step.value, CHUNK_END])
  }
}
