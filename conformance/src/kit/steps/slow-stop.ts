import { UntestableError } from '../check.ts'

/** Delays of a stop that are tried in turn: the first is enough unless the machine is busy. */
const STOP_DELAYS_MS = [400, 1600, 6400] as const

/**
 * Observes something while a slow stop is under way. `observe` starts it with the given delay, looks, and says at last
 * whether it was over by then; if so the observation is worth nothing, and a longer delay is tried.
 * @throws {UntestableError} where looking takes as long as the stop does: answers that come only when all has stopped are right,
 * and leave nothing to observe.
 * @throws {Error} when it is over although nothing can have stopped yet.
 */
export async function observeDuringStop<Seen extends { readonly over: boolean }>(
  observe: (stopDelayMs: number) => Promise<Seen>,
): Promise<Seen> {
  let isSlow = false
  for (const delayMs of STOP_DELAYS_MS) {
    const startedAt = performance.now()
    const seen = await observe(delayMs)
    if (!seen.over) return seen
    isSlow = performance.now() - startedAt >= delayMs
  }
  if (isSlow) throw new UntestableError('answers about a stop come no earlier than its end')
  throw new Error(`it was over long before the work had stopped, which takes ${STOP_DELAYS_MS.at(-1)} ms here`)
}
