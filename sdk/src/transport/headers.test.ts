import { describe, expect, it } from 'vitest'
import { checkHeaders, checkSubject, checkToken } from './headers.ts'

describe('a subject', () => {
  it.each(['a', 'customer-4711', 'Jörg Müller', 'a b', 'x'.repeat(256), '~!"#$%&'])(
    '%s is taken as it is [SUBJ-02]',
    (subject) => {
      expect(checkSubject(subject)).toBe(subject)
      expect(new Headers({ 'X-Service-Subject': subject }).get('X-Service-Subject')).toBe(subject)
    },
  )

  it.each(['', ' ', ' a', 'a ', 'x'.repeat(257), 'a\nb', 'a\tb', 'a\u0000b', '名前', 'a\u00a0b', 'a\u007fb', '🚀'])(
    '%j is refused with the rule',
    (subject) => {
      expect(() => checkSubject(subject)).toThrow('subject must be 1-256 visible Latin-1 characters')
    },
  )
})

describe('a token', () => {
  it.each(['a', 'x'.repeat(128), '~!{}'])('%s is taken as it is', (token) => {
    expect(checkToken('idempotencyKey', token)).toBe(token)
  })

  it.each(['', 'a b', 'x'.repeat(129), 'ä', 'a\r\nX-Evil: 1'])('%j is refused and the option named', (token) => {
    expect(() => checkToken('idempotencyKey', token)).toThrow('idempotencyKey must be 1-128 visible ASCII characters')
  })
})

describe('headers of the caller', () => {
  it('are kept', () => {
    const headers = { 'x-trace': '1', 'User-Agent': 'mine' }
    expect(checkHeaders(headers)).toBe(headers)
  })

  it.each([
    'Authorization',
    'authorization',
    'IDEMPOTENCY-KEY',
    'X-Service-Subject',
    'X-Request-Id',
    'Last-Event-ID',
    'Accept',
    'Content-Type',
  ])('may not be %s, which the client sets', (name) => {
    expect(() => checkHeaders({ 'x-trace': '1', [name]: 'secret' })).toThrow(
      `headers may not set ${name}: the client does`,
    )
    expect(() => checkHeaders({ [name]: 'secret' })).not.toThrow('secret')
  })
})
