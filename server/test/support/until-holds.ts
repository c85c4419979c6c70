import { vi } from 'vitest'

/** Waits until an expectation passes. Fails shortly before the test would time out. */
export const untilHolds = (expectation: () => void | Promise<void>): Promise<void> =>
  vi.waitFor(expectation, { timeout: 50_000, interval: 5 })
