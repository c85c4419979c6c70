import { describe, expect, it } from 'vitest'
import { parseDatabaseUrl } from './database-url.ts'

const places = (text: string): string[] | string => {
  const parsed = parseDatabaseUrl(text)
  return 'fault' in parsed ? parsed.fault : parsed.servers.map(({ host, port }) => `${host} ${port}`)
}

describe('a connection URL', () => {
  it.each([
    ['postgres://user:secret@db.example.com:5433/gateway', ['db.example.com 5433']],
    ['postgresql://user@db/gateway', ['db 5432']],
    ['postgres://user@h1:5433,h2,h3:5434/gateway', ['h1 5433', 'h2 5432', 'h3 5434']],
    ['postgres://user@h1,h2/gateway?port=5433,5434', ['h1 5433', 'h2 5434']],
    ['postgres://user@h1,h2/gateway?port=6000', ['h1 6000', 'h2 6000']],
    ['postgres://user@/gateway?host=h1,h2&port=1,2', ['h1 1', 'h2 2']],
    ['postgres:///gateway?host=/var/run/postgresql', ['/var/run/postgresql 5432']],
    ['postgres://user@%2Fvar%2Frun:5433/gateway', ['/var/run 5433']],
    ['postgres://user@[::1]:5433,[2001:db8::2]/gateway', ['::1 5433', '2001:db8::2 5432']],
  ])('%s names its servers in their order', (text, expected) => {
    expect(places(text)).toEqual(expected)
  })

  it('gives pg one URL per server, with the common parameters and without those that only the gateway reads', () => {
    const parsed = parseDatabaseUrl(
      'postgres://us%40er:p%3Aw@h1,h2:5433/gate?sslmode=disable&target_session_attrs=primary&application_name=mine',
    )
    expect(parsed).toMatchObject({
      attributes: 'primary',
      password: 'p:w',
      servers: [
        { url: 'postgres://us%40er:p%3Aw@server/gate?application_name=mine&host=h1&port=5432' },
        { url: 'postgres://us%40er:p%3Aw@server/gate?application_name=mine&host=h2&port=5433' },
      ],
    })
  })

  describe("is encrypted according to libpq's parameters and variables", () => {
    const tlsOf = (query: string, environment: Record<string, string> = {}) => {
      const parsed = parseDatabaseUrl(`postgres://h/d${query}`, environment)
      return 'fault' in parsed ? parsed.fault : [parsed.tls.mode, parsed.tls.rootCert]
    }

    it.each<[string, Record<string, string>, unknown[]]>([
      ['', {}, ['disable', null]],
      ['?sslmode=prefer', {}, ['prefer', null]],
      ['?sslmode=verify-ca&sslrootcert=/ca.pem', {}, ['verify-ca', '/ca.pem']],
      ['?sslmode=verify-full&sslrootcert=system', {}, ['verify-full', 'system']],
      ['?ssl=true', {}, ['require', null]],
      ['', { PGSSLMODE: 'require', PGSSLROOTCERT: '/ca.pem' }, ['require', '/ca.pem']],
      ['?sslmode=disable', { PGSSLMODE: 'require' }, ['disable', null]],
      ['?uselibpqcompat=true&sslmode=require', {}, ['require', null]],
    ])('%s %j', (query, environment, expected) => {
      expect(tlsOf(query, environment)).toEqual(expected)
    })

    it.each<[string, Record<string, string>, RegExp]>([
      ['?sslmode=bogus', {}, /^must have sslmode=disable, allow, /],
      ['?sslmode=no-verify', {}, /^must have sslmode=/],
      ['?sslmode=', {}, /^must have sslmode=/],
      ['', { PGSSLMODE: 'on' }, /PGSSLMODE/],
      ['?ssl=no-verify', {}, /sslmode instead of ssl/],
      ['?sslmode=verify-ca', {}, /sslrootcert=file/],
      ['?sslmode=require&sslrootcert=system', {}, /sslmode=verify-full/],
    ])('%s %j is refused', (query, environment, message) => {
      expect(tlsOf(query, environment)).toMatch(message)
    })

    it('and pg gets the encryption only as an option, not in the URL', () => {
      const parsed = parseDatabaseUrl('postgres://h/d?sslmode=require&client_encoding=LATIN1&replication=database', {})
      expect(parsed).toMatchObject({ servers: [{ url: 'postgres://@server/d?host=h&port=5432' }] })
    })
  })

  it('requires a writable server by default', () => {
    expect(parseDatabaseUrl('postgres://h/d')).toMatchObject({ attributes: 'read-write', password: '' })
    expect(parseDatabaseUrl('postgres://h/d?target_session_attrs=any')).toMatchObject({ attributes: 'any' })
  })

  it.each(['standby', 'prefer-standby', 'read-only', ''])('refuses target_session_attrs=%s', (attributes) => {
    expect(places(`postgres://h/d?target_session_attrs=${attributes}`)).toMatch(/takes writes/)
  })

  it.each([
    'mysql://h/d',
    'postgres://',
    'postgres:///d',
    'postgres://h:0/d',
    'postgres://h:65536/d',
    'postgres://h1,,h2/d',
    'postgres://user:secret%zz@h/d',
    'postgres://user:sec#ret@h/d',
    'postgres://user:sec/ret@h/d',
    'postgres://h1,h2,h3/d?port=1,2',
    'h1',
  ])('refuses %s without repeating it', (text) => {
    expect(places(text)).toMatch(/^must /)
    expect(places(text)).not.toContain('sec')
  })
})
