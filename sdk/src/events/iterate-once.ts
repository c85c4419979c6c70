import { followSignal } from '../transport/follow-signal.ts'

/**
 * An iteration that can be begun once, and that `return()` ends at once, also while a `next()` is under way (which then
 * says `done`); a bare generator would wait for it.
 * @param again What to do instead of iterating a second time.
 * @param outer Ends the iteration with its reason.
 * @param read The items in batches: a promise for every batch costs less than one for every item. Has to end, in
 * whatever way, when its signal is aborted. A promise, so that what reads is loaded when somebody iterates.
 */
export const iterateOnce = <T>(
  again: string,
  outer: AbortSignal | undefined,
  read: (signal: AbortSignal) => Promise<AsyncGenerator<Iterable<T>, void>>,
): AsyncIterable<T> => {
  let isBegun = false
  return {
    [Symbol.asyncIterator]: () => {
      if (isBegun) throw new TypeError(`This stream can be iterated only once. ${again}`)
      isBegun = true
      let hasLeft = false
      const controller = followSignal(outer)
      const loading = read(controller.signal)
      // Told to whoever asks for an item.
      loading.catch(() => {})
      let batches: AsyncGenerator<Iterable<T>, void> | undefined
      let batch: Iterator<T> | undefined
      let last: Promise<unknown> | undefined

      const pull = (): IteratorResult<T, void> | undefined => {
        const item = batch?.next()
        return item?.done || controller.signal.aborted ? undefined : item
      }
      /** The next item that was not there at once, when whoever asked `before` has theirs. */
      const wait = async (before: Promise<unknown> | undefined): Promise<IteratorResult<T, void>> => {
        if (before) await before.catch(() => {})
        try {
          for (;;) {
            const item = pull()
            if (item) return item
            batch = undefined
            batches ??= await loading
            const { done, value } = await batches.next()
            if (done) break
            batch = value[Symbol.iterator]()
          }
        } catch (error) {
          if (!hasLeft) throw outer?.aborted ? outer.reason : error
        } finally {
          if (!batch) controller.abort()
        }
        return END
      }
      const waitInTurn = async (): Promise<IteratorResult<T, void>> => {
        const mine = wait(last)
        last = mine
        try {
          return await mine
        } finally {
          if (last === mine) last = undefined
        }
      }
      return {
        next: () => {
          const item = last ? undefined : pull()
          // What is there costs no more than a promise.
          return item ? Promise.resolve(item) : waitInTurn()
        },
        return: async () => {
          hasLeft = true
          controller.abort()
          await (await loading).return()
          return END
        },
      }
    },
  }
}

const END = { done: true, value: undefined } as const
