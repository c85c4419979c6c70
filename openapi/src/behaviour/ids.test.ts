import { describe, expect, it } from 'vitest'
import { newId } from './ids.ts'

const AT = new Date('2026-03-01T00:00:00.000Z')
const after = (milliseconds: number): Date => new Date(AT.getTime() + milliseconds)

describe('an identifier', () => {
  it('is its prefix and a UUIDv7 of the given instant [GEN-20]', () => {
    expect(newId('conv', AT)).toMatch(/^conv_019ca6b1dc007[0-9a-f]{3}[89ab][0-9a-f]{15}$/)
    const before = Date.now()
    const made = Number.parseInt(newId('conv').slice('conv_'.length, 'conv_'.length + 12), 16)
    expect(made).toBeGreaterThanOrEqual(before)
    expect(made).toBeLessThanOrEqual(Date.now())
  })

  it('sorts after earlier identifiers of this process, even in the same millisecond [GEN-20]', () => {
    const ids = Array.from({ length: 20_000 }, (_, index) => newId('conv', after(Math.floor(index / 8000))))
    expect(ids.findIndex((id, index) => id <= (ids[index - 1] ?? ''))).toBe(-1)
  })

  it('has the given instant, even if that is before the last one', () => {
    newId('conv', after(60_000))
    expect(newId('conv', AT).slice(0, 17)).toBe(newId('conv', AT).slice(0, 17))
    expect(newId('conv', AT) < newId('conv', after(1))).toBe(true)
  })

  it('cannot be guessed from another: the first counter of a millisecond and the end are random [GEN-20]', () => {
    const ids = Array.from({ length: 64 }, (_, index) => newId('conv', after(1_000_000 + index)).slice('conv_'.length))
    // Skips the first digit after the version: its highest bit is 0, which leaves room for counting up.
    for (const digit of [...range(14, 16), ...range(17, 32)])
      expect([digit, new Set(ids.map((id) => id[digit])).size > 1]).toEqual([digit, true])
    const inOne = Array.from({ length: 64 }, () => newId('conv', after(2_000_000)).slice('conv_'.length))
    for (const digit of range(20, 32)) expect(new Set(inOne.map((id) => id[digit])).size).toBeGreaterThan(1)
  })
})

const range = (from: number, to: number): number[] => Array.from({ length: to - from }, (_, index) => from + index)
