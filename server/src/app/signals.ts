/** What to do when the process is asked to end. */
type OnSignal = (signal: NodeJS.Signals) => void

const SIGNALS = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const

let current: OnSignal | null = null

/** Sets the handler of later signals. */
export const onSignal = (next: OnSignal): void => {
  if (current === null) for (const signal of SIGNALS) process.on(signal, () => current?.(signal))
  current = next
}

/** A terminal and a parent process may both send the same signal. */
const SAME_SIGNAL_MS = 500

/** The first signal begins the end of the process; a later one, unless it is such a duplicate, ends it at once. */
export const onEndSignals = (begin: OnSignal, endAtOnce: OnSignal): void => {
  let begunAtMs: number | null = null
  onSignal((signal) => {
    if (begunAtMs === null) {
      begunAtMs = performance.now()
      begin(signal)
    } else if (performance.now() - begunAtMs > SAME_SIGNAL_MS) endAtOnce(signal)
  })
}
