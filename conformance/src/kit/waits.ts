/** Something that a check waits for. */
export interface Wait {
  /** In words: `the answer to GET /api/v1/runs/run_1`. */
  readonly what: string
  /** Which part it waits for: the system under test, or the driver of its configuration. */
  readonly on: 'system' | 'driver'
}

/** The current waits of a check, so that a check that times out can report them. */
export interface Waits {
  /** Registers a wait until the promise settles. Settles as the promise does. */
  during<Value>(what: string, promise: Promise<Value>, on?: Wait['on']): Promise<Value>
  /** The current waits, the longest first. */
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
