/** Something that a check waits for. */
export interface Wait {
  /** In words: `the answer to GET /api/v1/runs/run_1`. */
  readonly what: string
  /** Who keeps it waiting: the system under test, or what its configuration provides. */
  readonly on: 'system' | 'driver'
}

/** What a check waits for at present, so that one that runs out of time can say what it was. */
export interface Waits {
  /** Names what is waited for until the promise is settled. Settles as it does. */
  during<Value>(what: string, promise: Promise<Value>, on?: Wait['on']): Promise<Value>
  /** What is waited for now, the longest wait first. */
  list(): readonly Wait[]
}

export function createWaits(): Waits {
  const open = new Set<Wait>()
  return {
    during: async (what, promise, on = 'system') => {
      const wait = { what, on }
      open.add(wait)
      try {
        return await promise
      } finally {
        open.delete(wait)
      }
    },
    list: () => [...open],
  }
}
