import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { buffer } from 'node:stream/consumers'
import type { Transcript } from '../transcript.ts'
import { type Answer, problem } from './answers.ts'
import { createChanges } from './changes.ts'
import { recordRequest, type WireRequest } from './wire-request.ts'

/** An answer, or a function that returns one for the request and the number of earlier requests to this route. */
export type Answering = Answer | ((request: WireRequest, earlier: number) => Answer)

/** A simulated gateway: it sends exactly the bytes that the check specifies, and records the requests. */
export interface SimulatedGateway {
  readonly origin: string
  readonly port: number
  /** Every complete request, in order of arrival. */
  readonly requests: readonly WireRequest[]
  /** The requests with this method and path. */
  to(method: string, path: string | RegExp): readonly WireRequest[]
  /**
   * Sets the answers to requests with this method and path (without its query), in order. The last one is repeated. A
   * later call for the same requests replaces the earlier one. Other requests get 404.
   */
  on(method: string, path: string | RegExp, ...answers: readonly [Answering, ...Answering[]]): void
  /** Resolves with the value that `find` returns, immediately or after a later request or end of a connection. */
  until<Value>(what: string, find: () => Value | undefined): Promise<Value>
  /** Closes its connections and rejects pending waits. */
  close(): Promise<void>
}

interface Rule {
  readonly method: string
  readonly path: string | RegExp
  readonly answers: readonly Answering[]
  used: number
}

const matches = (path: string | RegExp, actual: string): boolean =>
  typeof path === 'string' ? path === actual : path.test(actual)

export interface SimulatedGatewayOptions {
  readonly transcript: Transcript
  readonly stepMs: number
}

/** Starts a gateway on a free port of the loopback address. Each connection has one request. */
export const startSimulatedGateway = async ({
  transcript,
  stepMs,
}: SimulatedGatewayOptions): Promise<SimulatedGateway> => {
  const rules: Rule[] = []
  const requests: WireRequest[] = []
  const sockets = new Set<Socket>()
  const changes = createChanges()

  const answer = async (incoming: IncomingMessage): Promise<void> => {
    const { socket } = incoming
    const body = await buffer(incoming)
    const request = recordRequest(incoming, body, () => !sockets.has(socket))
    requests.push(request)
    transcript.add('in', request.text)
    const rule = rules.find(({ method, path }) => method === request.method && matches(path, request.path))
    const answering = rule?.answers[Math.min(rule.used, rule.answers.length - 1)] ?? problem(404, 'NOT_FOUND')
    const earlier = rule?.used ?? 0
    if (rule) rule.used += 1
    const chosen = typeof answering === 'function' ? answering(request, earlier) : answering
    changes.notify()
    transcript.add('out', `${Buffer.concat(chosen.writes).toString('utf8')}\n(${chosen.ending})`)
    await write(socket, chosen)
  }
  const server = createServer({ requestTimeout: 0, headersTimeout: 0, keepAliveTimeout: 0, noDelay: true })
  server.on('connection', (socket) => {
    sockets.add(socket)
    socket.once('close', () => {
      sockets.delete(socket)
      changes.notify()
    })
    // A client may disconnect at any moment.
    socket.on('error', () => {})
  })
  server.on('clientError', (_error, socket) => socket.destroy())
  server.on('request', (incoming) => {
    answer(incoming).catch(() => incoming.socket.destroy())
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(0, '127.0.0.1', resolve)
  })
  const { port } = server.address() as AddressInfo

  return {
    origin: `http://127.0.0.1:${port}`,
    port,
    requests,
    to: (method, path) => requests.filter((each) => each.method === method && matches(path, each.path)),
    on: (method, path, ...answers) => {
      rules.unshift({ method, path, answers, used: 0 })
    },
    until: (what, find) => changes.until(find, stepMs, () => `${what}; received ${describeAll(requests)}`),
    close: async () => {
      changes.fail(new Error('the check is over'))
      const isClosed = new Promise<void>((resolve) => server.close(() => resolve()))
      for (const socket of sockets) socket.destroy()
      await isClosed
    },
  }
}

const WRITE_GAP_MS = 4

/** Pauses between writes, so that the client reads them separately. */
const write = async (socket: Socket, { writes, ending, gapMs = WRITE_GAP_MS }: Answer): Promise<void> => {
  for (const [index, bytes] of writes.entries()) {
    if (index > 0) await new Promise((resolve) => setTimeout(resolve, gapMs))
    if (socket.destroyed) return
    await new Promise((resolve) => socket.write(bytes, resolve))
  }
  if (ending === 'close') socket.end()
  if (ending === 'reset') socket.resetAndDestroy()
}

const MAX_DESCRIBED = 12

const describeAll = (requests: readonly WireRequest[]): string => {
  if (requests.length === 0) return 'no request'
  const lines = requests.slice(-MAX_DESCRIBED).map(({ method, target }) => `${method} ${target}`)
  return `${requests.length} requests, most recently ${lines.join(', ')}`
}
