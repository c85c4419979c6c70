import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Bytes } from './bytes.ts'
import { mapBytes } from './bytes.ts'

/** Sends nothing before `until` settles or `ended` aborts. */
export async function* delayed(bytes: Bytes, until: Promise<unknown>, ended: AbortSignal): Bytes {
  await Promise.race([until.catch(() => {}), aborted(ended)])
  return yield* bytes
}

/**
 * Splits every piece into smaller ones of these sizes, cycling through the list. Waits two iterations of the event loop
 * between them: after one, a reader in the same process may not have read the previous one yet.
 */
export const split = (bytes: Bytes, sizes: readonly number[]): Bytes => {
  let turn = 0
  return mapBytes(bytes, async function* (piece) {
    for (let rest = piece; rest.length > 0; turn += 1) {
      const size = sizes[turn % sizes.length] ?? rest.length
      yield rest.subarray(0, size)
      rest = rest.subarray(size)
      await nextTurn()
      await nextTurn()
    }
  })
}

/** Resolves when the signal aborts. */
export const aborted = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve()
    else signal.addEventListener('abort', () => resolve(), { once: true })
  })
