import { expect, it } from 'vitest'
import { createPatience } from './patience.ts'

const createTime = () => {
  let time = 0
  const patience = createPatience(() => time)
  /** Waits in vain as long as it may, so many times side by side; gives how long. */
  const miss = (what: string, atOnce = 1): number => {
    const waits = Array.from({ length: atOnce }, () => patience.begin(what, 15_000))
    time += waits[0]?.limitMs ?? 0
    for (const wait of waits) wait.missed()
    return waits[0]?.limitMs ?? 0
  }
  return { patience, miss }
}

it('waits only briefly for what was waited for in vain, and as long as ever for everything else', () => {
  const { patience, miss } = createTime()
  expect([1, 2, 3, 4].map(() => miss('a'))).toEqual([15_000, 15_000, 1000, 1000])
  expect(patience.begin('b', 15_000).limitMs).toBe(15_000)
})

it('counts waits at the same time once', () => {
  const { miss } = createTime()
  expect([miss('a', 50), miss('a', 50), miss('a')]).toEqual([15_000, 15_000, 1000])
})

it('gives more time to what has come before', () => {
  const { patience, miss } = createTime()
  patience.begin('a', 15_000).came()
  expect([1, 2, 3].map(() => miss('a'))).toEqual([15_000, 15_000, 5000])
  expect(patience.begin('a', 2000).limitMs).toBe(2000)
})
