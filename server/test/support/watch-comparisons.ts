import crypto from 'node:crypto'
import { syncBuiltinESMExports } from 'node:module'
import { type MockInstance, onTestFinished, vi } from 'vitest'

/** Spies on the constant-time comparisons until the end of the test, without changing them. */
export const watchComparisons = (): MockInstance<typeof crypto.timingSafeEqual> => {
  const compare = vi.spyOn(crypto, 'timingSafeEqual')
  // Also replaces the function in modules that imported it by name before.
  syncBuiltinESMExports()
  onTestFinished(() => {
    compare.mockRestore()
    syncBuiltinESMExports()
  })
  return compare
}
