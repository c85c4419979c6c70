import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Logger } from 'pino'
import type { Db } from '../db.ts'
import { createClientDb } from './client-db.ts'
import { createConnectionPool } from './connection-pool.ts'
import { type EngineThread, openEngineThread } from './engine-thread.ts'
import { lockFolder } from './folder-lock.ts'
import { DEADLINE_MS, WAITING_AT_MOST } from './limits.ts'
import { ONE_PLAN } from './one-plan.ts'
import { createOutageLog } from './outage-log.ts'
import { createPgliteClient } from './pglite-connection.ts'
import type { Reopening } from './pglite-engine.ts'
import { createEngine } from './pglite-engine.ts'
import { makeContentPrivate, preparePrivateFolder } from './private-folder.ts'

export interface PgliteFolderOptions {
  /** The data folder: created if it is missing, made inaccessible to other users, and locked for this process. */
  readonly folder: string
  /** Timeout for the single connection, after which work is rejected with `DatabaseUnavailable`. Default 10 000. */
  readonly deadlineMs?: number
  readonly log?: Pick<Logger, 'info' | 'warn'>
  /** Copies a prepared database into a new folder, or leaves initialisation to the engine, which takes seconds. */
  readonly prepare?: (place: string) => Promise<void>
}

export interface PgliteMemoryOptions {
  readonly memory: true
  /** A data directory to start from, as `PGlite.dumpDataDir` gives it. */
  readonly dump?: Blob
}

/** With one connection there are no lock waits. */
const NO_LOCKS = { places: 1, waitingAtMost: 0 }

/**
 * Statistics from 3,000 instead of 30,000 sample rows: all requests wait during `analyze`, and plans here only need
 * table sizes.
 */
const SHORT_ANALYZE = 'set default_statistics_target to 10'

/** Opening takes 0.3 to 4 seconds; a longer one is logged periodically. */
const SLOW_OPEN_MS = 5000

/**
 * The embedded database. It has one connection: transactions and statements queue up. It survives the death of the
 * process, not the loss of power (D-52).
 * @throws {FolderInUse} the folder is already open.
 * @throws {FolderNotPrivate} the folder is another user's, or one that all users share.
 */
export const createPgliteDb = async (options: PgliteFolderOptions | PgliteMemoryOptions): Promise<Db> => {
  if ('memory' in options) {
    const { dump } = options
    return overEngine(await openEngineThread(dump === undefined ? {} : { loadDataDir: dump }))
  }
  const { folder, log, deadlineMs, prepare } = options
  const place = join(folder, 'pglite')
  preparePrivateFolder(folder)
  const lock = lockFolder(folder)
  try {
    if (!existsSync(place)) await prepare?.(place)
    const thread = await openFolder(place, log)
    // The engine creates a database that is readable by all; later files inherit the modes set here.
    makeContentPrivate(folder, place)
    const reopening = { folder, open: () => openFolder(place, log) }
    return overEngine(thread, {
      reopening,
      afterClose: lock.release,
      log,
      ...(deadlineMs === undefined ? {} : { deadlineMs }),
    })
  } catch (error) {
    lock.release()
    throw error
  }
}

const openFolder = async (folder: string, log: PgliteFolderOptions['log']): Promise<EngineThread> => {
  const startedAt = performance.now()
  const elapsedMs = (): number => Math.round(performance.now() - startedAt)
  log?.info({ folder }, 'opening the embedded database')
  const slow = setInterval(() => {
    log?.warn(
      { folder, elapsed_ms: elapsedMs() },
      'the embedded database is still opening; after a kill it first recovers. If this continues, stop the process and start it again',
    )
  }, SLOW_OPEN_MS)
  try {
    const thread = await openEngineThread({ dataDir: folder })
    log?.info({ folder, elapsed_ms: elapsedMs() }, 'the embedded database is open')
    return thread
  } finally {
    clearInterval(slow)
  }
}

interface OverEngineOptions {
  /** Reopens the same database after the engine has crashed, for example because it could not write its log. */
  readonly reopening?: Reopening
  readonly afterClose?: () => void
  readonly deadlineMs?: number
  readonly log?: Pick<Logger, 'warn'> | undefined
}

/** The Db over an opened engine, which `close` closes. */
const overEngine = (
  opened: EngineThread,
  { reopening, afterClose = () => {}, deadlineMs = DEADLINE_MS, log }: OverEngineOptions = {},
): Db => {
  const engine = createEngine(opened, reopening)
  const pool = createConnectionPool({
    size: 1,
    connect: async () => {
      const thread = await engine.use()
      const client = createPgliteClient(thread, () => engine.breakDown(thread))
      await client.connect()
      await client.query(`set default_transaction_isolation to 'read committed'; ${SHORT_ANALYZE}; ${ONE_PLAN}`)
      return client
    },
    waitingAtMost: WAITING_AT_MOST,
  })
  const listeners = new Set<{ channel: string; onMessage: (payload: string) => void }>()
  return {
    kind: 'embedded',
    ...createClientDb({
      pool,
      deadlineMs,
      closesUnanswered: false,
      logOutage: createOutageLog(log),
      lockWaits: NO_LOCKS,
    }),
    // The folder has one process, so its notifications need not pass through the database.
    lostListeners: () => 0,
    listen: async (channel, onMessage) => {
      const listener = { channel, onMessage }
      listeners.add(listener)
      return {
        close: async () => {
          listeners.delete(listener)
        },
      }
    },
    notify: async (channel, payloads) => {
      for (const listener of listeners) {
        if (listener.channel === channel)
          for (const payload of payloads) queueMicrotask(() => listener.onMessage(payload))
      }
    },
    close: async () => {
      await pool.close()
      listeners.clear()
      await engine.close()
      afterClose()
    },
  }
}
