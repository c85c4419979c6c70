import { Client, type ClientConfig } from 'pg'
import type { Logger } from 'pino'
import type { Db, Statement } from '../db.ts'
import { createClientDb, SERVER_SHARE } from './client-db.ts'
import { createConnectionPool } from './connection-pool.ts'
import { createConnector } from './connector.ts'
import { parseDatabaseUrl } from './database-url.ts'
import { DEADLINE_MS, WAITING_AT_MOST } from './limits.ts'
import { ONE_PLAN } from './one-plan.ts'
import { createOutageLog } from './outage-log.ts'
import type { Heartbeat } from './pg-listener.ts'
import { createPgListener } from './pg-listener.ts'
import { rowTypes } from './row-types.ts'

export interface PgDbOptions {
  /**
   * `postgres://user:password@host:port/database`, with several hosts and other options of `parseDatabaseUrl` and pg.
   */
  readonly url: string
  /** Connections for statements and transactions; notifications use one or two more. Default 16. */
  readonly poolSize?: number
  /** Timeout of a statement or transaction, after which it is rejected with `DatabaseUnavailable`. Default 10 000. */
  readonly deadlineMs?: number
  /** Connections are replaced at about this age. Default 30 minutes. */
  readonly maxAgeMs?: number
  /** Timeout for connecting to each server. Default 5000, or 2000 with several servers. */
  readonly connectTimeoutMs?: number
  /**
   * How the connection that listens for notifications is tested. Default: every second, with a deadline of 2.5 seconds.
   */
  readonly heartbeat?: Heartbeat
  readonly log?: Pick<Logger, 'info' | 'warn'>
}

const MAX_AGE_MS = 30 * 60_000
const CONNECT_TIMEOUT_MS = 5000
const CONNECT_TIMEOUT_SEVERAL_SERVERS_MS = 2000
const KEEP_ALIVE_AFTER_MS = 15_000
/** Detects a dead connection within 3.5 seconds, which leaves time to reconnect within five. */
const HEARTBEAT: Heartbeat = { everyMs: 1000, deadlineMs: 2500 }
/** Lock timeout, after which the statement is retried in the lock wait queue. */
const LOCK_TIMEOUT_MS = 100
/** Maximum statements in the lock wait queue. */
const WAITING_FOR_LOCKS_AT_MOST = 250

const NOTIFY: Statement = {
  name: 'notify',
  access: 'write',
  text: 'select pg_notify($1, payload) from json_array_elements_text($2::json) as payload',
}

/**
 * PostgreSQL. Connects at the first statement. During an outage statements are rejected with `DatabaseUnavailable`; the
 * next one after it reconnects. Of several servers it uses the writable one; if that becomes read-only, the next
 * statement finds the new one.
 * @throws when `url` is invalid.
 */
export const createPgDb = ({
  url,
  poolSize = 16,
  deadlineMs = DEADLINE_MS,
  maxAgeMs = MAX_AGE_MS,
  connectTimeoutMs,
  heartbeat = HEARTBEAT,
  log,
}: PgDbOptions): Db => {
  const target = parseDatabaseUrl(url)
  if ('fault' in target) throw new Error(`the URL of the database ${target.fault}`)
  const answerTimeoutMs =
    connectTimeoutMs ?? (target.servers.length === 1 ? CONNECT_TIMEOUT_MS : CONNECT_TIMEOUT_SEVERAL_SERVERS_MS)
  const config: ClientConfig = {
    fallback_application_name: 'conversation-gateway',
    connectionTimeoutMillis: answerTimeoutMs,
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_AFTER_MS,
    types: rowTypes,
    pipeline: true,
  }
  const connector = createConnector({
    ...target,
    createClient: (server, ssl) => new Client({ ...config, connectionString: server.url, ssl }),
    answerTimeoutMs,
  })

  // At most a quarter of the connections, but at least one, may wait for locks, so that other statements can proceed.
  const lockWaits = { places: Math.max(1, Math.floor(poolSize / 4)), waitingAtMost: WAITING_FOR_LOCKS_AT_MOST }
  const setup = sessionSetup(deadlineMs)
  const pool = createConnectionPool({
    size: poolSize,
    connect: () => connector.connect(setup),
    waitingAtMost: WAITING_AT_MOST,
    maxAgeMs,
  })
  const notifyPool = createConnectionPool({
    size: 1,
    connect: () => connector.connect(`${setup}; set synchronous_commit to off`),
    waitingAtMost: WAITING_AT_MOST,
    maxAgeMs,
  })
  const common = { deadlineMs, closesUnanswered: true, logOutage: createOutageLog(log), lockWaits }
  const notifyDb = createClientDb({ ...common, pool: notifyPool })
  const listener = createPgListener({ connect: () => connector.connect(setup), maxAgeMs, heartbeat, log })

  return {
    kind: 'postgres',
    ...createClientDb({ ...common, pool }),
    listen: listener.listen,
    lostListeners: listener.lostListeners,
    notify: async (channel, payloads) => {
      if (payloads.length > 0) await notifyDb.query(NOTIFY, [channel, JSON.stringify(payloads)])
    },
    close: async () => {
      await Promise.all([pool.close(), notifyPool.close(), listener.close()])
    },
  }
}

/** Settings that the store relies on, independent of server and role defaults. */
const sessionSetup = (deadlineMs: number): string => {
  const statementMs = Math.max(1, Math.floor(deadlineMs * SERVER_SHARE))
  return [
    "set client_encoding to 'UTF8'",
    'set datestyle to iso',
    'set standard_conforming_strings to on',
    'set extra_float_digits to 1',
    'set bytea_output to hex',
    "set default_transaction_isolation to 'read committed'",
    `set statement_timeout to ${statementMs}`,
    `set lock_timeout to ${Math.min(LOCK_TIMEOUT_MS, statementMs)}`,
    // A process that stalls in a transaction must not hold its locks longer than others wait for them.
    `set idle_in_transaction_session_timeout to ${deadlineMs}`,
    ONE_PLAN,
  ].join('; ')
}
