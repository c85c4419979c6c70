import { expect, onTestFinished, test, vi } from 'vitest'
import { DatabaseUnavailable } from '../db.ts'
import { createLockWaits } from './lock-waits.ts'

const inSomeTime = (): number => performance.now() + 60_000

/** Queues work of owners, and records the work that has begun; its `end` ends it. */
const createFixture = (places: number, waitingAtMost = 100) => {
  const lockWaits = createLockWaits({ places, waitingAtMost })
  const begun: { owner: string; end: () => void }[] = []
  const entered: Promise<string>[] = []
  const enter = (owner: string, deadline = inSomeTime()): Promise<string> => {
    const done = lockWaits.wait(
      owner,
      deadline,
      () => new Promise<string>((resolve) => begun.push({ owner, end: () => resolve(owner) })),
    )
    entered.push(done)
    return done
  }
  // Otherwise waiting work would be rejected during another file's tests.
  onTestFinished(async () => {
    let isOver = false
    const all = Promise.allSettled(entered).finally(() => {
      isOver = true
    })
    while (!isOver) {
      for (const { end } of begun) end()
      await new Promise((resolve) => setImmediate(resolve))
    }
    await all
  })
  return { enter, begun, owners: () => begun.map(({ owner }) => owner) }
}

test('work starts while slots are free, and one owner leaves a slot to the others', async () => {
  const { enter, owners } = createFixture(4)
  for (let n = 0; n < 10; n += 1) void enter('a')
  await vi.waitFor(() => expect(owners()).toEqual(['a', 'a', 'a']))
  void enter('b')
  await vi.waitFor(() => expect(owners()).toEqual(['a', 'a', 'a', 'b']))
})

test('a free slot goes to the waiting owner with the fewest slots', async () => {
  const { enter, begun, owners } = createFixture(3)
  for (const owner of ['a', 'a', 'a', 'a', 'b', 'c']) void enter(owner)
  await vi.waitFor(() => expect(owners()).toEqual(['a', 'a', 'b']))
  begun[0]?.end()
  await vi.waitFor(() => expect(owners()).toEqual(['a', 'a', 'b', 'c']))
})

test('a single slot serves the work of one owner in order', async () => {
  const { enter, begun, owners } = createFixture(1)
  const all = [enter('a'), enter('a')]
  await vi.waitFor(() => expect(owners()).toEqual(['a']))
  begun[0]?.end()
  await vi.waitFor(() => expect(owners()).toEqual(['a', 'a']))
  begun[1]?.end()
  expect(await Promise.all(all)).toEqual(['a', 'a'])
})

test('an entry beyond the limit is rejected at once', async () => {
  const { enter, owners } = createFixture(2, 3)
  for (let n = 0; n < 4; n += 1) void enter('a')
  await expect(enter('a')).rejects.toThrow(new DatabaseUnavailable('more than 3 statements wait for locks'))
  expect(owners()).toEqual(['a'])
})

test('work is rejected at its deadline, and the next entry gets the slot', async () => {
  const { enter, begun, owners } = createFixture(1)
  void enter('a')
  await vi.waitFor(() => expect(owners()).toEqual(['a']))
  await expect(enter('b', performance.now())).rejects.toBeInstanceOf(DatabaseUnavailable)
  void enter('c')
  begun[0]?.end()
  await vi.waitFor(() => expect(owners()).toEqual(['a', 'c']))
})

test('a failure releases its slot', async () => {
  const lockWaits = createLockWaits({ places: 1, waitingAtMost: 1 })
  await expect(lockWaits.wait('a', inSomeTime(), () => Promise.reject(new Error('no')))).rejects.toThrow('no')
  expect(await lockWaits.wait('a', inSomeTime(), async () => 'yes')).toBe('yes')
})
