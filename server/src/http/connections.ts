import type { IncomingMessage, RequestListener } from 'node:http'
import type { Socket } from 'node:net'
import type { Refusal } from '@conversation-gateway/openapi/behaviour/refusal'
import { refuse } from '@conversation-gateway/openapi/behaviour/refusal'

/** Requests of a connection that may wait for their answers at the same time. */
const MAX_UNANSWERED = 100

/** Requests that are read and dropped behind one that ends its connection; whoever goes on is cut off. */
const MAX_DROPPED = 1000

/** Listeners for the same event of one response. */
const RESPONSE_LISTENERS = 20

/** What is known of a connection. */
interface Connection {
  unanswered: number
  /** How many requests came behind one that ends the connection; null while there is none. */
  dropped: number | null
}

/** Looks after what the requests of one connection are to each other. */
export interface ConnectionGuard {
  /**
   * Wraps what answers requests. Once a request is refused for the sake of its connection, its answer is the last one,
   * and nothing that comes behind it is run.
   */
  guard(answer: RequestListener): RequestListener
  /** Why a request is refused for the sake of its connection; null for any other. */
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
      // Fastify and its file server add listeners of their own; together they pass the ten for which Node suspects a leak.
      response.setMaxListeners(RESPONSE_LISTENERS)
      response.once('close', () => {
        connection.unanswered -= 1
      })
      answer(request, response)
    },
    refusalOf: (request) => refusals.get(request) ?? null,
  }
}

/** What leaves open where a request ends or whom it is for, so that a proxy in front may have understood it otherwise. */
const findFault = ({ headers, httpVersionMinor }: IncomingMessage): Refusal | null => {
  const { host, 'transfer-encoding': coding } = headers
  // Repeated headers arrive joined by commas, and no host has one.
  if (host === undefined ? httpVersionMinor > 0 : host.includes(',')) return NO_HOST
  if (coding === undefined) return null
  return coding.toLowerCase() === 'chunked' && httpVersionMinor > 0 ? null : NO_END
}

const NO_HOST = refuse('INVALID_REQUEST', 'A request needs one `Host` header.')
const NO_END = refuse('INVALID_REQUEST', 'The only `Transfer-Encoding` is `chunked`, in HTTP/1.1.')
const TOO_MANY = refuse(
  'RATE_LIMITED',
  `At most ${MAX_UNANSWERED} requests of a connection may wait for their answers. This one and those behind it were not run.`,
)
