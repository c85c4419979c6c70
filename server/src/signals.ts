/** What to do when the process is asked to end. */
type OnSignal = (signal: NodeJS.Signals) => void

const SIGNALS = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const

let current: OnSignal | null = null

/** Says what a signal leads to from now on. */
export const onSignal = (next: OnSignal): void => {
  if (current === null) for (const signal of SIGNALS) process.on(signal, () => current?.(signal))
  current = next
}
