import crypto from 'node:crypto'
import { syncBuiltinESMExports } from 'node:module'
import { type MockInstance, onTestFinished, vi } from 'vitest'

/** Records the comparisons in constant time, which go on as they are, to the end of the test. */
export const watchComparisons = (): MockInstance<typeof crypto.timingSafeEqual> => {
  const compare = vi.spyOn(crypto, 'timingSafeEqual')
  // Whoever imported the function by its name has the watched one too, also where the module is older than the test.
  syncBuiltinESMExports()
  onTestFinished(() => {
    compare.mockRestore()
    syncBuiltinESMExports()
  })
  return compare
}
