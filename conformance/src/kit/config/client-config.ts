/** Deadlines for a client. A wait ends as soon as its condition is true, so only a failing client reaches them. */
export interface ClientDeadlines {
  /** For the adapter's hello, in milliseconds. Default 30 000. */
  readonly startMs?: number
  /**
   * For one step of a check, such as the result of a command or the arrival of a request, in milliseconds.
   * Default 30 000.
   */
  readonly stepMs?: number
}

/** A client under test: a program that offers the client through the protocol of `kit/client/PROTOCOL.md`. */
export interface ClientConfig {
  /**
   * The adapter program and its arguments: `['python3', 'examples/python-client/adapter.py']`. Started without a shell.
   */
  readonly command: readonly [string, ...string[]]
  /** Its name in reports. Default: the name in the adapter's hello. */
  readonly name?: string
  /** The adapter's working directory. Default: that of the suite. */
  readonly cwd?: string
  /** Environment variables, in addition to those of the suite. */
  readonly env?: Readonly<Record<string, string>>
  /** Maximum number of concurrent checks, each with its own adapter process. Default 4. */
  readonly concurrency?: number
  readonly deadlines?: ClientDeadlines
}

/** The type of a configuration file's default export. */
export type ClientConfigSource = ClientConfig | (() => ClientConfig | Promise<ClientConfig>)

/** Types a configuration file: `export default defineClientConfig({ … })`. */
export const defineClientConfig = (source: ClientConfigSource): ClientConfigSource => source
