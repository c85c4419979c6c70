import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import type { ServerResponse } from 'node:http'
import { createServer as createHttpsServer } from 'node:https'
import type { AddressInfo, Server, Socket } from 'node:net'
import { createServer, Socket as NetSocket } from 'node:net'
import type { AttemptResult } from '@conversation-gateway/openapi/behaviour/delivery-outcome'
import { afterEach, describe, expect, it, vi } from 'vitest'
import type { GuardedConnectOptions } from '../../src/delivery/guarded-connect.ts'
import { createGuardedConnect } from '../../src/delivery/guarded-connect.ts'
import { createPostEvent } from '../../src/delivery/post-event.ts'
import { createResolveHost } from '../../src/delivery/resolve-host.ts'
import { DEFAULT_DELIVERY_SETTINGS } from '../../src/delivery/settings.ts'
import type { Zone } from '../support/dns-stub.ts'
import { startDnsStub } from '../support/dns-stub.ts'
import { createManualTimers } from '../support/manual-timers.ts'
import { startReceiver, status } from '../support/receiver.ts'
import { untilHolds } from '../support/until-holds.ts'

/** What receivers and name servers may do to a gateway, on loopback. Time is moved by hand. */

const TLS = new URL('../support/tls/', import.meta.url)
const [cert, key] = [readFileSync(new URL('cert.pem', TLS), 'utf8'), readFileSync(new URL('key.pem', TLS), 'utf8')]

const opened: (() => unknown)[] = []
afterEach(async () => {
  vi.restoreAllMocks()
  for (const close of opened.splice(0)) await close()
})

