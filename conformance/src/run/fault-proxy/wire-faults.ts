import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Bytes } from './bytes.ts'
import { mapBytes } from './bytes.ts'

/** Sends nothing before `until` settles or `over` aborts. */
export async function* delayed(bytes: Bytes, until: Promise<unknown>, over: AbortSignal): Bytes {
  await Promise.race([until.catch(() => {}), aborted(over)])
  return yield* bytes
}

/**
 * Cuts every piece into smaller ones of these sizes, in turn. Two turns of the event loop lie between two of them: after
 * one alone, a reader in the same process may not have looked yet.
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
