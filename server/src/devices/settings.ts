/** The settings of a worker. */
export interface WorkerSettings {
  /** How often devices are announced, and runs and undecided approvals polled. */
  readonly heartbeatMs: number
  /** Maximum runs executed at once for each device. Runs that wait for an approval do not count. */
  readonly runConcurrency: number
  /** Maximum runs for each device, including those that wait for an approval. */
  readonly heldRuns: number
  /** Maximum number of runs that one claim takes. */
  readonly claimBatch: number
  /** Deltas of one run that arrive within this time are written in one statement. */
  readonly deltaMs: number
  /**
   * Maximum UTF-8 bytes of a run's text and data; beyond it the run fails with OUTPUT_TOO_LARGE. It must be at least
   * the maximum input, which echo returns.
   */
  readonly outputBytes: number
  /** Whether a run's error contains its assistant's exception, which may hold secrets: for development only. */
  readonly showAssistantErrors: boolean
  /** How long a worker that shuts down lets its runs continue. */
  readonly shutdownGraceMs: number
  /** How long the runs may then take to stop. The reports after that may take as long again. */
  readonly shutdownStopMs: number
}

/** After the grace period, a shutdown takes less than 10 s in all (D-49, D-73). */
export const DEFAULT_WORKER_SETTINGS: WorkerSettings = {
  heartbeatMs: 1000,
  runConcurrency: 64,
  heldRuns: 1000,
  claimBatch: 16,
  deltaMs: 15,
  outputBytes: 1024 * 1024,
  showAssistantErrors: false,
  shutdownGraceMs: 20_000,
  shutdownStopMs: 1500,
}