const listen = async (server: Server, host = '127.0.0.1', port = 0): Promise<number> => {
  const sockets = new Set<Socket>()
  server.on('connection', (socket) => {
    sockets.add(socket)
    socket.on('error', () => {})
  })
  server.listen(port, host)
  await once(server, 'listening')
  opened.push(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  return (server.address() as AddressInfo).port
}

/** A TCP server that does to each connection what the test says. */
const listenTcp = (onConnection: (socket: Socket) => void, host?: string, port?: number): Promise<number> =>
  listen(createServer(onConnection), host, port)

/** Where the process tried to connect to, at the level of sockets. */
const watchConnections = (): (() => string[]) => {
  const spy = vi.spyOn(NetSocket.prototype, 'connect')
  return () => {
    const given: readonly unknown[] = spy.mock.calls.flat(2)
    return given.flatMap((it) => (typeof it === 'object' && it !== null && 'host' in it ? [String(it.host)] : []))
  }
}

const lab = (network: GuardedConnectOptions) => {
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

const NO_RESOLVER: GuardedConnectOptions = {
  resolve: async () => {
    throw new Error('nothing is to be resolved')
  },
}

const withZone = async (zone: Zone, more: Omit<GuardedConnectOptions, 'resolve'> = {}) => {
  const dns = await startDnsStub(zone)
  opened.push(dns.close)
  return { dns, ...lab({ resolve: createResolveHost([dns.server]), ...more }) }
}

describe('a name that leads to', () => {
  const blocked: readonly [string, 'A' | 'AAAA', ...string[]][] = [
    ['this machine', 'A', '127.0.0.1'],
    ['this machine by an unspecified address', 'A', '0.0.0.0'],
    ['a private network', 'A', '10.1.2.3'],
    ['a private network', 'A', '192.168.0.1'],
    ['cloud metadata', 'A', '169.254.169.254'],
    ['cloud metadata of Azure', 'A', '168.63.129.16'],
    ['a shared network', 'A', '100.100.100.200'],
    ['this machine by IPv6', 'AAAA', '::1'],
    ['a mapped address', 'AAAA', '::ffff:127.0.0.1'],
    ['a mapped metadata address', 'AAAA', '::ffff:169.254.169.254'],
    ['a NAT64 address', 'AAAA', '64:ff9b::7f00:1'],
    ['a 6to4 address', 'AAAA', '2002:7f00:1::1'],
    ['a unique local address', 'AAAA', 'fd00:ec2::254'],
    ['a link-local address', 'AAAA', 'fe80::1'],
    ['public addresses and a private one', 'A', '1.1.1.1', '8.8.8.8', '192.168.0.1'],
    ['public addresses and a link-local one', 'AAAA', '2606:4700::1', 'fe80::1'],
  ]
  it.each(blocked)(
    '%s is blocked, and nothing is connected to: %s %s [CB-13, CB-56, CB-58, CB-59, CB-60]',
    async (_, type, ...addresses) => {
      const { post } = await withZone((_name, asked) => (asked === type ? addresses : asked === 'A' ? ['1.1.1.1'] : []))
      const connections = watchConnections()
      const result = await post('https://receiver.test/')
      expect(result).toMatchObject({ kind: 'blocked', message: expect.stringContaining(addresses.at(-1) ?? '') })
      expect(connections()).toEqual([])
    },
  )

  it('nothing is a failure that may pass', async () => {
    const { post } = await withZone(() => [])
    expect(await post('https://receiver.test/')).toEqual({
      kind: 'failed',
      message: 'The host of the URL has no address.',
    })
  })

  it('another address at each look-up is looked up once, and the checked address is connected to [CB-57]', async () => {
    const visits: string[] = []
    const visited = (name: string) => (socket: Socket) => {
      visits.push(name)
      socket.destroy()
    }
    const port = await listenTcp(visited('trap'), '127.0.0.1')
    await listenTcp(visited('checked'), '127.0.0.2', port)
    const { post, dns } = await withZone(
      (_, type, nth) => (type === 'A' ? [nth === 0 ? '127.0.0.2' : '127.0.0.1'] : []),
      {
        findBlocked: (addresses) => addresses.find(({ address }) => address !== '127.0.0.2')?.address ?? null,
      },
    )
    expect((await post(`https://receiver.test:${port}/`)).kind).toBe('failed')
    expect([visits, dns.queries.filter((query) => query === 'receiver.test A')]).toEqual([
      ['checked'],
      ['receiver.test A'],
    ])
    expect((await post(`https://receiver.test:${port}/`)).kind).toBe('blocked')
    expect(visits).toEqual(['checked'])
  })
})

it.each(['http://receiver.test/', 'https://127.0.0.1/', 'https://[::1]/', 'https://0x7f.1/'])(
  'a URL that is none of a public HTTPS host is not even looked up: %s [CB-12]',
  async (url) => {
    const connections = watchConnections()
    expect((await lab(NO_RESOLVER).post(url)).kind).toBe('blocked')
    expect(connections()).toEqual([])
  },
)

describe('a redirect', () => {
  it.each([301, 302, 303, 307, 308])(
    '%i to a metadata address is an answer, and is not followed [CB-14]',
    async (code) => {
      const receiver = await startReceiver()
      opened.push(receiver.close)
      receiver.answer('/', status(code, { location: 'http://169.254.169.254/latest/meta-data/' }))
      const connections = watchConnections()
      const result = await lab(NO_RESOLVER).post(`${receiver.origin}/`, { isExempt: true })
      expect(result).toMatchObject({ kind: 'answered', status: code })
      expect(connections()).toEqual(['127.0.0.1'])
    },
  )
})

describe('TLS', () => {
  const trusting = (ca: string | undefined): GuardedConnectOptions => ({
    resolve: async () => [{ address: '127.0.0.1', family: 4 }],
    findBlocked: () => null,
    ...(ca === undefined ? {} : { ca }),
  })
  const listenTls = async () => {
    const seen: (string | undefined | false)[] = []
    const server = createHttpsServer({ cert, key }, (request, response) => {
      const { socket } = request
      seen.push(
        'servername' in socket && typeof socket.servername === 'string' ? socket.servername : undefined,
        request.headers.host,
      )
      response.writeHead(204).end()
    })
    server.on('tlsClientError', () => {})
    return { seen, port: await listen(server) }
  }

  it('has the name in SNI and Host while the connection goes to the checked address [CB-57]', async () => {
    const { seen, port } = await listenTls()
    expect(await lab(trusting(cert)).post(`https://localhost:${port}/`)).toMatchObject({
      kind: 'answered',
      status: 204,
    })
    expect(seen).toEqual(['localhost', `localhost:${port}`])
  })

  it('with a certificate for another name gets no request', async () => {
    const { seen, port } = await listenTls()
    const result = await lab(trusting(cert)).post(`https://receiver.test:${port}/`)
    expect(result).toEqual({ kind: 'failed', message: "The receiver's certificate is for another name." })
    expect(seen).toEqual([])
  })

  it('with a certificate that nobody trusts gets no request, whatever the environment says', async () => {
    vi.stubEnv('NODE_TLS_REJECT_UNAUTHORIZED', '0')
    const { seen, port } = await listenTls()
    const result = await lab(trusting(undefined)).post(`https://localhost:${port}/`)
    expect(result).toMatchObject({ kind: 'failed', message: expect.stringContaining('cannot be trusted') })
    expect(seen).toEqual([])
    vi.unstubAllEnvs()
  })

  it('spoken to a receiver without it fails', async () => {
    const port = await listenTcp((socket) => void socket.end('HTTP/1.1 200 OK\r\n\r\n'))
    expect((await lab(trusting(cert)).post(`https://localhost:${port}/`)).kind).toBe('failed')
  })

  it('that never begins is given up after 10 seconds [CB-52]', async () => {
    const accepted = Promise.withResolvers<void>()
    const port = await listenTcp(() => accepted.resolve())
    const { post, timers } = lab(trusting(cert))
    const result = post(`https://localhost:${port}/`)
    await accepted.promise
    timers.advance(10_000)
    expect(await result).toEqual({
      kind: 'failed',
      message: 'There was no connection to the receiver within 10 seconds.',
    })
  })
})

describe('a receiver that', () => {
  it('has no listener is a failure', async () => {
    const port = await listenTcp(() => {})
    await opened.pop()?.()
    expect(await lab(NO_RESOLVER).postTo(port)).toEqual({
      kind: 'failed',
      message: 'The receiver refused the connection.',
    })
  })

  it.each([
    ['at once', (socket: Socket) => void socket.resetAndDestroy()],
    ['after the request', (socket: Socket) => void socket.once('data', () => socket.resetAndDestroy())],
    ['within the head of its answer', (socket: Socket) => void socket.end('HTTP/1.1 200')],
  ])('breaks the connection off %s is a failure', async (_, onConnection) => {
    const port = await listenTcp(onConnection)
    expect(await lab(NO_RESOLVER).postTo(port)).toMatchObject({
      kind: 'failed',
      message: expect.stringMatching(/closed before|not HTTP/),
    })
  })

  it('does not answer is given up 10 seconds after the connection [CB-52]', async () => {
    const asked = Promise.withResolvers<void>()
    const closed = Promise.withResolvers<void>()
    const port = await listenTcp(
      (socket) => void socket.once('data', () => asked.resolve()).once('close', () => closed.resolve()),
    )
    const { postTo, timers } = lab(NO_RESOLVER)
    const result = postTo(port)
    await asked.promise
    timers.advance(10_000)
    expect(await result).toEqual({ kind: 'failed', message: 'The receiver did not answer within 10 seconds.' })
    await closed.promise
    expect(timers.pending).toBe(0)
  })

  it('sends a body without end is read to 64 KiB, and its 200 counts [CB-53]', async () => {
    let sent = 0
    const closed = Promise.withResolvers<void>()
    const receiver = await startReceiver()
    opened.push(receiver.close)
    receiver.answer('/', (response: ServerResponse) => {
      response.writeHead(200).once('close', () => closed.resolve())
      const chunk = 'x'.repeat(16 * 1024)
      const more = (): void => {
        if (response.destroyed) return
        sent += chunk.length
        response.write(chunk, more)
      }
      more()
    })
    const result = await lab(NO_RESOLVER).post(`${receiver.origin}/`, { isExempt: true })
    expect(result).toEqual({ kind: 'answered', status: 200, retryAfter: null, excerpt: 'x'.repeat(1024) })
    await closed.promise
    // What the two sockets hold comes on top of what was read.
    expect(sent).toBeLessThan(16 * 1024 * 1024)
  })

  it('lets its body drip is cut off after 10 seconds, and its 200 counts [CB-52, CB-53]', async () => {
    const port = await listenTcp(
      (socket) => void socket.once('data', () => socket.write('HTTP/1.1 200 OK\r\ncontent-length: 1000\r\n\r\nd')),
    )
    const { postTo, timers } = lab(NO_RESOLVER)
    const result = postTo(port)
    let settled = false
    void result.then(() => {
      settled = true
    })
    await untilHolds(() => {
      timers.advance(1000)
      expect(settled).toBe(true)
    })
    expect(timers.now).toBeGreaterThanOrEqual(10_000)
    expect(await result).toMatchObject({ kind: 'answered', status: 200, excerpt: expect.stringMatching(/^d?$/) })
  })

  it('breaks off within the body has answered all the same [CB-23]', async () => {
    const port = await listenTcp(
      (socket) => void socket.once('data', () => socket.end('HTTP/1.1 200 OK\r\ncontent-length: 1000\r\n\r\nhalf')),
    )
    expect(await lab(NO_RESOLVER).postTo(port)).toEqual({
      kind: 'answered',
      status: 200,
      retryAfter: null,
      excerpt: 'half',
    })
  })

  it.each([
    ['no HTTP', 'SSH-2.0-OpenSSH_9.2\r\n'],
    ['a head without end', `HTTP/1.1 200 OK\r\n${'x-filler: aaaaaaaaaaaaaaaa\r\n'.repeat(5000)}`],
    ['two lengths', 'HTTP/1.1 200 OK\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\nab'],
    ['another protocol', 'HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: x\r\n\r\n'],
  ])('answers with %s is a failure', async (_, answer) => {
    const port = await listenTcp((socket) => void socket.once('data', () => socket.write(answer)))
    expect((await lab(NO_RESOLVER).postTo(port)).kind).toBe('failed')
  })

  it('answers with bytes that are no text gets an excerpt that any database takes', async () => {
    const body = Buffer.concat([Buffer.from('a\0b'), Buffer.alloc(5000, 0xff)])
    const port = await listenTcp(
      (socket) =>
        void socket.once('data', () =>
          socket.end(Buffer.concat([Buffer.from(`HTTP/1.1 500 X\r\ncontent-length: ${body.length}\r\n\r\n`), body])),
        ),
    )
    const result = await lab(NO_RESOLVER).postTo(port)
    const excerpt = result.kind === 'answered' ? result.excerpt : ''
    expect(excerpt).toMatch(/^ab\ufffd+$/)
    expect(Buffer.byteLength(excerpt)).toBeLessThanOrEqual(1024)
  })

  it('is a name server that stays silent is given up after 10 seconds [CB-52]', async () => {
    const { post, timers } = lab({ resolve: () => new Promise(() => {}) })
    const result = post('https://receiver.test/')
    timers.advance(10_000)
    expect(await result).toMatchObject({
      kind: 'failed',
      message: 'There was no connection to the receiver within 10 seconds.',
    })
  })
})

it('an attempt that the gateway ends says so and closes its connection', async () => {
  const [asked, closed] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const port = await listenTcp(
    (socket) => void socket.once('data', () => asked.resolve()).once('close', () => closed.resolve()),
  )
  const stopping = new AbortController()
  const result = lab(NO_RESOLVER).post(`http://127.0.0.1:${port}/`, { isExempt: true, signal: stopping.signal })
  await asked.promise
  stopping.abort()
  expect(await result).toEqual({ kind: 'failed', message: 'The gateway was stopped during the attempt.' })
  await closed.promise
})
