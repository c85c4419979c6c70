import { UntestableError } from '../check.ts'

/** Delays of a stop, tried in order. The first one suffices unless the machine is busy. */
const STOP_DELAYS_MS = [400, 1600, 6400] as const

/**
 * Observes something during a slow stop. `observe` starts the stop with the given delay, makes its observation, and
 * then returns whether the stop was already over. If so, the observation is discarded, and a longer delay is tried.
 * @throws {UntestableError} The observation took as long as the stop. A gateway may answer only after the stop, so this
 * is not a fault.
 * @throws {Error} The stop was over before the work can have stopped.
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
  if (isSlow) throw new UntestableError('answers arrive only after the stop has ended')
  throw new Error(`the stop was over before the work had stopped, which takes ${STOP_DELAYS_MS.at(-1)} ms here`)
}
