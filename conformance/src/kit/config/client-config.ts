/** How long the suite waits for a client. A wait ends as soon as its condition holds; only a failing client uses these up. */
export interface ClientDeadlines {
  /** For the adapter to say hello, in milliseconds. Default 30 000. */
  readonly startMs?: number
  /** For one step of a check: a command to be answered, a request to come. In milliseconds. Default 30 000. */
  readonly stepMs?: number
}

/** A client under test: a program that puts the client behind the protocol of `kit/client/PROTOCOL.md`. */
export interface ClientConfig {
  /** The adapter program and its arguments: `['python3', 'examples/python-client/adapter.py']`. Started without a shell. */
  readonly command: readonly [string, ...string[]]
  /** How reports name the client. Default: the name that the adapter says. */
  readonly name?: string
  /** Where the adapter is started. Default: the suite's own working directory. */
  readonly cwd?: string
  /** Added to the suite's own environment. */
  readonly env?: Readonly<Record<string, string>>
  /** Checks at once, each with an adapter process of its own. Default 4. */
  readonly concurrency?: number
  readonly deadlines?: ClientDeadlines
}

/** What a configuration file exports as `default`. */
export type ClientConfigSource = ClientConfig | (() => ClientConfig | Promise<ClientConfig>)

/** Types a configuration file: `export default defineClientConfig({ … })`. */
export const defineClientConfig = (source: ClientConfigSource): ClientConfigSource => source
