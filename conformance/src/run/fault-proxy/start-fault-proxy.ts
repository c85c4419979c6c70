import type { IncomingMessage } from 'node:http'
import { createServer } from 'node:http'
import type { Socket } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { headerLines } from '../../kit/header-lines.ts'
import type { Exchange, ExchangeLogOptions } from './exchange.ts'
import { createExchangeLog } from './exchange.ts'
import type { FaultRule } from './fault.ts'
import { createFaultQueue } from './fault-queue.ts'
import { forwardExchange } from './forward-exchange.ts'

export interface FaultProxyOptions extends ExchangeLogOptions {
  /** Target origin of requests, `http:` only; null simulates a port without a listener. Default null. */
  readonly target?: string | null
}

/** A proxy between a client and a gateway that injects faults into their exchanges. */
export interface FaultProxy {
  /** The origin for clients: `http://127.0.0.1:<port>`. */
  readonly origin: string
  /**
   * The target of further requests. Null simulates a port without a listener: every connection is reset before anything
   * is forwarded.
   */
  target: string | null
  /**
   * Adds a rule. The oldest matching rule applies to a request. A request without a rule passes.
   * @throws {RangeError} A position or size is invalid.
   */
  inject(rule: FaultRule): void
  /** Number of requests to which rules still apply; 0 once every fault was used. */
  waitingFaults(): number
  clearFaults(): void
  /** The recorded exchanges, oldest first. */
  exchanges(): readonly Exchange[]
  clearExchanges(): void
  /**
   * Resolves with the first exchange that satisfies `predicate`, immediately or after a later change. Rejects when the
   * proxy is closed.
   */
  untilExchange(predicate: (exchange: Exchange) => boolean): Promise<Exchange>
  /** Resets every connection to clients and to the target, as a restarted middlebox does. */
  resetConnections(): void
  /** Closes all sockets. */
  close(): Promise<void>
}

/**
 * Starts a proxy on loopback and a free port. It speaks HTTP/1.1 to both sides, with one exchange for each connection.
 * It reads a request completely before it forwards it.
 */
export const startFaultProxy = async (options: FaultProxyOptions = {}): Promise<FaultProxy> => {
  const queue = createFaultQueue()
  const log = createExchangeLog(options)
  const clients = new Set<Socket>()
  const server = createServer({ requestTimeout: 0, headersTimeout: 0, keepAliveTimeout: 0, noDelay: true })
  server.on('connection', (socket) => {
    clients.add(socket)
    socket.once('close', () => clients.delete(socket))
    // A client may disconnect at any moment. The exchange handles the `close` event that follows.
    socket.on('error', () => {})
  })
  server.on('clientError', (_error, socket) => socket.destroy())
  server.on('request', (request) => {
    const { socket: client } = request
    forward(request, client).catch(() => client.destroy())
  })
  const forward = async (request: IncomingMessage, client: Socket): Promise<void> => {
    const { method = 'GET', url: path = '/', headers } = request
    const body = await buffer(request)
    const faults = queue.take(method, path)
    const recorder = log.begin({ method, path, headers, body, faults })
    const complete = { method, path, headers: headerLines(request.rawHeaders), body }
    await forwardExchange({ request: complete, target: proxy.target, faults, client, recorder })
  }
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(0, '127.0.0.1', resolve)
  })
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('a TCP server has a port')

  const resetConnections = (): void => {
    for (const client of clients) client.resetAndDestroy()
  }
  const proxy: FaultProxy = {
    origin: `http://127.0.0.1:${address.port}`,
    target: options.target ?? null,
    inject: queue.add,
    waitingFaults: queue.waiting,
    clearFaults: queue.clear,
    exchanges: log.list,
    clearExchanges: log.clear,
    untilExchange: log.until,
    resetConnections,
    close: async () => {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()))
      resetConnections()
      log.close()
      await closed
    },
  }
  return proxy
}
