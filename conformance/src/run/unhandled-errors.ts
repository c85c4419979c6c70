import { AsyncLocalStorage } from 'node:async_hooks'

/** Unhandled rejections of a check, and its exceptions in callbacks. */
export interface UnhandledErrors {
  /** All errors, after rejections that were handled late have been removed. */
  list(): Promise<readonly unknown[]>
}

const running = new AsyncLocalStorage<Map<unknown, unknown>>()

/** The owner of each rejected promise: Node reports a late handler outside of the check's context. */
const owners = new WeakMap<Promise<unknown>, Map<unknown, unknown>>()

/** Runs the function and attributes its unhandled errors to it, while `guardProcess` is active. */
export function collectUnhandledErrors<Result>(task: (unhandled: UnhandledErrors) => Promise<Result>): Promise<Result> {
  const found = new Map<unknown, unknown>()
  return running.run(found, () =>
    task({ list: () => new Promise((resolve) => setImmediate(() => resolve([...found.values()]))) }),
  )
}

/**
 * Keeps the process alive when a check causes an unhandled rejection or an uncaught exception. Other errors end the
 * process as usual, unless the process has other listeners for them. Returns a function that removes the guard.
 */
export function guardProcess(): () => void {
  const onRejection = (reason: unknown, promise: Promise<unknown>): void => {
    const found = running.getStore()
    if (found === undefined) leave('unhandledRejection', reason)
    else {
      found.set(promise, reason)
      owners.set(promise, found)
    }
  }
  const onHandled = (promise: Promise<unknown>): void => {
    owners.get(promise)?.delete(promise)
  }
  const onException = (error: unknown): void => {
    const found = running.getStore()
    if (found === undefined) leave('uncaughtException', error)
    else found.set(Symbol('exception'), error)
  }
  const leave = (event: string, error: unknown): void => {
    if (process.listenerCount(event) > 1) return
    release()
    setImmediate(() => {
      throw error
    })
  }
  const release = (): void => {
    process.off('unhandledRejection', onRejection)
    process.off('rejectionHandled', onHandled)
    process.off('uncaughtException', onException)
  }
  process.on('unhandledRejection', onRejection)
  process.on('rejectionHandled', onHandled)
  process.on('uncaughtException', onException)
  return release
}
