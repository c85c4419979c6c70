import { isIPv6 } from 'node:net'
import type { ConnectionOptions } from 'node:tls'
import type { Client } from 'pg'
import { DatabaseUnavailable } from '../db.ts'
import { toStoreError } from './database-errors.ts'
import { withTls } from './database-tls.ts'
import type { DatabaseServer, DatabaseUrl } from './database-url.ts'

export interface ConnectorOptions extends Pick<DatabaseUrl, 'servers' | 'attributes' | 'tls'> {
  /** A client of this server, not connected yet, with TLS or without. */
  readonly createClient: (server: DatabaseServer, ssl: ConnectionOptions | false) => Client
  /** Timeout for the setup of a new connection, in milliseconds. */
  readonly answerTimeoutMs: number
}

/** Finds the server to use among those of `DATABASE_URL`. */
export interface Connector {
  /**
   * A connection on which `setup` has run, to the first server that satisfies `target_session_attrs`. The last used
   * server is tried first.
   * @throws {DatabaseUnavailable} no server does; the message gives the reason for each.
   */
  connect(setup: string): Promise<Client>
}

interface SessionState {
  readonly standby: boolean
  readonly readOnly: boolean
}

const READ_STATE = `select pg_is_in_recovery() as standby, current_setting('transaction_read_only')::boolean as "readOnly"`

export const createConnector = ({
  servers,
  attributes,
  tls,
  createClient,
  answerTimeoutMs,
}: ConnectorOptions): Connector => {
  let lastUsed = servers[0]

  const connectTo = async (server: DatabaseServer, ssl: ConnectionOptions | false, setup: string): Promise<Client> => {
    const client = createClient(server, ssl)
    // Users of the connection add their own listeners; without any listener an error would crash the process.
    let fault: Error | null = null
    client.on('error', (error) => {
      fault = error
    })
    try {
      await client.connect()
      const answer = { text: `${setup}; ${READ_STATE}`, query_timeout: answerTimeoutMs }
      const obstacle = obstacleOf(await lastRow(client, answer), attributes)
      if (obstacle !== null) throw new Error(obstacle)
      return client
    } catch (error) {
      void client.end()
      throw toStoreError(error, { fault, commits: false })
    }
  }

  return {
    connect: async (setup) => {
      const failures: { readonly server: DatabaseServer; readonly error: unknown }[] = []
      for (const server of [...servers].sort((a, b) => Number(b === lastUsed) - Number(a === lastUsed))) {
        try {
          const client = await withTls(tls, server.host, (ssl) => connectTo(server, ssl, setup))
          lastUsed = server
          return client
        } catch (error) {
          failures.push({ server, error })
        }
      }
      const reasons = failures.map(({ server, error }) =>
        servers.length === 1 ? messageOf(error) : `${placeOf(server)}: ${messageOf(error)}`,
      )
      throw new DatabaseUnavailable(reasons.join('; '), { cause: causeOf(failures[0]?.error) })
    },
  }
}

/** The row of the last of several statements. */
const lastRow = async (client: Client, command: { text: string; query_timeout: number }): Promise<SessionState> => {
  const results: unknown = await client.query(command)
  const last: unknown = Array.isArray(results) ? results.at(-1) : results
  const { rows } = last as { rows: readonly SessionState[] }
  const [row] = rows
  if (row === undefined) throw new Error('the server does not say whether it takes writes')
  return row
}

/** Why the server does not satisfy the requirement; null if it does. */
const obstacleOf = ({ standby, readOnly }: SessionState, attributes: DatabaseUrl['attributes']): string | null => {
  if (attributes === 'any') return null
  if (standby) return 'the server is a standby and takes no writes'
  return readOnly && attributes === 'read-write'
    ? 'the server takes no writes (default_transaction_read_only is on)'
    : null
}

const placeOf = ({ host, port }: DatabaseServer): string => `${isIPv6(host) ? `[${host}]` : host}:${port}`

/** The driver's error that the store's error wraps. */
const causeOf = (error: unknown): unknown => (error instanceof DatabaseUnavailable ? (error.cause ?? error) : error)

const messageOf = (error: unknown): string => (error instanceof Error ? error.message || error.name : String(error))
