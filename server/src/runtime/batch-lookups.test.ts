import { describe, expect, it } from 'vitest'
import { batchLookups } from './batch-lookups.ts'

const createFixture = (atMost = 100) => {
  const rounds: {
    keys: readonly number[]
    answer: (values: readonly string[]) => void
    fail: (error: Error) => void
  }[] = []
  const find = batchLookups(
    (keys: readonly number[]) =>
      new Promise<readonly string[]>((answer, fail) => void rounds.push({ keys, answer, fail })),
    atMost,
  )
  const turns = async (): Promise<void> => {
    for (let turn = 0; turn < 20; turn += 1) await null
  }
  return { find, rounds, turns, keys: () => rounds.map(({ keys }) => keys) }
}

describe('look-ups made together', () => {
  it('begin at once; those that arrive meanwhile are batched into the next round', async () => {
    const { find, rounds, turns, keys } = createFixture()
    const found = [find(1), find(2)]
    await turns()
    found.push(find(3))
    await turns()
    found.push(find(4))
    await turns()
    expect(keys()).toEqual([[1, 2]])
    rounds[0]?.answer(['one', 'two'])
    await turns()
    expect(keys()).toEqual([
      [1, 2],
      [3, 4],
    ])
    rounds[1]?.answer(['three', 'four'])
    expect(await Promise.all(found)).toEqual(['one', 'two', 'three', 'four'])
  })

  it('are made in rounds of limited size until none is left', async () => {
    const { find, rounds, turns, keys } = createFixture(2)
    const found = [1, 2, 3].map(find)
    await turns()
    rounds[0]?.answer(['one', 'two'])
    await turns()
    rounds[1]?.answer(['three'])
    expect(await Promise.all(found)).toEqual(['one', 'two', 'three'])
    expect(keys()).toEqual([[1, 2], [3]])
  })

  it('fail only with their own round', async () => {
    const { find, rounds, turns } = createFixture()
    const first = find(1)
    await turns()
    const second = find(2)
    rounds[0]?.fail(new Error('the database is unavailable'))
    await expect(first).rejects.toThrow('the database is unavailable')
    await turns()
    rounds[1]?.answer(['two'])
    expect(await second).toBe('two')
  })

  it('fail if the number of answers differs from the number of keys', async () => {
    const { find, rounds, turns } = createFixture()
    const both = Promise.all([find(1), find(2)])
    await turns()
    rounds[0]?.answer(['one'])
    await expect(both).rejects.toThrow('1 answers to 2 look-ups')
  })
})
