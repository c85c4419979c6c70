import { STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import { newId } from '@conversation-gateway/openapi/behaviour/ids'
import type { Refusal } from '@conversation-gateway/openapi/behaviour/refusal'
import { refuse } from '@conversation-gateway/openapi/behaviour/refusal'
import type { AnswerHeaders } from './answer-headers.ts'
import { problemOf } from './problem.ts'

/**
 * Answers bytes that are not an HTTP request, or not a whole one in time, and closes the connection: nothing after them
 * can be understood.
 */
export type AnswerClientError = (error: Error & { readonly code?: string }, socket: Socket) => void

/** @param common What every answer says. */
export const createAnswerClientError =
  (common: AnswerHeaders): AnswerClientError =>
  (error, socket) => {
    if (error.code === 'ECONNRESET' || socket.destroyed) return
    if (socket.writable) {
      const requestId = newId('req')
      const { status, headers, body } = problemOf(CLIENT_ERRORS[error.code ?? ''] ?? MALFORMED, requestId)
      const text = JSON.stringify(body)
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

const MALFORMED = refuse('INVALID_REQUEST', 'This is not a well-formed HTTP/1.1 request.')
const CLIENT_ERRORS: Readonly<Record<string, Refusal>> = {
  HPE_HEADER_OVERFLOW: refuse('INVALID_REQUEST', 'The headers are too large.'),
  ERR_HTTP_REQUEST_TIMEOUT: refuse('INVALID_REQUEST', 'The request did not arrive completely in time.'),
}
