import { expect, it } from 'vitest'
import { createAdaptiveTimeouts } from './adaptive-timeouts.ts'

const createTime = () => {
  let time = 0
  const timeouts = createAdaptiveTimeouts(() => time)
  /** Lets this many waits time out at the same time, and returns their timeout. */
  const timeOut = (what: string, atOnce = 1): number => {
    const waits = Array.from({ length: atOnce }, () => timeouts.begin(what, 15_000))
    time += waits[0]?.limitMs ?? 0
    for (const wait of waits) wait.timedOut()
    return waits[0]?.limitMs ?? 0
  }
  return { timeouts, timeOut }
}

it('shortens only the timeout of a wait that has timed out repeatedly', () => {
  const { timeouts, timeOut } = createTime()
  expect([1, 2, 3, 4].map(() => timeOut('a'))).toEqual([15_000, 15_000, 1000, 1000])
  expect(timeouts.begin('b', 15_000).limitMs).toBe(15_000)
})

it('counts the time of concurrent waits for the same thing only once', () => {
  const { timeOut } = createTime()
  expect([timeOut('a', 50), timeOut('a', 50), timeOut('a')]).toEqual([15_000, 15_000, 1000])
})

it('shortens the timeout less if an earlier wait for the same thing has succeeded', () => {
  const { timeouts, timeOut } = createTime()
  timeouts.begin('a', 15_000).succeeded()
  expect([1, 2, 3].map(() => timeOut('a'))).toEqual([15_000, 15_000, 5000])
  expect(timeouts.begin('a', 2000).limitMs).toBe(2000)
})
