/** How long the suite waits for a worker. A wait ends as soon as its condition holds; only a failing worker uses these up. */
export interface WorkerDeadlines {
  /** For one step of a check: a request to come, the program to end. In milliseconds. Default 30 000. */
  readonly stepMs?: number
}

/**
 * A worker under test: a program that serves one device of the gateway at `GATEWAY_BASE_URL` with the key in `GATEWAY_DEVICE_KEY`,
 * until SIGTERM. It executes the runs of the service in `SERVICES` with an assistant that follows scripts, as
 * `SCRIPTS.md` describes them.
 */
export interface WorkerConfig {
  /** The program and its arguments: `['python3', 'worker.py']`. Started without a shell, anew for each check. */
  readonly command: readonly [string, ...string[]]
  /** How reports name the worker. Default: the command. */
  readonly name?: string
  /** Where the program is started. Default: the suite's own working directory. */
  readonly cwd?: string
  /** Added to the suite's own environment. */
  readonly env?: Readonly<Record<string, string>>
  /** Checks at once, each with a program of its own. Default 4. */
  readonly concurrency?: number
  readonly deadlines?: WorkerDeadlines
}

/** What a configuration file exports as `default`. */
export type WorkerConfigSource = WorkerConfig | (() => WorkerConfig | Promise<WorkerConfig>)

/** Types a configuration file: `export default defineWorkerConfig({ … })`. */
export const defineWorkerConfig = (source: WorkerConfigSource): WorkerConfigSource => source
