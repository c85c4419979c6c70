import { once } from 'node:events'
import type { AddressInfo, Server, Socket } from 'node:net'
import { createServer, Socket as NetSocket } from 'node:net'
import type { AttemptResult } from '@conversation-gateway/openapi/behaviour/delivery-outcome'
import { vi } from 'vitest'
import type { GuardedConnectOptions } from '../../src/delivery/guarded-connect.ts'
import { createGuardedConnect } from '../../src/delivery/guarded-connect.ts'
import { createPostEvent } from '../../src/delivery/post-event.ts'
import { createResolveHost } from '../../src/delivery/resolve-host.ts'
import { DEFAULT_DELIVERY_SETTINGS } from '../../src/delivery/settings.ts'
import type { Zone } from '../support/dns-stub.ts'
import { startDnsStub } from '../support/dns-stub.ts'
import { createManualTimers } from '../support/manual-timers.ts'

/** Functions that close what the test has opened, in the order in which they are called. */
export const closers: (() => unknown)[] = []
/** Restores the mocks, and closes what the test has opened. */
export const closeAll = async (): Promise<void> => {
  vi.restoreAllMocks()
  for (const close of closers.splice(0)) await close()
}

export const listen = async (server: Server, host = '127.0.0.1', port = 0): Promise<number> => {
  const sockets = new Set<Socket>()
  server.on('connection', (socket) => {
    sockets.add(socket)
    socket.on('error', () => {})
  })
  server.listen(port, host)
  await once(server, 'listening')
  closers.push(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  return (server.address() as AddressInfo).port
}

/** Starts a TCP server; returns its port. */
export const listenTcp = (onConnection: (socket: Socket) => void, host?: string, port?: number): Promise<number> =>
  listen(createServer(onConnection), host, port)

/** Records the host of each connection that the process opens; the returned function returns these hosts. */
export const watchConnections = (): (() => string[]) => {
  const spy = vi.spyOn(NetSocket.prototype, 'connect')
  return () => {
    const given: readonly unknown[] = spy.mock.calls.flat(2)
    return given.flatMap((it) => (typeof it === 'object' && it !== null && 'host' in it ? [String(it.host)] : []))
  }
}

export const lab = (network: GuardedConnectOptions) => {
  const timers = createManualTimers()
  const postEvent = createPostEvent({
    connect: createGuardedConnect(network),
    timers,
    settings: DEFAULT_DELIVERY_SETTINGS,
  })
  const post = (
    url: string,
    { isExempt = false, signal = new AbortController().signal } = {},
  ): Promise<AttemptResult> =>
    postEvent(
      { url: new URL(url), isExempt, headers: { 'content-type': 'application/json' }, body: Buffer.from('{}') },
      signal,
    )
  return { timers, post, postTo: (port: number) => post(`http://127.0.0.1:${port}/`, { isExempt: true }) }
}

export const NO_RESOLVER: GuardedConnectOptions = {
  resolve: async () => {
    throw new Error('no host must be resolved')
  },
}

export const withZone = async (zone: Zone, more: Omit<GuardedConnectOptions, 'resolve'> = {}) => {
  const dns = await startDnsStub(zone)
  closers.push(dns.close)
  return { dns, ...lab({ resolve: createResolveHost([dns.server]), ...more }) }
}
