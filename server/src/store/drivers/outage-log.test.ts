import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { DatabaseUnavailable } from '../db.ts'
import { createOutageLog } from './outage-log.ts'

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['performance'] })
})
afterEach(() => {
  vi.useRealTimers()
})

test('an outage is logged at once, and every ten seconds while it lasts', () => {
  const told: unknown[] = []
  const tell = createOutageLog({ warn: (what: unknown) => told.push(what) } as never)
  for (let second = 0; second < 25; second += 1) {
    for (let n = 0; n < 100; n += 1) tell(new DatabaseUnavailable(`away for ${second} s`))
    vi.advanceTimersByTime(1000)
  }
  expect(told).toEqual([0, 10, 20].map((second) => ({ err: new DatabaseUnavailable(`away for ${second} s`) })))
})

test('without a log nothing is logged', () => {
  expect(() => createOutageLog(undefined)(new DatabaseUnavailable('away'))).not.toThrow()
})
