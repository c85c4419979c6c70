import type { IncomingMessage } from 'node:http'
import { createServer } from 'node:http'
import type { Socket } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { pairs } from './ask-target.ts'
import { carryExchange } from './carry-exchange.ts'
import type { Exchange, ExchangeLogOptions } from './exchange.ts'
import { createExchangeLog } from './exchange.ts'
import type { FaultRule } from './fault.ts'
import { createFaultQueue } from './fault-queue.ts'

export interface FaultProxyOptions extends ExchangeLogOptions {
  /** Origin that requests go to, `http:` only; null simulates a port without a listener. Default null. */
  readonly target?: string | null
}

/** A proxy between a client and a gateway that injects faults into their exchanges. */
export interface FaultProxy {
  /** Where clients connect to: `http://127.0.0.1:<port>`. */
  readonly origin: string
  /** The target of the next requests. Null simulates a port without a listener: every connection is reset before anything is sent on. */
  target: string | null
  /**
   * Adds a rule. A request takes the oldest rule that matches it; one without a rule passes.
   * @throws {RangeError} a position or size that cannot be.
   */
  inject(rule: FaultRule): void
  /** How many requests the rules still wait for; 0 once every fault was used. */
  waitingFaults(): number
  clearFaults(): void
  /** The recorded exchanges, oldest first. */
  exchanges(): readonly Exchange[]
  clearExchanges(): void
  /** The first exchange for which `predicate` holds, now or when something has changed. Rejects when the proxy is closed. */
  untilExchange(predicate: (exchange: Exchange) => boolean): Promise<Exchange>
  /** Resets every connection to clients and to the target, as a middlebox does that is restarted. */
  resetConnections(): void
  /** Closes all sockets. */
  close(): Promise<void>
}

/**
 * Starts a proxy on loopback and a free port. It speaks HTTP/1.1 to both sides, one exchange a connection, and reads a
 * request completely before it goes on.
 */
export const startFaultProxy = async (options: FaultProxyOptions = {}): Promise<FaultProxy> => {
  const queue = createFaultQueue()
  const log = createExchangeLog(options)
  const clients = new Set<Socket>()
  const server = createServer({ requestTimeout: 0, headersTimeout: 0, keepAliveTimeout: 0, noDelay: true })
  server.on('connection', (socket) => {
    clients.add(socket)
    socket.once('close', () => clients.delete(socket))
    // A client may leave at any moment; the exchange notices by the close that follows.
    socket.on('error', () => {})
  })
  server.on('clientError', (_error, socket) => socket.destroy())
  server.on('request', (request) => {
    const { socket: client } = request
    carry(request, client).catch(() => client.destroy())
  })
  const carry = async (request: IncomingMessage, client: Socket): Promise<void> => {
    const { method = 'GET', url: path = '/', headers } = request
    const body = await buffer(request)
    const faults = queue.take(method, path)
    const recorder = log.begin({ method, path, headers, body, faults })
    const complete = { method, path, headers: pairs(request.rawHeaders), body }
    await carryExchange({ request: complete, target: proxy.target, faults, client, recorder })
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
