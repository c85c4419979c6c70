import type { Queryable, Statement, Tx } from '../db.ts'

/** A customer application; a null limit means the gateway's default (D-24). */
export interface StoredApp {
  readonly appId: string
  readonly ownerId: string
  readonly name: string | null
  readonly state: 'active' | 'disabled'
  readonly pendingLimit: number | null
  readonly rateLimitPerSecond: number | null
  readonly streamLimit: number | null
  readonly subjectStreamLimit: number | null
  readonly createdAt: Date
}

/** The constraint that a taken ID violates. */
export const APP_ID_CONSTRAINT = 'apps_pkey'

const COLUMNS = `app_id as "appId", owner_id as "ownerId", name, state, pending_limit as "pendingLimit",
  rate_limit_per_second as "rateLimitPerSecond", stream_limit as "streamLimit",
  subject_stream_limit as "subjectStreamLimit", created_at as "createdAt"`

const FIND: Statement = { name: 'find_app', access: 'read', text: `select ${COLUMNS} from apps where app_id = $1` }

export const findApp = async (db: Queryable, appId: string): Promise<StoredApp | null> =>
  (await db.query<StoredApp>(FIND, [appId]))[0] ?? null

const LOCK: Statement = { name: 'lock_app', access: 'write', text: `${FIND.text} for update` }

/** The application as it is now, locked until the transaction ends. */
export const lockApp = async (tx: Tx, appId: string): Promise<StoredApp | null> =>
  (await tx.query<StoredApp>(LOCK, [appId]))[0] ?? null

const LIST: Statement = {
  name: 'list_apps',
  access: 'read',
  text: `select ${COLUMNS} from apps
    where $1::text is null or (created_at, app_id) < (select b.created_at, b.app_id from apps b where b.app_id = $1)
    order by created_at desc, app_id desc limit $2`,
}

/** Applications created before the application `before`, newest first. */
export const listApps = (db: Queryable, before: string | null, limit: number): Promise<StoredApp[]> =>
  db.query<StoredApp>(LIST, [before, limit])

const ANY: Statement = { name: 'any_app', access: 'read', text: 'select exists (select 1 from apps) as found' }

export const hasApps = async (db: Queryable): Promise<boolean> =>
  (await db.query<{ found: boolean }>(ANY, []))[0]?.found ?? false

const INSERT: Statement = {
  name: 'insert_app',
  access: 'write',
  text: `insert into apps (app_id, owner_id, name, state, pending_limit, rate_limit_per_second, stream_limit,
      subject_stream_limit, created_at)
    values ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
}

/** @throws {UniqueViolation} `apps_pkey` when the ID is taken. */
export const insertApp = async (db: Queryable, app: StoredApp): Promise<void> => {
  await db.query(INSERT, [...changeable(app), app.createdAt])
}

const UPDATE: Statement = {
  name: 'update_app',
  access: 'write',
  text: `update apps set owner_id = $2, name = $3, state = $4, pending_limit = $5, rate_limit_per_second = $6,
      stream_limit = $7, subject_stream_limit = $8
    where app_id = $1`,
}

/** Writes all mutable columns of a locked application. */
export const updateApp = async (tx: Tx, app: StoredApp): Promise<void> => {
  await tx.query(UPDATE, changeable(app))
}

const changeable = (app: StoredApp) => [
  app.appId,
  app.ownerId,
  app.name,
  app.state,
  app.pendingLimit,
  app.rateLimitPerSecond,
  app.streamLimit,
  app.subjectStreamLimit,
]
