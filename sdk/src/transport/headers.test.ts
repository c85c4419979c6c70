import { describe, expect, it } from 'vitest'
import { checkHeaders, checkSubject, checkToken, utf8Header } from './headers.ts'

describe('a subject', () => {
  it.each(['a', 'customer-4711', 'Jörg Müller', 'a b', '~!"#$%&', '名前', 'a\u00a0b', 'e\u0301'])(
    '%s is accepted unchanged [SUBJ-02]',
    (subject) => {
      expect(checkSubject(subject)).toBe(subject)
    },
  )

  it.each(['', ' ', ' a', 'a ', '\u00a0a', 'a\u3000', 'a\nb', 'a\tb', 'a\u0000b', 'a\u007fb', 'a\u0085b', 'a\ud800b'])(
    '%j is refused, and the error states the rule',
    (subject) => {
      expect(() => checkSubject(subject)).toThrow('subject must be 1-256 characters long')
    },
  )

  it('has at most 256 characters, however many bytes they have', () => {
    for (const character of ['x', 'é', '🚀']) {
      expect(checkSubject(character.repeat(256))).toBe(character.repeat(256))
      expect(() => checkSubject(character.repeat(257))).toThrow('subject must be 1-256 characters long')
    }
  })

  it.each(['customer-4711', 'Jörg', '名前 🚀', '\u0080\u00ff'])(
    '%s is sent as its UTF-8 bytes [SUBJ-15]',
    (subject) => {
      const sent = new Headers({ 'X-Service-Subject': utf8Header(subject) }).get('X-Service-Subject') ?? ''
      expect(Buffer.from(sent, 'latin1').toString('utf8')).toBe(subject)
    },
  )
})

describe('a token', () => {
  it.each(['a', 'x'.repeat(128), '~!{}'])('%s is accepted unchanged', (token) => {
    expect(checkToken('idempotencyKey', token)).toBe(token)
  })

  it.each(['', 'a b', 'x'.repeat(129), 'ä', 'a\r\nX-Evil: 1'])(
    '%j is refused, and the error names the option',
    (token) => {
      expect(() => checkToken('idempotencyKey', token)).toThrow('idempotencyKey must be 1-128 visible ASCII characters')
    },
  )
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
