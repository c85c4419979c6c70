import { AsyncLocalStorage } from 'node:async_hooks'

/** What went wrong in a check behind its back: promises that nobody waited for, exceptions in callbacks. */
export interface StrayFaults {
  /** All of it, once what has just been handled is known to be. */
  list(): Promise<readonly unknown[]>
}

const running = new AsyncLocalStorage<Map<unknown, unknown>>()

/** Whose a rejected promise was: that it is handled after all is told from elsewhere. */
const owners = new WeakMap<Promise<unknown>, Map<unknown, unknown>>()

/** Runs it so that what it leaves to go wrong is noted as its own, while `guardProcess` is in force. */
export function withStrayFaults<Result>(task: (strays: StrayFaults) => Promise<Result>): Promise<Result> {
  const found = new Map<unknown, unknown>()
  return running.run(found, () =>
    task({ list: () => new Promise((resolve) => setImmediate(() => resolve([...found.values()]))) }),
  )
}

/**
 * Keeps the process alive whatever a check leaves behind: a rejection that nobody handles, an exception that nobody
 * catches. What comes from elsewhere ends the process as ever, unless it has listeners of its own. Call what is returned to
 * end the guard.
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
