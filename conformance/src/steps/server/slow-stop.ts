/** Delays of a stop that are tried in turn: the first is enough unless the machine is busy. */
const STOP_DELAYS_MS = [400, 1600, 6400] as const

/**
 * Observes something while a slow stop is under way. `observe` starts it with the given delay, looks, and says at last
 * whether it was over by then; if so the observation is worth nothing, and a longer delay is tried.
 * @throws {Error} when it is always over.
 */
export async function observeDuringStop<Seen extends { readonly over: boolean }>(
  observe: (stopDelayMs: number) => Promise<Seen>,
): Promise<Seen> {
  for (const delayMs of STOP_DELAYS_MS) {
    const seen = await observe(delayMs)
    if (!seen.over) return seen
  }
  throw new Error(`it was over long before the work had stopped, which takes ${STOP_DELAYS_MS.at(-1)} ms here`)
}
