import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { Agent, ProxyAgent, fetch as undiciFetch } from 'undici'
import { describe, expect, it } from 'vitest'
import { findNoConnection } from './not-sent.ts'

const fault = (message: string, about: object): TypeError =>
  new TypeError('fetch failed', { cause: Object.assign(new Error(message), about) })

describe('nothing was sent', () => {
  it.each([
    ['a closed port', { code: 'ECONNREFUSED', syscall: 'connect' }, true],
    ['a host without a route', { code: 'EHOSTUNREACH', syscall: 'connect' }, true],
    ['an unknown name', { code: 'ENOTFOUND', syscall: 'getaddrinfo' }, true],
    ['a name server that does not answer', { code: 'EAI_AGAIN', syscall: 'getaddrinfo' }, true],
    ['a name without an address', { code: 'EAI_NODATA', syscall: 'getaddrinfo' }, true],
    ['a socket that Bun cannot open', { code: 'FailedToOpenSocket' }, true],
    ['an address that never answers', { code: 'UND_ERR_CONNECT_TIMEOUT' }, true],
    ['a self-signed certificate', { code: 'DEPTH_ZERO_SELF_SIGNED_CERT' }, false],
    ['a certificate of an unknown authority', { code: 'UNABLE_TO_VERIFY_LEAF_SIGNATURE' }, false],
    ['a certificate that has expired', { code: 'CERT_HAS_EXPIRED' }, false],
    ['a certificate for another name', { code: 'ERR_TLS_CERT_ALTNAME_INVALID' }, false],
    ['an authority that may not sign', { code: 'INVALID_CA' }, false],
    ['a certificate that was revoked', { code: 'CERT_REVOKED' }, false],
    ['a version of TLS that is refused', { code: 'ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION' }, false],
    ['a plain HTTP server instead of TLS', { code: 'ERR_SSL_WRONG_VERSION_NUMBER' }, false],
  ])('because of %s', (name, about, isTransient) => {
    expect(findNoConnection(fault(name, about))).toEqual({ reason: expect.stringMatching(`^${name}`), isTransient })
  })

  it('because all addresses of the host refuse', () => {
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
    ['a route that was lost after the connection', { code: 'EHOSTUNREACH', syscall: 'read' }],
    ['a socket that the other side closed', { code: 'UND_ERR_SOCKET' }],
    ['a failed handshake, which may be a later one', { code: 'ERR_SSL_SSLV3_ALERT_HANDSHAKE_FAILURE' }],
    ['a destroyed dispatcher, which may have sent the request before', { code: 'UND_ERR_DESTROYED' }],
    ['a body whose length differs from the announced one', { code: 'UND_ERR_REQ_CONTENT_LENGTH_MISMATCH' }],
    ['a missing client certificate', { code: 'ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED' }],
    ['an unknown cause', {}],
  ])('is not proven by %s', (name, about) => {
    expect(findNoConnection(fault(name, about))).toBeNull()
  })

  it.each([null, undefined, 'refused', { code: 'ECONNREFUSED' }])(
    'is not proven by %o, which is not an error',
    (value) => {
      expect(findNoConnection(value)).toBeNull()
    },
  )

  it('is detected for a port without a listener, and not for one that closes the connection', async () => {
    const server = createServer((socket) => socket.destroy())
    await once(server.listen(0, '127.0.0.1'), 'listening')
    const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    const closed = await fetch(origin).catch((error: unknown) => error)
    expect(findNoConnection(closed)).toBeNull()
    await once(server.close(), 'close')
    const refused = await fetch(origin).catch((error: unknown) => error)
    expect(findNoConnection(refused)).toMatchObject({ isTransient: true })
  })

  const INIT = { method: 'POST', body: 'x' }
  /** An option of Node's `fetch` that the web types lack. */
  const withDispatcher = (dispatcher: unknown): RequestInit => ({ ...INIT, ...{ dispatcher } })
  const HERE = 'http://127.0.0.1:1025'
  it.each<[string, () => Promise<unknown>, RegExp]>([
    [
      'a dispatcher of another undici',
      () => fetch(HERE, withDispatcher(new Agent())),
      /the dispatcher does not belong to this fetch: take both from the same undici/,
    ],
    ['an invalid dispatcher', () => fetch(HERE, withDispatcher({})), /the dispatcher does not belong/],
    [
      'a header that undici refuses',
      () => fetch(HERE, { ...INIT, headers: { expect: '100-continue' } }),
      /expect header not supported; check the options and headers/,
    ],
    ['an invalid address', () => fetch('/api/v1', INIT), /Failed to parse URL from \/api\/v1; check baseUrl/],
    ['an address with a password', () => fetch('http://a:b@127.0.0.1/', INIT), /; check baseUrl/],
    ['an unknown scheme', () => fetch('gateway://127.0.0.1/', INIT), /unknown scheme; check baseUrl/],
    ['a port that fetch blocks', () => fetch('http://127.0.0.1:6000/', INIT), /bad port; check baseUrl/],
    ['an invalid method', () => fetch(HERE, { ...INIT, method: 'P OST' }), /; check baseUrl/],
    ['a body that the method forbids', () => fetch(HERE, { ...INIT, method: 'GET' }), /; check baseUrl/],
  ])('is detected from the error of this host for %s, and the reason names a fix', async (_name, send, reason) => {
    const error = await send().catch((cause: unknown) => cause)
    expect(findNoConnection(error)).toEqual({ reason: expect.stringMatching(reason), isTransient: false })
  })

  it('is detected if a proxy refuses to connect, and if the TLS handshake fails', async () => {
    let answer = 'HTTP/1.1 407 Proxy Authentication Required\r\nContent-Length: 0\r\n\r\n'
    const server = createServer((socket) => socket.on('error', () => {}).once('data', () => socket.end(answer)))
    await once(server.listen(0, '127.0.0.1'), 'listening')
    const at = `127.0.0.1:${(server.address() as AddressInfo).port}`
    const dispatcher = new ProxyAgent(`http://${at}`)
    const refused = await undiciFetch('https://gateway.invalid', { dispatcher }).catch((error: unknown) => error)
    expect(findNoConnection(refused)).toEqual({ reason: expect.stringContaining('give the proxy'), isTransient: false })
    answer = ''
    const ended = await fetch(`https://${at}`).catch((error: unknown) => error)
    expect(findNoConnection(ended)).toMatchObject({ isTransient: true })
    await dispatcher.close()
    server.close()
  })
})
