import { followSignal } from '../transport/follow-signal.ts'

/** Items in batches, requested one batch at a time. */
export interface Batches {
  /**
   * Requests the next items. The sink is called exactly once, possibly synchronously, and also when the signal is
   * aborted.
   */
  next(): void
  /** Called once when no more items are wanted, after the last `next` has called its sink. */
  close(): Promise<void>
}

/** Receives batches. It uses callbacks instead of promises, because a promise for every event would be costly. */
export interface Sink<T> {
  /** At least one item; null at the end. */
  onItems(items: readonly T[] | null): void
  onFailure(error: unknown): void
}

/** Begins to read. Does not call the sink before the first `next`. */
export type ReadBatches<T> = (signal: AbortSignal, sink: Sink<T>) => Batches

/**
 * An iteration that can be started once. `return()` ends it at once, even during a pending `next()`, which then
 * resolves as `done`; a plain generator would wait for it.
 * @param again What the error for a second iteration recommends.
 * @param outer Ends the iteration with its reason.
 * @param onRead Called with an item when the next one is requested.
 */
export const iterateOnce = <T>(
  again: string,
  outer: AbortSignal | undefined,
  read: ReadBatches<T>,
  onRead: (item: T) => void = () => {},
): { [Symbol.asyncIterator](): AsyncIterableIterator<T, void> } => {
  let isBegun = false
  return {
    [Symbol.asyncIterator]: () => {
      if (isBegun) throw new TypeError(`This stream can be iterated only once. ${again}`)
      isBegun = true
      return iterate(outer, read, onRead)
    },
  }
}

type Resolve<T> = (result: IteratorResult<T, void> | Promise<IteratorResult<T, void>>) => void

const iterate = <T>(
  outer: AbortSignal | undefined,
  read: ReadBatches<T>,
  onRead: (item: T) => void,
): AsyncIterableIterator<T, void> => {
  const controller = followSignal(outer)
  const { signal } = controller
  let batch: readonly T[] = NONE
  let given = 0
  /** The first of the pending `next()` calls. */
  let resolve: Resolve<T> = () => {}
  /** The latest of the pending `next()` calls. */
  let last: Promise<IteratorResult<T, void>> | undefined
  let waiting = 0
  /** Whether the caller has left, or already has the error. */
  let isOver = false
  let closing: Promise<void> | undefined

  const close = (): Promise<void> => {
    controller.abort()
    closing ??= batches.close()
    return closing
  }
  const end = async (): Promise<IteratorResult<T, void>> => {
    await close()
    return END
  }
  const fail = async (error: unknown): Promise<IteratorResult<T, void>> => {
    // Report the first failure.
    await close().catch(() => {})
    if (isOver) return END
    isOver = true
    throw outer?.aborted ? outer.reason : error
  }
  const settle: Resolve<T> = (result) => {
    if (--waiting === 0) last = undefined
    resolve(result)
  }
  const pull = (): IteratorResult<T, void> | undefined => {
    if (given > 0 && given <= batch.length) onRead(batch[given - 1] as T)
    if (given < batch.length && !signal.aborted) return { done: false, value: batch[given++] as T }
    batch = NONE
    given = 0
    return undefined
  }
  /** Ends the first pending `next()`, or requests more items. */
  const ask = (): void => {
    if (outer?.aborted && !isOver) settle(fail(outer.reason))
    else if (closing) settle(end())
    else batches.next()
  }
  /** Resolves the first pending `next()` with the next item or the end. */
  const give = (): void => {
    const item = pull()
    if (item) settle(item)
    else ask()
  }
  const sink: Sink<T> = {
    onItems: (items) => {
      if (items === null) return settle(end())
      batch = items
      give()
    },
    onFailure: (error) => settle(fail(error)),
  }
  const batches = read(signal, sink)
  // Without a pending `next()`, close the connection here; settling a pending one closes it.
  const closeUnread = (): void => {
    if (waiting === 0) close().catch(() => {})
  }
  if (signal.aborted) closeUnread()
  else signal.addEventListener('abort', closeUnread, { once: true })

  /** Waits for the next item when no item is available. */
  const wait: (own: Resolve<T>) => void = (own) => {
    resolve = own
    ask()
  }
  /** Waits until the earlier calls are settled, and then for the next item. */
  const waitInTurn = async (before: Promise<unknown>): Promise<IteratorResult<T, void>> => {
    await before.catch(() => {})
    return new Promise((own) => {
      resolve = own
      give()
    })
  }
  return {
    next: () => {
      const before = last
      const item = before ? undefined : pull()
      // An available item costs only one promise.
      if (item) return Promise.resolve(item)
      waiting += 1
      const mine = before ? waitInTurn(before) : new Promise(wait)
      if (waiting > 0) last = mine
      return mine
    },
    return: async () => {
      isOver = true
      controller.abort()
      await last?.catch(() => {})
      return end()
    },
    [Symbol.asyncIterator]() {
      return this
    },
  }
}

const NONE: readonly never[] = []
const END = { done: true, value: undefined } as const
