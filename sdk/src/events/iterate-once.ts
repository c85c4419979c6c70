import { followSignal } from '../transport/follow-signal.ts'

/** Items that come in batches, asked for one batch at a time. */
export interface Batches<T> {
  /**
   * Asks for the next items, at least one; null when no more come. Calls back once, maybe at once, and in whatever way
   * when the signal is aborted. Callbacks, since every event passes here, and each promise on its way shows in its cost.
   */
  next(onItems: (items: readonly T[] | null) => void, onFailure: (error: unknown) => void): void
  /** Called once when no more are wanted, whatever became of the last `next`, which has called back. */
  close(): Promise<void>
}

/**
 * An iteration that can be begun once, and that `return()` ends at once, also while a `next()` is under way (which then
 * says `done`); a bare generator would wait for it.
 * @param again What to do instead of iterating a second time.
 * @param outer Ends the iteration with its reason.
 * @param read The items in batches. A promise, so that what reads is loaded when somebody iterates.
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
      return iterate(outer, read, onRead)
    },
  }
}

const iterate = <T>(
  outer: AbortSignal | undefined,
  read: (signal: AbortSignal) => Promise<Batches<T>>,
  onRead: (item: T) => void,
): AsyncIterator<T, void> => {
  type Resolve = (result: IteratorResult<T, void> | PromiseLike<IteratorResult<T, void>>) => void
  const controller = followSignal(outer)
  const { signal } = controller
  const loading = read(signal)
  // Told to whoever asks for an item.
  loading.catch(() => {})
  let batches: Batches<T> | undefined
  let batch: readonly T[] = []
  let given = 0
  /** Of those who wait for an item that was not there at once, the latest. */
  let last: Promise<IteratorResult<T, void>> | undefined
  let waiting = 0
  let hasLeft = false
  let closing: Promise<void> | undefined

  const close = (): Promise<void> => {
    controller.abort()
    closing ??= loading.then((loaded) => loaded.close())
    return closing
  }
  const end = async (): Promise<IteratorResult<T, void>> => {
    await close()
    return END
  }
  const fail = async (error: unknown): Promise<IteratorResult<T, void>> => {
    // What could not be loaded cannot be closed.
    await close().catch(() => {})
    if (hasLeft) return END
    throw outer?.aborted ? outer.reason : error
  }
  const pull = (): IteratorResult<T, void> | undefined => {
    if (given > 0 && given <= batch.length) onRead(batch[given - 1] as T)
    if (given < batch.length && !signal.aborted) return { done: false, value: batch[given++] as T }
    batch = []
    given = 0
    return undefined
  }
  const settle = (resolve: Resolve, result: IteratorResult<T, void> | Promise<IteratorResult<T, void>>): void => {
    if (--waiting === 0) last = undefined
    resolve(result)
  }
  /** Gives the next item, or the end, to the first of those who wait. */
  const give = (resolve: Resolve): void => {
    const item = pull()
    if (item) settle(resolve, item)
    else if (closing || !batches) settle(resolve, end())
    else
      batches.next(
        (items) => {
          if (items === null) return settle(resolve, end())
          batch = items
          give(resolve)
        },
        (error) => settle(resolve, fail(error)),
      )
  }
  return {
    next: () => {
      const before = last
      const item = before ? undefined : pull()
      // What is there costs no more than a promise.
      if (item) return Promise.resolve(item)
      waiting += 1
      const mine = new Promise<IteratorResult<T, void>>((resolve) => {
        const begin = (): void => give(resolve)
        if (before) before.then(begin, begin)
        else if (batches) begin()
        else
          loading.then(
            (loaded) => {
              batches = loaded
              begin()
            },
            (error: unknown) => settle(resolve, fail(error)),
          )
      })
      if (waiting > 0) last = mine
      return mine
    },
    return: async () => {
      hasLeft = true
      controller.abort()
      await last?.catch(() => {})
      return end()
    },
  }
}

const END = { done: true, value: undefined } as const
