import type { Queryable, Statement, Tx } from '../db.ts'

/** A configuration of outgoing callbacks. */
export interface StoredCallback {
  readonly callbackId: string
  readonly appId: string
  readonly endpointId: string
  readonly deviceId: string
  readonly url: string
  readonly eventTypes: readonly string[]
  readonly enabled: boolean
  /** Grows with the URL and the secret. */
  readonly version: number
  /** Grows with everything that cancels what is undelivered. */
  readonly revision: number
  readonly sealedSecret: Uint8Array
  readonly createdAt: Date
  readonly updatedAt: Date
}

/** The constraints that a taken ID runs into, in the same application and in another one. */
export const CALLBACK_ID: ReadonlySet<string> = new Set(['callbacks_pkey', 'callbacks_callback_id'])

type CallbackRow = Omit<StoredCallback, 'eventTypes'> & { readonly eventTypes: string }

/** Event types are kept as one text, separated by spaces. */
const toCallback = (row: CallbackRow): StoredCallback => ({ ...row, eventTypes: row.eventTypes.split(' ') })

const COLUMNS = `callback_id as "callbackId", app_id as "appId", endpoint_id as "endpointId", device_id as "deviceId", url,
  event_types as "eventTypes", enabled, version, revision, secret as "sealedSecret", created_at as "createdAt",
  updated_at as "updatedAt"`

const FIND: Statement = { name: 'find_callback', text: `select ${COLUMNS} from callbacks where callback_id = $1` }

export const findCallback = async (db: Queryable, callbackId: string): Promise<StoredCallback | null> =>
  (await db.query<CallbackRow>(FIND, [callbackId])).map(toCallback)[0] ?? null

const LOCK: Statement = {
  name: 'lock_callback',
  text: `select ${COLUMNS} from callbacks where callback_id = $1 for update`,
}

/** The configuration as it is now, locked until the transaction ends. */
export const lockCallback = async (tx: Tx, callbackId: string): Promise<StoredCallback | null> =>
  (await tx.query<CallbackRow>(LOCK, [callbackId])).map(toCallback)[0] ?? null

const LIST: Statement = {
  name: 'list_callbacks',
  text: `select ${COLUMNS} from callbacks
    where ($1::text is null or app_id = $1) and ($2::text is null or (created_at, callback_id) <
      (select b.created_at, b.callback_id from callbacks b where b.callback_id = $2))
    order by created_at desc, callback_id desc limit $3`,
}

/** Configurations created before the configuration `before`, newest first; `appId` null for all applications. */
export const listCallbacks = async (
  db: Queryable,
  appId: string | null,
  before: string | null,
  limit: number,
): Promise<StoredCallback[]> => (await db.query<CallbackRow>(LIST, [appId, before, limit])).map(toCallback)

const SECRETS: Statement = {
  name: 'list_callback_secrets',
  text: `select callback_id as "callbackId", secret as "sealedSecret" from callbacks where app_id = $1`,
}

/** The secrets of all configurations of an application. */
export const listSealedCallbackSecrets = (
  db: Queryable,
  appId: string,
): Promise<Pick<StoredCallback, 'callbackId' | 'sealedSecret'>[]> => db.query(SECRETS, [appId])

const INSERT: Statement = {
  name: 'insert_callback',
  text: `insert into callbacks (app_id, callback_id, endpoint_id, device_id, url, event_types, enabled, version, revision,
      secret, created_at, updated_at)
    values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)`,
}

const columns = (callback: StoredCallback) => [
  callback.appId,
  callback.callbackId,
  callback.endpointId,
  callback.deviceId,
  callback.url,
  callback.eventTypes.join(' '),
  callback.enabled,
  callback.version,
  callback.revision,
  callback.sealedSecret,
]

/** @throws {UniqueViolation} one of `CALLBACK_ID` when the ID is taken. */
export const insertCallback = async (db: Queryable, callback: StoredCallback): Promise<void> => {
  await db.query(INSERT, [...columns(callback), callback.createdAt, callback.updatedAt])
}

const UPDATE: Statement = {
  name: 'update_callback',
  text: `update callbacks set endpoint_id = $3, device_id = $4, url = $5, event_types = $6, enabled = $7, version = $8,
      revision = $9, secret = $10, updated_at = $11
    where app_id = $1 and callback_id = $2`,
}

const CANCEL: Statement = {
  name: 'cancel_deliveries',
  text: `update deliveries set state = 'cancelled_config_changed', next_attempt_at = null, body = null, updated_at = $4
    where app_id = $1 and callback_id = $2 and callback_revision < $3 and state = 'pending'`,
}

/** Writes a locked configuration and cancels what is undelivered of its older revisions. */
export const updateCallback = async (tx: Tx, callback: StoredCallback): Promise<void> => {
  await tx.query(UPDATE, [...columns(callback), callback.updatedAt])
  await tx.query(CANCEL, [callback.appId, callback.callbackId, callback.revision, callback.updatedAt])
}
