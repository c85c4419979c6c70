import { vi } from 'vitest'

/** Waits until an expectation passes. Fails after 50 seconds, before the default timeout of a test. */
export const untilHolds = (expectation: () => void | Promise<void>): Promise<void> =>
  vi.waitFor(expectation, { timeout: 50_000, interval: 5 })
