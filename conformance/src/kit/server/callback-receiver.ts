import { once } from 'node:events'
import { createServer as createHttpServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { createServer as createHttpsServer } from 'node:https'
import type { Socket } from 'node:net'
import { buffer } from 'node:stream/consumers'
import type { EventEnvelope } from '#openapi/generated/gateway'
import type { CallbacksConfig } from '../config/server-config.ts'
import { type HeaderLine, headerLines } from '../header-lines.ts'
import { parseJson } from '../parse-json.ts'

/** A received request of the gateway. */
export interface CallbackRequest {
  /** Position among all requests that the receiver got, from 1. */
  readonly order: number
  /** Time of arrival by the suite's own clock, in milliseconds since the epoch. */
  readonly receivedAtMs: number
  readonly method: string
  readonly path: string
  /** Header lines in their order, names in lower case. */
  readonly headerLines: readonly HeaderLine[]
  /** Returns the values of all header lines with this name, which must be in lower case. */
  header(name: string): readonly string[]
  readonly bytes: Buffer
  /** The parsed body; an empty object if it is not JSON. */
  readonly event: Partial<EventEnvelope>
}

/** How the receiver answers a request. */
export type CallbackAnswer =
  | {
      readonly status: number
      readonly headers?: Readonly<Record<string, string>>
      readonly body?: string | Uint8Array
    }
  /** Reads the request and never answers. */
  | 'silence'
  /** Answers with the head of a 200 and an endless body, until the gateway stops reading. */
  | 'endless'
  /** Resets the connection. */
  | 'reset'

/** Decides on a request. @param attempt Its number among the requests with the same path and webhook-id, from 1. */
export type CallbackPlan = (attempt: number, request: CallbackRequest) => CallbackAnswer | Promise<CallbackAnswer>

/** The suite's own receiver of callbacks. It answers every request with 200 unless a check plans another answer. */
export interface CallbackReceiver {
  /** The origin that receives the requests. */
  readonly origin: string
  /** The path of the configured URL. */
  readonly path: string
  /** Answers further requests about this conversation by the plan. A single answer applies to all of them. */
  plan(conversationId: string, plan: CallbackPlan | CallbackAnswer): void
  /** All requests so far about this conversation, in order of arrival. */
  requests(conversationId: string): readonly CallbackRequest[]
  /** All requests so far, in order of arrival. */
  all(): readonly CallbackRequest[]
  /** Bytes sent so far on the connection of the latest request about this conversation, and whether it has ended. */
  answered(conversationId: string): { readonly bytes: number; readonly ended: boolean }
  close(): Promise<void>
}

const MEBIBYTE = Buffer.alloc(1024 * 1024, 'x')

/** Listens at the configured address. @throws {Error} It cannot listen there, for example because the port is in use. */
export async function startCallbackReceiver({ receiver }: CallbacksConfig): Promise<CallbackReceiver> {
  const { host, port, path, tls } = receiver
  const requests: CallbackRequest[] = []
  const plans = new Map<string, CallbackPlan>()
  const latest = new Map<string, Socket>()
  const sockets = new Set<Socket>()

  const handle = async (incoming: IncomingMessage, response: ServerResponse): Promise<void> => {
    const bytes = await buffer(incoming)
    const request = toRequest(requests.length + 1, incoming, bytes)
    const [id] = request.header('webhook-id')
    const earlierAttempts = requests.filter(
      (earlier) => earlier.path === request.path && earlier.header('webhook-id')[0] === id,
    )
    requests.push(request)
    const conversationId = request.event.conversation_id ?? ''
    const plan = plans.get(conversationId)
    latest.set(conversationId, incoming.socket)
    give(plan === undefined ? { status: 200 } : await plan(earlierAttempts.length + 1, request), response)
  }
  const onRequest = (incoming: IncomingMessage, response: ServerResponse): void => {
    handle(incoming, response).catch(() => response.destroy())
  }
  const server = tls === undefined ? createHttpServer(onRequest) : createHttpsServer({ ...tls }, onRequest)
  server.on('connection', (socket: Socket) => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
    socket.on('error', () => socket.destroy())
  })
  server.listen(port, host)
  await once(server, 'listening').catch((error: unknown) => {
    throw new Error(`the receiver of callbacks cannot listen at ${host}:${port}; is another run in progress? ${error}`)
  })

  return {
    origin: `${tls === undefined ? 'http' : 'https'}://${host.includes(':') ? `[${host}]` : host}:${port}`,
    path,
    plan: (conversationId, plan) => {
      plans.set(conversationId, typeof plan === 'function' ? plan : () => plan)
    },
    requests: (conversationId) => requests.filter(({ event }) => event.conversation_id === conversationId),
    all: () => [...requests],
    answered: (conversationId) => {
      const socket = latest.get(conversationId)
      return { bytes: socket?.bytesWritten ?? 0, ended: socket?.destroyed ?? false }
    },
    close: async () => {
      const closed = once(server, 'close')
      server.close()
      for (const socket of sockets) socket.destroy()
      await closed
    },
  }
}

function give(answer: CallbackAnswer, response: ServerResponse): void {
  if (answer === 'silence') return
  if (answer === 'reset') {
    response.socket?.resetAndDestroy()
  } else if (answer === 'endless') {
    response.writeHead(200)
    const writeMore = (): void => {
      while (!response.destroyed && response.write(MEBIBYTE));
    }
    response.on('drain', writeMore)
    writeMore()
  } else {
    response.writeHead(answer.status, answer.headers).end(answer.body)
  }
}

function toRequest(order: number, incoming: IncomingMessage, bytes: Buffer): CallbackRequest {
  const { method = '', url = '', rawHeaders } = incoming
  const lines = headerLines(rawHeaders).map(([name, value]) => [name.toLowerCase(), value] as const)
  return {
    order,
    receivedAtMs: Date.now(),
    method,
    path: url,
    headerLines: lines,
    header: (wanted) => lines.filter(([name]) => name === wanted).map(([, value]) => value),
    bytes,
    event: Object(parseJson(bytes.toString())),
  }
}
