import type { ConnectionOptions } from 'node:tls'
import { Client } from 'pg'
import { withTls } from './database-tls.ts'
import type { DatabaseServer } from './database-url.ts'
import { parseDatabaseUrl } from './database-url.ts'

/** Timeout of each step, in milliseconds. No step waits for a lock. */
const ANSWER_MS = 3000
const PID = 'select pg_backend_pid() as pid'

/**
 * Whether sessions are shared behind the first server that answers, as PgBouncer does in transaction mode: prepared
 * statements, settings and notifications are then lost in the next transaction. For a direct connection, the check
 * costs one connection and one round trip. If the check is inconclusive, no pooler is assumed.
 */
export const sharesSessions = async (databaseUrl: string): Promise<boolean> => {
  const target = parseDatabaseUrl(databaseUrl)
  if ('fault' in target) return false
  for (const server of target.servers) {
    const open = () => withTls(target.tls, server.host, (ssl) => connect(server, ssl))
    const verdict = await examine(open).catch(() => null)
    if (verdict !== null) return verdict
  }
  return false
}

const examine = async (open: () => Promise<Client>): Promise<boolean> => {
  const first = await open()
  try {
    const pid = await pidOf(first)
    // A pooler reports its own process ID for cancelling; only a statement returns the session's real one.
    if (Reflect.get(first, 'processID') === pid) return false
    const second = await open()
    try {
      await second.query('begin')
      if ((await pidOf(second)) === pid) return true
      // The second connection now holds a session. Only without a pooler does the first connection still answer, from
      // the same session.
      return (await pidOf(first).catch(() => null)) !== pid
    } finally {
      await second.end()
    }
  } finally {
    await first.end()
  }
}

const connect = async ({ url }: DatabaseServer, ssl: ConnectionOptions | false): Promise<Client> => {
  const timeouts = { connectionTimeoutMillis: ANSWER_MS, query_timeout: ANSWER_MS }
  const client = new Client({ connectionString: url, ssl, ...timeouts })
  client.on('error', () => {})
  await client.connect()
  return client
}

const pidOf = async (client: Client): Promise<number | null> => {
  const { rows } = await client.query<{ pid: number }>(PID)
  return rows[0]?.pid ?? null
}
