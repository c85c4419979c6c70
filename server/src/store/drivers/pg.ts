import { Client, type ClientConfig } from 'pg'
import type { Logger } from 'pino'
import type { Db, Statement } from '../db.ts'
import { createClientDb } from './client-db.ts'
import { createLanes } from './lanes.ts'
import { ONE_PLAN } from './one-plan.ts'
import { createPgListener } from './pg-listener.ts'
import { rowTypes } from './row-types.ts'

export interface PgDbOptions {
  /** `postgres://user:password@host:port/database`, with the parameters that pg knows (`sslmode` …). */
  readonly url: string
  /** Connections for statements and transactions; notifications use one or two more. Default 16. */
  readonly poolSize?: number
  /** The server cancels a statement after this time and the caller sees `DatabaseUnavailable`. Default 30 000. */
  readonly statementTimeoutMs?: number
  /** How long opening a connection may take. Default 5000. */
  readonly connectTimeoutMs?: number
  readonly log?: Pick<Logger, 'info' | 'warn'>
}

/** A server that has not answered for this many statement timeouts is out of reach. */
const ANSWER_TIMEOUT_FACTOR = 1.5
const KEEP_ALIVE_AFTER_MS = 15_000

const NOTIFY: Statement = {
  name: 'notify',
  text: 'select pg_notify($1, payload) from json_array_elements_text($2::json) as payload',
}

/**
 * PostgreSQL. Nothing is connected before the first statement, and a server that comes back is used again by the
 * next one: only statements that were on the way meanwhile are rejected, with `DatabaseUnavailable`.
 */
export const createPgDb = ({
  url,
  poolSize = 16,
  statementTimeoutMs = 30_000,
  connectTimeoutMs = 5000,
  log,
}: PgDbOptions): Db => {
  const config: ClientConfig = {
    connectionString: url,
    fallback_application_name: 'conversation-gateway',
    connectionTimeoutMillis: connectTimeoutMs,
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_AFTER_MS,
    types: rowTypes,
    pipeline: true,
  }
  const createClient = (): Client => new Client(config)
  // What the store relies on, whatever the defaults of the server or the role are.
  const setup = `set datestyle to iso; set default_transaction_isolation to 'read committed'; set statement_timeout to ${statementTimeoutMs}; ${ONE_PLAN}`
  const answerTimeoutMs = statementTimeoutMs * ANSWER_TIMEOUT_FACTOR

  // A quarter stays out of the reach of transactions, so that single statements always find a connection.
  const takenAtMost = Math.max(1, Math.floor(poolSize * 0.75))
  const lanes = createLanes({ size: poolSize, takenAtMost, createClient, setup })
  const notifyLanes = createLanes({
    size: 1,
    takenAtMost: 0,
    createClient,
    setup: `${setup}; set synchronous_commit to off`,
  })
  const notifyDb = createClientDb({ lanes: notifyLanes, answerTimeoutMs })
  const listener = createPgListener({ createClient, log })

  return {
    kind: 'postgres',
    ...createClientDb({ lanes, answerTimeoutMs }),
    listen: listener.listen,
    notify: async (channel, payloads) => {
      if (payloads.length > 0) await notifyDb.query(NOTIFY, [channel, JSON.stringify(payloads)])
    },
    close: async () => {
      await Promise.all([lanes.close(), notifyLanes.close(), listener.close()])
    },
  }
}
