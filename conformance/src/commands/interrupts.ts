/** How a run of the suite handles Ctrl-C and similar signals. */
export interface Interrupts {
  /** Aborted by the first signal. A second one ends the process immediately. */
  readonly signal: AbortSignal
  /** The exit code of an interrupted program; null if no signal has arrived. */
  exitCode(): number | null
  release(): void
}

const EXIT_CODES = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 } as const

export function listenForInterrupts(log: (text: string) => void): Interrupts {
  const over = new AbortController()
  let code: number | null = null
  const listeners = Object.entries(EXIT_CODES).map(([name, exitCode]) => {
    const listener = (): void => {
      if (code !== null) process.exit(exitCode)
      code = exitCode
      log('\nInterrupted: stopping all started processes. Interrupt again to exit immediately.\n')
      over.abort()
    }
    process.on(name, listener)
    return () => process.off(name, listener)
  })
  return {
    signal: over.signal,
    exitCode: () => code,
    release: () => {
      for (const remove of listeners) remove()
    },
  }
}
