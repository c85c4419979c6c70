import { followSignal } from '../transport/follow-signal.ts'

type Result<T> = IteratorResult<T, void>

/**
 * Wraps a generator. During a pending `next()`, `return()` settles at once; a plain generator would finish the `next()`
 * first. Otherwise `return()` settles after the generator's clean-up. An abort of `outer` rejects a pending or the next
 * `next()` with its reason.
 * @param generate Must stop waiting when its signal is aborted.
 */
export const leavable = <T>(
  outer: AbortSignal | undefined,
  generate: (signal: AbortSignal) => AsyncGenerator<T, void, undefined>,
): AsyncIterableIterator<T, void> => {
  const controller = followSignal(outer)
  const { signal } = controller
  const items = generate(signal)
  const waiting = new Set<() => void>()
  /** Whether the caller has left, or already has the error. */
  let isOver = false

  const close = async (): Promise<void> => void (await items.return())
  const end = (resolve: (result: Result<T>) => void, reject: (reason: unknown) => void): void => {
    if (isOver) resolve(END)
    else reject(outer?.reason)
    isOver = true
  }
  const leave = (): void => {
    for (const settle of waiting) settle()
    waiting.clear()
    // The caller has left, so an error of the clean-up is dropped.
    close().catch(() => {})
  }
  if (signal.aborted) leave()
  else signal.addEventListener('abort', leave, { once: true })

  return {
    next: () =>
      new Promise((resolve, reject) => {
        if (signal.aborted) {
          end(resolve, reject)
          return
        }
        const settle = (): void => end(resolve, reject)
        waiting.add(settle)
        items.next().then(
          (result) => {
            if (waiting.delete(settle)) resolve(result)
          },
          (error: unknown) => {
            if (waiting.delete(settle)) reject(error)
          },
        )
      }),
    return: async () => {
      isOver = true
      const isIdle = waiting.size === 0
      controller.abort()
      if (isIdle) await close()
      return END
    },
    [Symbol.asyncIterator]() {
      return this
    },
  }
}

const END = { done: true, value: undefined } as const
