import type { IncomingMessage, RequestListener } from 'node:http'
import type { Socket } from 'node:net'
import type { Refusal } from '@conversation-gateway/openapi/behaviour/refusal'
import { refuse } from '@conversation-gateway/openapi/behaviour/refusal'

/** Maximum pipelined requests of a connection. */
const MAX_UNANSWERED = 100

/** Maximum requests that are read and dropped after one that ends its connection; then the connection is closed. */
const MAX_DROPPED = 1000

/** Maximum listeners for the same event of one response. */
const RESPONSE_LISTENERS = 20

/** The state of a connection. */
interface Connection {
  unanswered: number
  /** Number of requests after one that ends the connection; null before that. */
  dropped: number | null
}

/** Coordinates the requests of one connection. */
export interface ConnectionGuard {
  /**
   * Wraps the request handler. The answer to a request that this guard refuses is the last one of its connection, and
   * no later request is executed.
   */
  guard(answer: RequestListener): RequestListener
  /** Why this guard refuses a request; null if it does not. */
  refusalOf(request: IncomingMessage): Refusal | null
}

export const createConnectionGuard = (): ConnectionGuard => {
  const connections = new WeakMap<Socket, Connection>()
  const refusals = new WeakMap<IncomingMessage, Refusal>()

  const connectionOf = (socket: Socket): Connection => {
    const known = connections.get(socket)
    if (known !== undefined) return known
    const connection = { unanswered: 0, dropped: null }
    connections.set(socket, connection)
    return connection
  }

  return {
    guard: (answer) => (request, response) => {
      const connection = connectionOf(request.socket)
      if (connection.dropped !== null) {
        connection.dropped += 1
        if (connection.dropped > MAX_DROPPED) request.socket.destroy()
        return
      }
      const refusal = connection.unanswered >= MAX_UNANSWERED ? TOO_MANY : findFault(request)
      if (refusal !== null) {
        connection.dropped = 0
        refusals.set(request, refusal)
        response.setHeader('connection', 'close')
      }
      connection.unanswered += 1
      // Fastify and its file server add listeners; together they exceed the ten at which Node warns of a leak.
      response.setMaxListeners(RESPONSE_LISTENERS)
      response.once('close', () => {
        connection.unanswered -= 1
      })
      answer(request, response)
    },
    refusalOf: (request) => refusals.get(request) ?? null,
  }
}

/**
 * Ambiguities about a request's length or host, which a proxy in front may interpret differently (request smuggling).
 */
const findFault = ({ headers, httpVersionMinor }: IncomingMessage): Refusal | null => {
  const { host, 'transfer-encoding': coding } = headers
  // Repeated headers are joined by commas, which no host contains.
  if (host === undefined ? httpVersionMinor > 0 : host.includes(',')) return NO_HOST
  if (coding === undefined) return null
  return coding.toLowerCase() === 'chunked' && httpVersionMinor > 0 ? null : NO_END
}

const NO_HOST = refuse('INVALID_REQUEST', 'A request needs one `Host` header.')
const NO_END = refuse('INVALID_REQUEST', 'The only `Transfer-Encoding` is `chunked`, in HTTP/1.1.')
const TOO_MANY = refuse(
  'RATE_LIMITED',
  `At most ${MAX_UNANSWERED} requests of a connection may wait for their answers. This one and those behind it were not executed.`,
)
