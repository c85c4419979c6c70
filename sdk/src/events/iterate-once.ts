import { followSignal } from '../transport/follow-signal.ts'

/** Items that come in batches, asked for one batch at a time. */
export interface Batches<T> {
  /** The next items; null when no more come. Has to settle, in whatever way, when the signal is aborted. */
  next(): Promise<readonly T[] | null>
  /** Called once when no more are wanted, whatever became of the last `next`, which has settled. */
  close(): Promise<void>
}

/**
 * An iteration that can be begun once, and that `return()` ends at once, also while a `next()` is under way (which then
 * says `done`); a bare generator would wait for it.
 * @param again What to do instead of iterating a second time.
 * @param outer Ends the iteration with its reason.
 * @param read The items in batches: a promise for every batch costs less than one for every item. A promise, so that what
 * reads is loaded when somebody iterates.
 * @param onRead Called with an item when the next one is asked for.
 */
export const iterateOnce = <T>(
  again: string,
  outer: AbortSignal | undefined,
  read: (signal: AbortSignal) => Promise<Batches<T>>,
  onRead: (item: T) => void = () => {},
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
      let batches: Batches<T> | undefined
      let batch: readonly T[] = []
      let given = 0
      /** Of those who wait for an item that was not there at once, the latest. */
      let last: Promise<unknown> | undefined
      let waiting = 0
      let closing: Promise<void> | undefined

      const close = (): Promise<void> => {
        controller.abort()
        closing ??= loading.then((loaded) => loaded.close())
        return closing
      }
      const pull = (): IteratorResult<T, void> | undefined => {
        if (given > 0 && given <= batch.length) onRead(batch[given - 1] as T)
        if (given >= batch.length || controller.signal.aborted) {
          batch = []
          given = 0
          return undefined
        }
        return { done: false, value: batch[given++] as T }
      }
      /** The next item that was not there at once, when whoever asked `before` has theirs. */
      const wait = async (before: Promise<unknown> | undefined): Promise<IteratorResult<T, void>> => {
        waiting += 1
        try {
          if (before) await before.catch(() => {})
          batches ??= await loading
          for (;;) {
            const item = pull()
            if (item) return item
            const next = closing ? null : await batches.next()
            if (!next) break
            batch = next
          }
          await close()
        } catch (error) {
          // What could not be loaded cannot be closed.
          await close().catch(() => {})
          if (!hasLeft) throw outer?.aborted ? outer.reason : error
        } finally {
          if (--waiting === 0) last = undefined
        }
        return END
      }
      return {
        next: () => {
          const item = last ? undefined : pull()
          // What is there costs no more than a promise.
          if (item) return Promise.resolve(item)
          const mine = wait(last)
          last = mine
          return mine
        },
        return: async () => {
          hasLeft = true
          controller.abort()
          await last?.catch(() => {})
          await close()
          return END
        },
      }
    },
  }
}

const END = { done: true, value: undefined } as const
