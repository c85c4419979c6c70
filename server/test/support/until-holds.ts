import { vi } from 'vitest'

/** Waits until an expectation holds; gives up only when the test itself is about to. */
export const untilHolds = (expectation: () => void | Promise<void>): Promise<void> =>
  vi.waitFor(expectation, { timeout: 50_000, interval: 5 })
