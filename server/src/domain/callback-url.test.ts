import { describe, expect, it } from 'vitest'
import type { CallbackTargets } from './callback-url.ts'
import { checkCallbackUrl, findBlockedAddress } from './callback-url.ts'

const TARGETS: CallbackTargets = {
  hosts: new Set(['orders.example.com', 'xn--bcher-kva.example', 'trap.localhost', '1.2.3.4']),
  devOrigins: new Set(['http://127.0.0.1:9000']),
}
const check = (url: string, targets = TARGETS): string => {
  const verdict = checkCallbackUrl(url, targets)
  return verdict.ok ? (verdict.isExempt ? 'exempt' : 'allowed') : verdict.message
}

describe('a callback URL', () => {
  it.each([
    'https://orders.example.com/assistant/events?a=b',
    'https://orders.example.com',
    'https://ORDERS.Example.com/',
    'https://orders.example.com:443/',
    'https://bücher.example/',
  ])('is a public HTTPS URL of an allowed host on port 443: %s [CB-03, CB-07, CB-08]', (url) => {
    expect(check(url)).toBe('allowed')
  })

  it.each([
    ['http://orders.example.com/', 'must be an https:// URL'],
    ['ftp://orders.example.com/', 'must be an https:// URL'],
    ['https://orders.example.com:8443/', 'must use port 443, the default'],
    ['https://orders.example.com:80/', 'must use port 443, the default'],
    ['https://user@orders.example.com/', 'must not have a user name or password'],
    ['https://user:secret@orders.example.com/', 'must not have a user name or password'],
    ['https://orders.example.com@evil.example/', 'must not have a user name or password'],
    ['https://orders.example.com/#part', 'must not have a fragment'],
    ['https://orders.example.com/#', 'must not have a fragment'],
    ['orders.example.com', 'must be an absolute URL'],
    ['https://', 'must be an absolute URL'],
  ])('is refused: %s, since it %s [CB-07, CB-61]', (url, message) => {
    expect(check(url)).toBe(message)
  })

  it.each([
    'https://1.2.3.4/',
    'https://127.0.0.1/',
    'https://2130706433/',
    'https://0x7f000001/',
    'https://0x7f.1/',
    'https://017700000001/',
    'https://0177.0.0.1/',
    'https://127.1/',
    'https://127.0.0.1./',
    'https://１２７.0.0.1/',
    'https://127。0。0。1/',
    'https://%31%32%37.0.0.1/',
    'https://[::1]/',
    'https://[::ffff:127.0.0.1]/',
    'https://[64:ff9b::7f00:1]/',
    'https://[2606:4700::1]/',
  ])('is refused with an IP address, however it is spelled: %s [CB-12]', (url) => {
    expect(check(url)).toBe('must have a host name, not an IP address')
  })

  it.each(['https://localhost/', 'https://LOCALHOST./', 'https://trap.localhost/'])(
    'is refused for localhost: %s [CB-12]',
    (url) => {
      expect(check(url)).toBe('must not be localhost')
    },
  )

  it.each([
    'https://evil.example/',
    'https://www.orders.example.com/',
    'https://orders.example.com.evil.example/',
    'https://orders.example.com./',
    'https://example.com/',
    'https://evil.example\\@orders.example.com/',
  ])('is refused for a host that is not exactly one of the list: %s [CB-08]', (url) => {
    expect(check(url)).toMatch(/^has a host that is not allowed/)
  })

  it('is refused for every host while the list is empty [CB-10]', () => {
    expect(check('https://orders.example.com/', { hosts: new Set(), devOrigins: new Set() })).toMatch(/is empty$/)
  })

  it('is exempt only at an exact development origin [CB-62]', () => {
    expect(check('http://127.0.0.1:9000/any/path')).toBe('exempt')
    for (const url of [
      'https://127.0.0.1:9000/',
      'http://127.0.0.1:9001/',
      'http://localhost:9000/',
      'http://127.0.0.1/',
    ])
      expect(check(url)).not.toBe('exempt')
  })
})

it('one blocked address among public ones is found [CB-56]', () => {
  const good = { address: '1.1.1.1', family: 4 } as const
  expect(findBlockedAddress([good, { address: '10.0.0.1', family: 4 }, good])).toBe('10.0.0.1')
  expect(findBlockedAddress([good, { address: '2606:4700::1', family: 6 }])).toBeNull()
})
