import type { Queryable, Statement, Tx } from '../db.ts'
import type { SealedSecrets, SecretColumns } from '../secret-columns.ts'
import { previousOf, SECRET_COLUMNS, secretParams } from '../secret-columns.ts'

/** A configuration of outgoing callbacks. */
export interface StoredCallback extends SealedSecrets {
  readonly callbackId: string
  readonly appId: string
  readonly endpointId: string
  readonly deviceId: string
  /** Without its query. Older rows contain the query here and have no encrypted one. */
  readonly url: string
  readonly sealedQuery: Uint8Array | null
  readonly eventTypes: readonly string[]
  readonly enabled: boolean
  /** Increases when the URL or the secret is replaced. */
  readonly version: number
  /** Increases with every change that cancels pending deliveries. */
  readonly revision: number
  readonly createdAt: Date
  readonly updatedAt: Date
}

/** The constraints that a taken ID violates, in the same or another application. */
export const CALLBACK_ID_CONSTRAINTS: readonly string[] = ['callbacks_pkey', 'callbacks_callback_id']

type CallbackRow = Omit<StoredCallback, 'eventTypes' | 'previousSecret'> &
  SecretColumns & { readonly eventTypes: string }

/** Event types are stored as one text, separated by spaces. */
const toCallback = ({ previousSealed, previousUntil, ...row }: CallbackRow): StoredCallback => ({
  ...row,
  eventTypes: row.eventTypes.split(' '),
  previousSecret: previousOf({ previousSealed, previousUntil }),
})

const COLUMNS = `callback_id as "callbackId", app_id as "appId", endpoint_id as "endpointId", device_id as "deviceId", url,
  url_query as "sealedQuery", event_types as "eventTypes", enabled, version, revision, ${SECRET_COLUMNS},
  created_at as "createdAt", updated_at as "updatedAt"`

const FIND: Statement = {
  name: 'find_callback',
  access: 'read',
  text: `select ${COLUMNS} from callbacks where callback_id = $1`,
}

export const findCallback = async (db: Queryable, callbackId: string): Promise<StoredCallback | null> =>
  (await db.query<CallbackRow>(FIND, [callbackId])).map(toCallback)[0] ?? null

const LOCK: Statement = { name: 'lock_callback', access: 'write', text: `${FIND.text} for update` }

/** The configuration as it is now, locked until the transaction ends. */
export const lockCallback = async (tx: Tx, callbackId: string): Promise<StoredCallback | null> =>
  (await tx.query<CallbackRow>(LOCK, [callbackId])).map(toCallback)[0] ?? null

const LIST: Statement = {
  name: 'list_callbacks',
  access: 'read',
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
  access: 'read',
  text: `select callback_id as "callbackId", secret as "sealedSecret" from callbacks where app_id = $1
    union all
    select callback_id, previous_secret from callbacks where app_id = $1 and previous_secret is not null`,
}

/** The secrets of all configurations of an application, including old ones after a rotation. */
export const listSealedCallbackSecrets = (
  db: Queryable,
  appId: string,
): Promise<Pick<StoredCallback, 'callbackId' | 'sealedSecret'>[]> => db.query(SECRETS, [appId])

const LOCK_NEXT: Statement = {
  name: 'lock_next_callbacks',
  access: 'write',
  text: `select ${COLUMNS} from callbacks where callback_id > $1 order by callback_id limit $2 for update`,
}

/** The configurations that follow an ID, locked until the transaction ends. */
export const lockNextCallbacks = async (tx: Tx, after: string, limit: number): Promise<StoredCallback[]> =>
  (await tx.query<CallbackRow>(LOCK_NEXT, [after, limit])).map(toCallback)

const INSERT: Statement = {
  name: 'insert_callback',
  access: 'write',
  text: `insert into callbacks (app_id, callback_id, endpoint_id, device_id, url, url_query, event_types, enabled, version,
      revision, secret, previous_secret, previous_secret_until, file_secret, updated_at, created_at)
    values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16)`,
}

const columns = (callback: StoredCallback) => [
  callback.appId,
  callback.callbackId,
  callback.endpointId,
  callback.deviceId,
  callback.url,
  callback.sealedQuery,
  callback.eventTypes.join(' '),
  callback.enabled,
  callback.version,
  callback.revision,
  ...secretParams(callback),
  callback.updatedAt,
]

/** @throws {UniqueViolation} one of `CALLBACK_ID_CONSTRAINTS` when the ID is taken. */
export const insertCallback = async (db: Queryable, callback: StoredCallback): Promise<void> => {
  await db.query(INSERT, [...columns(callback), callback.createdAt])
}

const UPDATE: Statement = {
  name: 'update_callback',
  access: 'write',
  text: `update callbacks set endpoint_id = $3, device_id = $4, url = $5, url_query = $6, event_types = $7, enabled = $8,
      version = $9, revision = $10, secret = $11, previous_secret = $12, previous_secret_until = $13, file_secret = $14,
      updated_at = $15
    where app_id = $1 and callback_id = $2`,
}

/** Writes a locked configuration whose changes do not affect pending deliveries. */
export const rewriteCallback = async (tx: Tx, callback: StoredCallback): Promise<void> => {
  await tx.query(UPDATE, columns(callback))
}

const CANCEL: Statement = {
  name: 'cancel_deliveries',
  access: 'write',
  text: `update deliveries set state = 'cancelled_config_changed', next_attempt_at = null, body = null, updated_at = $4
    where app_id = $1 and callback_id = $2 and callback_revision < $3 and state = 'pending'`,
}

/** Writes a locked configuration and cancels the pending deliveries of its older revisions. */
export const updateCallback = async (tx: Tx, callback: StoredCallback): Promise<void> => {
  await rewriteCallback(tx, callback)
  await tx.query(CANCEL, [callback.appId, callback.callbackId, callback.revision, callback.updatedAt])
}
