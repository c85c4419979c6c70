import type { Clock } from '@conversation-gateway/openapi/behaviour/clock'
import { systemClock } from '@conversation-gateway/openapi/behaviour/clock'
import type { Logger } from 'pino'
import type { DatabaseClock } from '../gateway/database/database-clock.ts'
import { followDatabaseClock } from '../gateway/database/database-clock.ts'
import { systemTimers } from '../runtime/timers.ts'
import { findDatabaseObstacle } from '../store/database-obstacle.ts'
import type { Db } from '../store/db.ts'
import { DatabaseUnavailable } from '../store/db.ts'
import { FolderInUse } from '../store/drivers/folder-lock.ts'
import { createPgDb } from '../store/drivers/pg.ts'
import { createPgliteDb } from '../store/drivers/pglite.ts'
import { sharesSessions } from '../store/drivers/pooler.ts'
import { FolderNotPrivate } from '../store/drivers/private-folder.ts'
import { MigrationRefused, migrate } from '../store/migrate.ts'
import { placePreparedDatabase } from '../store/prepared-database.ts'
import { StartRefused } from './program.ts'
import type { Config } from './settings/config.ts'

/** The database as the settings name it, with its schema up to date, and the clock that goes with it. */
export interface OpenDatabase {
  readonly db: Db
  /** PostgreSQL's clock, which all processes share; this machine's clock for the embedded database or if configured. */
  readonly clock: Clock
  /** How far this machine's clock is ahead of the database's, in seconds; null for the embedded database. */
  readonly clockOffsetSeconds: () => number | null
  close(): Promise<void>
}

/** Only the owner may read the files that this process writes beside an embedded database. */
const OWNER_ONLY_UMASK = 0o077

/** A process that follows the database's clock does not start if its own clock is further away than this (D-47). */
const START_OFFSET_SECONDS = 5

/** @throws {StartRefused} the database of the settings cannot be used. */
export const openDatabase = async (config: Config, log: Logger): Promise<OpenDatabase> => {
  let db: Db | null = null
  try {
    db = await connect(config, log)
    const obstacle = db.kind === 'postgres' ? await findDatabaseObstacle(db) : null
    if (obstacle !== null) throw new StartRefused(`DATABASE_URL: ${obstacle}`)
    const applied = await migrate(db)
    if (applied.length > 0) log.info({ migrations: applied }, 'the schema was brought up to date')
    const time = db.kind === 'embedded' ? null : await followDatabaseClock({ db, timers: systemTimers, log })
    if (time !== null && config.clock === 'database') refuseFarClock(time)
    return present(db, time, config)
  } catch (error) {
    await db?.close()
    throw explain(error, config)
  }
}

const connect = async (
  { databaseUrl, databasePool, databaseDeadlineMs, ...config }: Config,
  log: Logger,
): Promise<Db> => {
  if (databaseUrl === undefined) {
    process.umask(OWNER_ONLY_UMASK)
    const prepare = (place: string) => placePreparedDatabase(place, log)
    return createPgliteDb({ folder: config.dataDir, deadlineMs: databaseDeadlineMs, log, prepare })
  }
  if (await sharesSessions(databaseUrl)) throw new StartRefused(`DATABASE_URL: ${SHARED_SESSIONS}`)
  return createPgDb({
    url: databaseUrl,
    poolSize: databasePool,
    deadlineMs: databaseDeadlineMs,
    maxAgeMs: config.databaseMaxAgeMs,
    log,
  })
}

const SHARED_SESSIONS =
  'the server is a connection pooler in transaction mode. The gateway needs sessions of its own, for prepared statements, settings and notifications: set pool_mode to session for this database (PgBouncer), or name PostgreSQL itself.'

const refuseFarClock = (time: DatabaseClock): void => {
  const offset = time.offsetSeconds()
  if (Math.abs(offset) <= START_OFFSET_SECONDS) return
  time.stop()
  throw new StartRefused(
    `The clock of this machine is ${Math.abs(offset).toFixed(1)} s ${offset > 0 ? 'ahead of' : 'behind'} that of the database, more than ${START_OFFSET_SECONDS} s: synchronise both (NTP, for instance \`timedatectl set-ntp true\`).`,
  )
}

const present = (db: Db, time: DatabaseClock | null, config: Config): OpenDatabase => ({
  db,
  clock: time !== null && config.clock === 'database' ? time.clock : systemClock,
  clockOffsetSeconds: () => time?.offsetSeconds() ?? null,
  close: async () => {
    time?.stop()
    await db.close()
  },
})

/** Names the setting that causes a database error. */
const explain = (error: unknown, { databaseUrl }: Config): unknown => {
  if (!(error instanceof Error) || error instanceof StartRefused) return error
  if (error instanceof FolderInUse || error instanceof FolderNotPrivate || error instanceof MigrationRefused)
    return new StartRefused(error.message)
  if (databaseUrl === undefined)
    return 'syscall' in error ? new StartRefused(`GATEWAY_DATA_DIR: ${error.message}`) : error
  return error instanceof DatabaseUnavailable ? new StartRefused(`DATABASE_URL: ${error.message}`) : error
}
