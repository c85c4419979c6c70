import { afterEach, describe, expect, it, vi } from 'vitest'
import { KEY, ORIGIN } from '../../test/support/settings.ts'
import { type ClientOptions, parseOrigin, positive, resolveOptions } from './options.ts'

afterEach(() => vi.unstubAllEnvs())

describe('baseUrl', () => {
  it.each([
    ['https://gateway.example.com', 'https://gateway.example.com'],
    ['https://gateway.example.com/', 'https://gateway.example.com'],
    ['HTTPS://Gateway.Example.Com:8443', 'https://gateway.example.com:8443'],
    ['http://localhost:8080', 'http://localhost:8080'],
    ['http://gateway.localhost:8080', 'http://gateway.localhost:8080'],
    ['http://127.0.0.1:8080/', 'http://127.0.0.1:8080'],
    ['http://127.8.9.10', 'http://127.8.9.10'],
    ['http://[::1]:8080', 'http://[::1]:8080'],
  ])('%s is the origin %s [GEN-03]', (baseUrl, origin) => {
    expect(parseOrigin(baseUrl)).toBe(origin)
  })

  it.each([
    'https://gateway.example.com/api/v1',
    'https://gateway.example.com/api',
    'https://gateway.example.com?tenant=1',
    'https://gateway.example.com/#top',
  ])('%s is refused with the reason, because it is more than an origin [GEN-03]', (baseUrl) => {
    expect(() => parseOrigin(baseUrl)).toThrow(
      'baseUrl must be an origin without a path: use https://gateway.example.com. The client adds /api/v1 itself.',
    )
  })

  it.each([
    'http://gateway.example.com',
    'http://10.0.0.1',
    'http://localhost.example.com',
    'http://127.0.0.1.example.com',
    'http://notlocalhost',
    'http://0.0.0.0:8080',
  ])('%s is refused, because the key would be readable in transit [AUTH-06]', (baseUrl) => {
    expect(() => parseOrigin(baseUrl)).toThrow(/must use https: over http the key is readable/)
  })

  it.each([
    'gateway.example.com',
    '/gateway',
    'ftp://gateway.example.com',
    'localhost:8080',
    'https://',
    'javascript:alert(1)',
  ])('%s is refused, because it is not an address', (baseUrl) => {
    expect(() => parseOrigin(baseUrl)).toThrow('must be an origin such as')
  })

  it('with a password is refused, and the password not repeated', () => {
    expect(() => parseOrigin('https://user:hunter2@gateway.example.com')).toThrow(
      /^baseUrl must not contain a user or password/,
    )
    expect(() => parseOrigin('https://user:hunter2@gateway.example.com')).not.toThrow('hunter2')
  })

  it.each([undefined, ''])('%j is missing', (baseUrl) => {
    expect(() => parseOrigin(baseUrl)).toThrow('baseUrl is missing: pass it or set GATEWAY_BASE_URL.')
  })
})

describe('options', () => {
  it('default to the environment, and override it', () => {
    vi.stubEnv('GATEWAY_BASE_URL', 'https://from.env.example.com')
    vi.stubEnv('GATEWAY_API_KEY', 'gk_env')
    expect(resolveOptions({})).toMatchObject({ origin: 'https://from.env.example.com', apiKey: 'gk_env' })
    expect(resolveOptions({ baseUrl: ORIGIN, apiKey: KEY })).toMatchObject({ origin: ORIGIN, apiKey: KEY })
  })

  it('without a key say how to pass one', () => {
    vi.stubEnv('GATEWAY_API_KEY', '')
    expect(() => resolveOptions({ baseUrl: ORIGIN })).toThrow('apiKey is missing: pass it or set GATEWAY_API_KEY.')
  })

  it.each([`${KEY}\n`, ` ${KEY}`, `${KEY} x`, `${KEY}ä`])('with a damaged key do not repeat it', (apiKey) => {
    expect(() => resolveOptions({ baseUrl: ORIGIN, apiKey })).toThrow(/has invalid characters/)
    expect(() => resolveOptions({ baseUrl: ORIGIN, apiKey })).not.toThrow(KEY)
  })

  it.each([
    ['attemptTimeoutMs', { attemptTimeoutMs: 0 }],
    ['timeoutMs', { timeoutMs: -1 }],
    ['timeoutMs', { timeoutMs: Number.NaN }],
    ['streamPatienceMs', { streamPatienceMs: 0 }],
    ['backoff.baseMs', { backoff: { baseMs: 0 } }],
    ['backoff.maxMs', { backoff: { maxMs: -5 } }],
    ['maxAnswerBytes', { maxAnswerBytes: 0 }],
  ] satisfies [string, ClientOptions][])('name %s when it is not above zero', (name, options) => {
    expect(() => resolveOptions({ baseUrl: ORIGIN, apiKey: KEY, ...options })).toThrow(
      `${name} must be a number above 0`,
    )
  })

  it('accept a number, but not a numeric string', () => {
    const text: unknown = '1000'
    expect(() => positive('timeoutMs', text as number)).toThrow('timeoutMs must be a number above 0, not 1000.')
    expect(positive('timeoutMs', Number.POSITIVE_INFINITY)).toBe(Number.POSITIVE_INFINITY)
  })

  it('complete a partial backoff', () => {
    expect(resolveOptions({ baseUrl: ORIGIN, apiKey: KEY, backoff: { maxMs: 500 } }).backoff).toEqual({
      baseMs: 250,
      maxMs: 500,
    })
  })

  it('use the global fetch at the time of the call', async () => {
    const { fetch } = resolveOptions({ baseUrl: ORIGIN, apiKey: KEY })
    const { signal } = new AbortController()
    vi.stubGlobal('fetch', async () => new Response('replaced'))
    try {
      expect(await (await fetch(ORIGIN, { method: 'GET', headers: [], redirect: 'manual', signal })).text()).toBe(
        'replaced',
      )
    } finally {
      vi.unstubAllGlobals()
    }
  })
})
