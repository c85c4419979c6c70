import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { describe, expect, it } from 'vitest'
import { findNoConnection } from './not-sent.ts'

const fault = (message: string, about: object): TypeError =>
  new TypeError('fetch failed', { cause: Object.assign(new Error(message), about) })

describe('nothing was sent', () => {
  it.each([
    ['a closed port', { code: 'ECONNREFUSED', syscall: 'connect' }, true],
    ['a host without a route', { code: 'EHOSTUNREACH', syscall: 'connect' }, true],
    ['an unknown name', { code: 'ENOTFOUND', syscall: 'getaddrinfo' }, true],
    ['a name server that is away', { code: 'EAI_AGAIN', syscall: 'getaddrinfo' }, true],
    ['an address that never answers', { code: 'UND_ERR_CONNECT_TIMEOUT' }, true],
    ['a self-signed certificate', { code: 'DEPTH_ZERO_SELF_SIGNED_CERT' }, false],
    ['a certificate of an unknown authority', { code: 'UNABLE_TO_VERIFY_LEAF_SIGNATURE' }, false],
    ['a certificate that has expired', { code: 'CERT_HAS_EXPIRED' }, false],
    ['a certificate of another name', { code: 'ERR_TLS_CERT_ALTNAME_INVALID' }, false],
    ['plain HTTP where TLS was meant', { code: 'ERR_SSL_WRONG_VERSION_NUMBER' }, false],
  ])('to %s', (name, about, isPassing) => {
    expect(findNoConnection(fault(name, about))).toEqual({ reason: name, isPassing })
  })

  it('to a host whose addresses all refuse', () => {
    const refusals = ['::1', '127.0.0.1'].map((address) =>
      Object.assign(new Error(`connect ECONNREFUSED ${address}`), { code: 'ECONNREFUSED', syscall: 'connect' }),
    )
    const all = new TypeError('fetch failed', { cause: new AggregateError(refusals) })
    expect(findNoConnection(all)?.reason).toBe('connect ECONNREFUSED ::1')
    const some = new TypeError('fetch failed', { cause: new AggregateError([...refusals, new Error('reset')]) })
    expect(findNoConnection(some)).toBeNull()
  })

  it.each([
    ['a connection that was reset', { code: 'ECONNRESET', syscall: 'read' }],
    ['a route that was lost meanwhile', { code: 'EHOSTUNREACH', syscall: 'read' }],
    ['a socket that the other side closed', { code: 'UND_ERR_SOCKET' }],
    ['a certificate that the server asks for', { code: 'ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED' }],
    ['nothing that is known', {}],
  ])('is not proven by %s', (name, about) => {
    expect(findNoConnection(fault(name, about))).toBeNull()
  })

  it.each([null, undefined, 'refused', { code: 'ECONNREFUSED' }])('is not proven by %o, which is no error', (value) => {
    expect(findNoConnection(value)).toBeNull()
  })

  it('is seen in what this host says of a port that nobody listens on, and not of one that closes', async () => {
    const server = createServer((socket) => socket.destroy())
    await once(server.listen(0, '127.0.0.1'), 'listening')
    const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    const closed = await fetch(origin).catch((error: unknown) => error)
    expect(findNoConnection(closed)).toBeNull()
    await once(server.close(), 'close')
    const refused = await fetch(origin).catch((error: unknown) => error)
    expect(findNoConnection(refused)).toMatchObject({ isPassing: true })
  })
})
