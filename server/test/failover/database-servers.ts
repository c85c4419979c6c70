/** PostgreSQL servers that hold the same data, one of which accepts writes. */
export interface DatabaseServers {
  /** `DATABASE_URL` that names all of them. */
  readonly url: string
  /** Kills the server that accepts writes; resolves when another one accepts them. */
  failOver(): Promise<void>
  /** Starts the killed server again; resolves when it follows the new primary and there is a synchronous standby. */
  restore(): Promise<void>
  stop(): Promise<void>
}
