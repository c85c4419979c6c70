/** Clock and random numbers, which tests replace. */
export interface Timing {
  /** Milliseconds since the epoch, for handles and signatures. */
  now(): number
  /** Monotonic milliseconds, for durations; unaffected when the system clock is set back. */
  elapsed(): number
  /** From 0 (included) to 1 (excluded). */
  random(): number
  /** Calls back once after `delayMs`; the returned function cancels it. */
  after(delayMs: number, callback: () => void): () => void
}

export const systemTiming: Timing = {
  now: () => Date.now(),
  elapsed: () => Math.round(performance.now()),
  random: () => Math.random(),
  after(delayMs, callback) {
    // A longer delay would overflow the timer and fire at once.
    const timer = setTimeout(callback, Math.min(delayMs, 2 ** 31 - 1))
    return () => clearTimeout(timer)
  },
}

/** Waits; rejects with the signal's reason as soon as it is aborted. */
export const sleep = (timing: Timing, delayMs: number, signal?: AbortSignal): Promise<void> =>
  new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason)
    const abort = (): void => {
      cancel()
      reject(signal?.reason)
    }
    const cancel = timing.after(delayMs, () => {
      signal?.removeEventListener('abort', abort)
      resolve()
    })
    signal?.addEventListener('abort', abort, { once: true })
  })
