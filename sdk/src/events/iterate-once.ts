import { followSignal } from '../transport/follow-signal.ts'

/** Items that come in batches, asked for one batch at a time. */
export interface Batches {
  /** Asks for the next items. The sink is called once, maybe at once, and in whatever way when the signal is aborted. */
  next(): void
  /** Called once when no more are wanted, whatever became of the last `next`, which has called. */
  close(): Promise<void>
}

/** What is told of batches. Calls and no promises, since every event passes here, and each promise on its way costs. */
export interface Sink<T> {
  /** At least one; null when no more come. */
  onItems(items: readonly T[] | null): void
  onFailure(error: unknown): void
}

/** Begins to read. Calls nothing of the sink before the first `next`. */
export type ReadBatches<T> = (signal: AbortSignal, sink: Sink<T>) => Batches

/**
 * An iteration that can be begun once, and that `return()` ends at once, also while a `next()` is under way (which then
 * says `done`); a bare generator would wait for it.
 * @param again What to do instead of iterating a second time.
 * @param outer Ends the iteration with its reason.
 * @param onRead Called with an item when the next one is asked for.
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
  /** Of those who wait for an item that was not there at once, the first one's. */
  let resolve: Resolve<T> = () => {}
  /** Of those, what the latest waits for. */
  let last: Promise<IteratorResult<T, void>> | undefined
  let waiting = 0
  /** Whether the caller has left, or already has the error. */
  let isTold = false
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
    // The first failure is the one to tell.
    await close().catch(() => {})
    if (isTold) return END
    isTold = true
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
  /** Gives the first of those who wait the end, or asks for more. */
  const ask = (): void => {
    if (outer?.aborted && !isTold) settle(fail(outer.reason))
    else if (closing) settle(end())
    else batches.next()
  }
  /** Gives the first of those who wait the next item, or the end. */
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
  // Without a pending `next()` nothing else closes the connection; a pending one is settled, which closes it.
  const closeUnread = (): void => {
    if (waiting === 0) close().catch(() => {})
  }
  if (signal.aborted) closeUnread()
  else signal.addEventListener('abort', closeUnread, { once: true })

  /** When nothing is there. */
  const wait: (own: Resolve<T>) => void = (own) => {
    resolve = own
    ask()
  }
  /** When those before have theirs. */
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
      // What is there costs no more than a promise.
      if (item) return Promise.resolve(item)
      waiting += 1
      const mine = before ? waitInTurn(before) : new Promise(wait)
      if (waiting > 0) last = mine
      return mine
    },
    return: async () => {
      isTold = true
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
