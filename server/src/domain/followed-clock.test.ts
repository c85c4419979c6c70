import { describe, expect, test } from 'vitest'
import { createFollowedClock } from './followed-clock.ts'

const START = Date.parse('2026-01-01T00:00:00.000Z')

/** A clock that follows from `START`, with a monotonic time that the test advances. */
const scene = () => {
  let atMs = 5000
  const clock = createFollowedClock({ atMs, timeMs: START, uncertaintyMs: 1 }, () => atMs)
  return {
    pass: (ms: number) => {
      atMs += ms
    },
    /** Milliseconds since `START`. */
    shows: () => clock.now().getTime() - START,
    /** Adds a sample: the followed clock shows `sinceStartMs` after `START`. */
    sample: (sinceStartMs: number, uncertaintyMs = 1) =>
      clock.follow({ atMs, timeMs: START + sinceStartMs, uncertaintyMs }),
  }
}

describe('a clock that follows another one', () => {
  test('shows its time from the first sample on, and continues between samples', () => {
    const { pass, shows } = scene()
    expect(shows()).toBe(0)
    pass(1234)
    expect(shows()).toBe(1234)
  })

  test('ignores differences within the uncertainty of a sample', () => {
    const { pass, shows, sample } = scene()
    pass(1000)
    sample(1040, 50)
    pass(10_000)
    expect(shows()).toBe(11_000)
  })

  test.each([
    ['ahead', 200],
    ['behind', -200],
  ])('gradually corrects a small difference if the other clock is %s, without running backwards', (_, differenceMs) => {
    const { pass, shows, sample } = scene()
    sample(differenceMs)
    expect(shows()).toBe(0)
    const seen: number[] = []
    for (let n = 0; n < 100; n += 1) {
      pass(100)
      seen.push(shows())
    }
    for (const [index, time] of seen.entries()) {
      const step = time - (seen[index - 1] ?? 0)
      expect(step).toBeGreaterThanOrEqual(94)
      expect(step).toBeLessThanOrEqual(106)
    }
    expect(seen.at(-1)).toBe(10_000 + differenceMs)
  })

  test('accepts a new sample while it is still catching up', () => {
    const { pass, shows, sample } = scene()
    sample(500)
    pass(1000)
    expect(shows()).toBe(1050)
    sample(1050)
    pass(1000)
    expect(shows()).toBe(2050)
  })

  test.each([60_000, -60_000])('jumps at once if the other clock was set by %d ms', (leapMs) => {
    const { pass, shows, sample } = scene()
    pass(1000)
    sample(1000 + leapMs)
    expect(shows()).toBe(1000 + leapMs)
    pass(1000)
    expect(shows()).toBe(2000 + leapMs)
  })
})
