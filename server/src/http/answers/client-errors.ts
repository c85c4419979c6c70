import { maxHeaderSize, STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import { newId } from '@conversation-gateway/openapi/behaviour/ids'
import type { Refusal } from '@conversation-gateway/openapi/behaviour/refusal'
import { refuse } from '@conversation-gateway/openapi/behaviour/refusal'
import { problemOf } from './problem.ts'

/**
 * Answers bytes that are not a valid HTTP request, or an incomplete one after a timeout, and closes the connection,
 * because the rest cannot be parsed.
 */
export type AnswerClientError = (error: ClientError, socket: Socket) => void

type ClientError = Error & {
  readonly code?: string
  /** The last received bytes, and how far they were parsed. */
  readonly rawPacket?: Buffer
  readonly bytesParsed?: number
}

/** @param common Default headers of every answer. */
export const createAnswerClientError =
  (common: Readonly<Record<string, string>>): AnswerClientError =>
  (error, socket) => {
    if (error.code === 'ECONNRESET' || socket.destroyed) return
    if (socket.writable) {
      const requestId = newId('req')
      const { refusal, status } = describe(error)
      const { headers, body } = problemOf(refusal, requestId)
      const text = JSON.stringify({ ...body, status })
      const lines = Object.entries({
        ...common,
        ...headers,
        'content-length': String(Buffer.byteLength(text)),
        'x-request-id': requestId,
        connection: 'close',
      }).map(([name, value]) => `${name}: ${value}\r\n`)
      socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}\r\n${text}`)
    }
    socket.destroySoon()
  }

/** HTTP has its own statuses for these, so clients need no separate error codes. */
const describe = ({
  code,
  rawPacket,
  bytesParsed,
}: ClientError): { readonly refusal: Refusal; readonly status: number } => {
  switch (code) {
    case 'HPE_HEADER_OVERFLOW':
      return rawPacket !== undefined && isWithinFirstLine(rawPacket.subarray(0, bytesParsed))
        ? { refusal: URL_TOO_LONG, status: 414 }
        : { refusal: HEADERS_TOO_LARGE, status: 431 }
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return { refusal: TIMED_OUT, status: 400 }
    default:
      return { refusal: MALFORMED, status: 400 }
  }
}

/** Whether the bytes begin a request but do not reach its headers. */
const isWithinFirstLine = (bytes: Buffer): boolean => /^[A-Z]+ [^\r\n]*$/.test(bytes.toString('latin1'))

const URL_TOO_LONG = refuse('INVALID_REQUEST', `The URL is too long: a request's head may have ${maxHeaderSize} bytes.`)
const HEADERS_TOO_LARGE = refuse(
  'INVALID_REQUEST',
  `The headers are too large: together they may have ${maxHeaderSize} bytes.`,
)
const TIMED_OUT = refuse('INVALID_REQUEST', 'The request did not arrive completely in time.')
const MALFORMED = refuse('INVALID_REQUEST', 'This is not a well-formed HTTP/1.1 request.')
