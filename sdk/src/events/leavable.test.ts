import { expect, it } from 'vitest'
import { settle } from '../../test/support/manual-timing.ts'
import { leavable } from './leavable.ts'

/** Yields two numbers, then waits until `silence` is resolved, even after an abort. */
const play = (outer?: AbortSignal) => {
  const state = { hasEnded: false, signal: new AbortController().signal }
  const silence = Promise.withResolvers<void>()
  const items = leavable(outer, async function* (signal) {
    state.signal = signal
    try {
      yield 1
      yield 2
      await silence.promise
    } finally {
      state.hasEnded = true
    }
  })
  return { items, state, silence }
}

it('settles return() and a pending next() at once, while the generator is blocked', async () => {
  const { items, state, silence } = play()
  expect([await items.next(), await items.next()]).toMatchObject([{ value: 1 }, { value: 2 }])
  const pending = [items.next(), items.next()]
  await settle()
  expect(await items.return?.()).toEqual({ done: true, value: undefined })
  expect(await Promise.all(pending)).toEqual(Array(2).fill({ done: true, value: undefined }))
  expect(state.signal.aborted).toBe(true)
  silence.resolve()
  await settle()
  expect(state.hasEnded).toBe(true)
  expect(await items.next()).toEqual({ done: true, value: undefined })
})

it('has cleaned up when return() settles and no next() is pending', async () => {
  const { items, state } = play()
  await items.next()
  await items.return?.()
  expect(state.hasEnded).toBe(true)
})

it.each(['while an item is requested', 'between items', 'before the start'])(
  'ends once with the reason of a signal that is aborted %s',
  async (when) => {
    const caller = new AbortController()
    if (when === 'before the start') caller.abort('enough')
    const { items } = play(caller.signal)
    if (when !== 'before the start') expect([await items.next(), await items.next()]).toHaveLength(2)
    const pending = when === 'while an item is requested' ? items.next() : null
    pending?.catch(() => {})
    caller.abort('enough')
    await expect(pending ?? items.next()).rejects.toBe('enough')
    expect(await items.next()).toEqual({ done: true, value: undefined })
  },
)

it('is iterable itself, and passes on errors of the generator', async () => {
  const items = leavable(undefined, async function* () {
    yield 1
    throw new Error('broken')
  })
  const seen: number[] = []
  const read = async () => {
    for await (const item of items) seen.push(item)
  }
  await expect(read()).rejects.toThrow('broken')
  expect(seen).toEqual([1])
})
