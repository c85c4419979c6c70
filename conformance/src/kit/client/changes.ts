/** Waits for conditions without polling. */
export interface Changes {
  /** Reports a change: every wait checks its condition again. */
  notify(): void
  /**
   * Resolves with the first value other than undefined that `find` returns, now or after a change.
   * @param describe States what was expected and what was found instead, for the error after `deadlineMs`.
   */
  until<Value>(find: () => Value | undefined, deadlineMs: number, describe: () => string): Promise<Value>
  /** Rejects all current and future waits with this error. */
  fail(error: Error): void
}

export const createChanges = (): Changes => {
  const waiting = new Set<() => void>()
  let failure: Error | null = null
  const notify = (): void => {
    for (const look of [...waiting]) look()
  }
  return {
    notify,
    until: (find, deadlineMs, describe) =>
      new Promise((resolve, reject) => {
        const settle = (): void => {
          waiting.delete(look)
          clearTimeout(timer)
        }
        const look = (): void => {
          try {
            const value = find()
            if (value === undefined && failure === null) return
            settle()
            if (value !== undefined) resolve(value)
            else reject(failure)
          } catch (error) {
            settle()
            reject(error)
          }
        }
        const timer = setTimeout(() => {
          waiting.delete(look)
          reject(new Error(`${describe()} (waited ${deadlineMs} ms)`))
        }, deadlineMs)
        waiting.add(look)
        look()
      }),
    fail: (error) => {
      failure ??= error
      notify()
    },
  }
}
