import { describe, expect, it } from 'vitest'
import { createFailureLimit } from './limit-failures.ts'

const setUp = () => {
  let nowMs = Date.parse('2026-03-01T00:00:00.000Z')
  const limit = createFailureLimit({ now: () => new Date(nowMs) })
  const fail = (ip: string, times: number): void => {
    for (let time = 0; time < times; time += 1) limit.count({ ip })
  }
  const isLimited = (ip: string): boolean => limit.refuse({ ip }) !== null
  return {
    limit,
    fail,
    isLimited,
    pass: (ms: number) => {
      nowMs += ms
    },
  }
}

describe('the limit of failed authentications', () => {
  it('refuses an address after 500 failures, and says when to retry [ERR-39]', () => {
    const { limit, fail, isLimited } = setUp()
    fail('192.0.2.1', 499)
    expect(isLimited('192.0.2.1')).toBe(false)
    fail('192.0.2.1', 1)
    expect(limit.refuse({ ip: '192.0.2.1' })).toMatchObject({ code: 'RATE_LIMITED', retryAfterSeconds: 1 })
    expect(isLimited('192.0.2.2')).toBe(false)
  })

  it('then allows 50 tries per second', () => {
    const { fail, isLimited, pass } = setUp()
    fail('192.0.2.1', 500)
    pass(19)
    expect(isLimited('192.0.2.1')).toBe(true)
    pass(1)
    expect(isLimited('192.0.2.1')).toBe(false)
    fail('192.0.2.1', 1)
    expect(isLimited('192.0.2.1')).toBe(true)
  })

  it('accounts for concurrent failures with a longer wait', () => {
    const { limit, fail, pass, isLimited } = setUp()
    fail('192.0.2.1', 600)
    expect(limit.refuse({ ip: '192.0.2.1' })).toMatchObject({ retryAfterSeconds: 3 })
    pass(2000)
    expect(isLimited('192.0.2.1')).toBe(true)
    pass(20)
    expect(isLimited('192.0.2.1')).toBe(false)
  })

  it.each([
    ['an IPv4 address and the same in IPv6', '192.0.2.1', '::ffff:192.0.2.1'],
    ['IPv6 addresses of one /64', '2001:db8:1:2::1', '2001:db8:1:2:ffff::9'],
    ['invalid addresses', 'unknown', '192.0.2.1:8080'],
  ])('counts the failures of %s together', (_, one, other) => {
    const { fail, isLimited } = setUp()
    fail(one, 500)
    expect(isLimited(other)).toBe(true)
  })

  it.each([
    ['IPv4 addresses that differ in the last byte', '192.0.2.1', '192.0.2.2'],
    ['IPv6 addresses of two /64', '2001:db8:1:2::1', '2001:db8:1:3::1'],
  ])('counts the failures of %s separately', (_, one, other) => {
    const { fail, isLimited } = setUp()
    fail(one, 500)
    expect(isLimited(other)).toBe(false)
  })

  it('tracks the 10,000 addresses that failed most recently', () => {
    const { fail, isLimited } = setUp()
    fail('192.0.2.1', 500)
    fail('192.0.2.2', 500)
    for (let index = 0; index < 9_999; index += 1) fail(`10.0.${index >> 8}.${index & 255}`, 1)
    expect(['192.0.2.1', '192.0.2.2'].map(isLimited)).toEqual([false, true])
  })
})
