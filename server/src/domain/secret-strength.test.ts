import { randomBytes } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { findWeakness, TOKEN_CHARACTERS } from './secret-strength.ts'

const codes = (text: string): Uint8Array => Buffer.from(text, 'latin1')

describe('a secret that', () => {
  it.each([
    ['repeats one character', codes('a'.repeat(TOKEN_CHARACTERS)), 'repeats itself'],
    ['repeats one byte', Buffer.alloc(32), 'repeats itself'],
    ['repeats a word', codes('secret-secret-secret-secret-'), 'repeats itself'],
    ['repeats a few bytes', Buffer.from('deadbeef'.repeat(8), 'hex'), 'repeats itself'],
    ['ends with its own beginning', codes('password1234password1234pass'), 'repeats itself'],
    ['counts up', Uint8Array.from({ length: 32 }, (_, n) => n), 'is a sequence'],
    ['counts down', codes('zyxwvutsrqponmlkjihgfedcba'), 'is a sequence'],
    ['counts through digits and letters', codes('0123456789abcdefghijklmnop'), 'is a sequence'],
    ['has one character nearly everywhere', codes(`${'a'.repeat(30)}b1`), 'is a sequence'],
    ['has few different characters', codes('abcacbbacbaccabbcabacbcaab'), 'has too few different characters'],
  ])('%s is weak', (_, values, weakness) => {
    expect(findWeakness(values)).toBe(weakness)
  })

  it('is random is accepted, in every usual encoding', () => {
    for (let round = 0; round < 2000; round += 1) {
      const random = randomBytes(32)
      for (const values of [random, codes(random.toString('hex')), codes(random.toString('base64'))])
        expect(findWeakness(values)).toBeNull()
      expect(findWeakness(codes(randomBytes(18).toString('base64url')))).toBeNull()
    }
  })
})
