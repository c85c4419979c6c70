/** Tells those who wait that something happened. */
export interface Bell {
  /** Resolves when the bell rings next. */
  next(): Promise<void>
  ring(): void
}

export const createBell = (): Bell => {
  let waiting = Promise.withResolvers<void>()
  return {
    next: () => waiting.promise,
    ring: () => {
      const rung = waiting
      waiting = Promise.withResolvers<void>()
      rung.resolve()
    },
  }
}
