import { readFileSync } from 'node:fs'
import { createServer as createHttpsServer } from 'node:https'
import type { Socket } from 'node:net'
import { afterEach, describe, expect, it, vi } from 'vitest'
import type { GuardedConnectOptions } from '../../src/delivery/guarded-connect.ts'
import { closeAll, lab, listen, listenTcp, NO_RESOLVER, watchConnections, withZone } from './network-lab.ts'

/** Name servers and receivers on loopback that misbehave. The tests move the time. */

const TLS = new URL('../support/tls/', import.meta.url)
const [cert, key] = [readFileSync(new URL('cert.pem', TLS), 'utf8'), readFileSync(new URL('key.pem', TLS), 'utf8')]

afterEach(closeAll)

describe('a host name that resolves to', () => {
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
    '%s is blocked, and no connection is opened: %s %s [CB-13, CB-56, CB-58, CB-59, CB-60]',
    async (_, type, ...addresses) => {
      const { post } = await withZone((_name, asked) => (asked === type ? addresses : asked === 'A' ? ['1.1.1.1'] : []))
      const connections = watchConnections()
      const result = await post('https://receiver.test/')
      expect(result).toMatchObject({ kind: 'blocked', message: expect.stringContaining(addresses.at(-1) ?? '') })
      expect(connections()).toEqual([])
    },
  )

  it('no address is a temporary failure', async () => {
    const { post } = await withZone(() => [])
    expect(await post('https://receiver.test/')).toEqual({
      kind: 'failed',
      message: 'The host of the URL has no address.',
    })
  })

  it('a different address each time is resolved once, and the connection goes to the checked address [CB-57]', async () => {
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
  'a URL without a public HTTPS host is blocked before its host is resolved: %s [CB-12]',
  async (url) => {
    const connections = watchConnections()
    expect((await lab(NO_RESOLVER).post(url)).kind).toBe('blocked')
    expect(connections()).toEqual([])
  },
)

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

  it('uses the host name in SNI and Host while the connection goes to the checked address [CB-57]', async () => {
    const { seen, port } = await listenTls()
    expect(await lab(trusting(cert)).post(`https://localhost:${port}/`)).toMatchObject({
      kind: 'answered',
      status: 204,
    })
    expect(seen).toEqual(['localhost', `localhost:${port}`])
  })

  it('sends no request to a receiver with a certificate for another name', async () => {
    const { seen, port } = await listenTls()
    const result = await lab(trusting(cert)).post(`https://receiver.test:${port}/`)
    expect(result).toEqual({ kind: 'failed', message: "The receiver's certificate is for another name." })
    expect(seen).toEqual([])
  })

  it('sends no request to a receiver with an untrusted certificate, even with NODE_TLS_REJECT_UNAUTHORIZED=0', async () => {
    vi.stubEnv('NODE_TLS_REJECT_UNAUTHORIZED', '0')
    const { seen, port } = await listenTls()
    const result = await lab(trusting(undefined)).post(`https://localhost:${port}/`)
    expect(result).toMatchObject({ kind: 'failed', message: expect.stringContaining('cannot be trusted') })
    expect(seen).toEqual([])
    vi.unstubAllEnvs()
  })

  it('fails if the receiver does not support TLS', async () => {
    const port = await listenTcp((socket) => void socket.end('HTTP/1.1 200 OK\r\n\r\n'))
    expect((await lab(trusting(cert)).post(`https://localhost:${port}/`)).kind).toBe('failed')
  })

  it('fails after 10 seconds if the receiver does not complete the handshake [CB-52]', async () => {
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
