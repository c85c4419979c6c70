/** Deadlines for a worker. A wait ends as soon as its condition is true, so only a failing worker reaches them. */
export interface WorkerDeadlines {
  /**
   * For one step of a check, such as the arrival of a request or the end of the program, in milliseconds.
   * Default 30 000.
   */
  readonly stepMs?: number
}

/**
 * A worker under test: a program that serves one device of the gateway at `GATEWAY_BASE_URL` with the key in
 * `GATEWAY_DEVICE_KEY`, until SIGTERM. It executes the runs of the service in `SERVICES` with an assistant that follows
 * the scripts of `SCRIPTS.md`.
 */
export interface WorkerConfig {
  /** The program and its arguments: `['python3', 'worker.py']`. Each check starts it, without a shell. */
  readonly command: readonly [string, ...string[]]
  /** Its name in reports. Default: the command. */
  readonly name?: string
  /** The program's working directory. Default: that of the suite. */
  readonly cwd?: string
  /** Environment variables, in addition to those of the suite. */
  readonly env?: Readonly<Record<string, string>>
  /** Maximum number of concurrent checks, each with its own program. Default 4. */
  readonly concurrency?: number
  readonly deadlines?: WorkerDeadlines
}

/** The type of a configuration file's default export. */
export type WorkerConfigSource = WorkerConfig | (() => WorkerConfig | Promise<WorkerConfig>)

/** Types a configuration file: `export default defineWorkerConfig({ … })`. */
export const defineWorkerConfig = (source: WorkerConfigSource): WorkerConfigSource => source
