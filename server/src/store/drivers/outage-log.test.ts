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
  const logged: unknown[] = []
  const logOutage = createOutageLog({ warn: (fields: unknown) => logged.push(fields) } as never)
  for (let second = 0; second < 25; second += 1) {
    for (let n = 0; n < 100; n += 1) logOutage(new DatabaseUnavailable(`away for ${second} s`))
    vi.advanceTimersByTime(1000)
  }
  expect(logged).toEqual([0, 10, 20].map((second) => ({ err: new DatabaseUnavailable(`away for ${second} s`) })))
})

test('without a logger, an outage is ignored', () => {
  expect(() => createOutageLog(undefined)(new DatabaseUnavailable('away'))).not.toThrow()
})
