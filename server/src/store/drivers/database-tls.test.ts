import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import type { DatabaseTls } from './database-tls.ts'
import { tlsAttempts, withTls } from './database-tls.ts'

const CA = fileURLToPath(new URL('../../../test/support/tls/cert.pem', import.meta.url))
const tls = (mode: DatabaseTls['mode'], rootCert: string | null = null): DatabaseTls => ({
  mode,
  rootCert,
  cert: null,
  key: null,
})
/** A certificate for a different host. */
const OTHER = { subject: { CN: 'elsewhere' }, subjectaltname: 'DNS:elsewhere' }

const described = (settings: DatabaseTls, host = 'db.example.com') =>
  tlsAttempts(settings, host).map((options) =>
    options === false
      ? 'plain'
      : [
          options.rejectUnauthorized ? 'trusted' : 'encrypted',
          ...(options.ca === undefined ? [] : ['own CA']),
          ...(options.checkServerIdentity?.('localhost', OTHER as never) === undefined ? [] : ['named']),
        ].join(', '),
  )

describe('a connection to PostgreSQL', () => {
  it.each<[DatabaseTls, string[]]>([
    [tls('disable'), ['plain']],
    [tls('allow'), ['encrypted', 'plain']],
    [tls('prefer'), ['encrypted', 'plain']],
    [tls('require'), ['encrypted']],
    [tls('require', CA), ['trusted, own CA']],
    [tls('verify-ca', CA), ['trusted, own CA']],
    [tls('verify-full'), ['trusted, named']],
    [tls('verify-full', 'system'), ['trusted, named']],
    [tls('verify-full', CA), ['trusted, own CA, named']],
  ])('with %j is tried as %j', (settings, attempts) => {
    expect(described(settings)).toEqual(attempts)
  })

  it('by a Unix socket is never encrypted', () => {
    expect(described(tls('verify-full'), '/var/run/postgresql')).toEqual(['plain'])
  })

  it('falls back to plain text only if the server has no TLS', async () => {
    const connect = (message: string) => async (ssl: object | false) => {
      if (ssl !== false) throw new Error('it failed', { cause: new Error(message) })
      return 'plain'
    }
    const noTls = connect('The server does not support SSL connections')
    expect(await withTls(tls('prefer'), 'db', noTls)).toBe('plain')
    await expect(withTls(tls('require'), 'db', noTls)).rejects.toThrow('it failed')
    await expect(withTls(tls('prefer'), 'db', connect('password authentication failed'))).rejects.toThrow('it failed')
  })
})
