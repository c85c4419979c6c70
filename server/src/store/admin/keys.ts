import { hashOfReference } from '../../domain/api-key.ts'
import type { Queryable, Statement, Tx } from '../db.ts'

/** An application key without its secret (D-04). */
export interface StoredKey {
  readonly keyId: string
  readonly appId: string
  readonly name: string | null
  readonly scopes: readonly string[]
  readonly createdAt: Date
  readonly expiresAt: Date | null
  readonly revokedAt: Date | null
  /** The public prefix of an issued key; null for a key that an operator chose. */
  readonly prefix: string | null
  readonly lastUsedAt: Date | null
}

export interface NewKey extends Omit<StoredKey, 'revokedAt' | 'lastUsedAt'> {
  /** SHA-256 of the whole key. */
  readonly secretHash: Uint8Array
}

type KeyRow = Omit<StoredKey, 'scopes'> & { readonly scopes: string }

/** Scopes are stored as one text, separated by spaces. */
const toKey = <R extends KeyRow>(row: R): Omit<R, 'scopes'> & { readonly scopes: readonly string[] } => ({
  ...row,
  scopes: row.scopes.split(' '),
})

const COLUMNS = `key_id as "keyId", app_id as "appId", name, scopes, created_at as "createdAt",
  expires_at as "expiresAt", revoked_at as "revokedAt", prefix, last_used_at as "lastUsedAt"`

const LIST: Statement = {
  name: 'list_keys',
  access: 'read',
  text: `select ${COLUMNS} from api_keys
    where app_id = $1 and ($2::text is null or (created_at, key_id) <
      (select b.created_at, b.key_id from api_keys b where b.app_id = $1 and b.key_id = $2))
    order by created_at desc, key_id desc limit $3`,
}

/** Keys of the application created before the key `before`, newest first, revoked and expired ones included. */
export const listKeys = async (
  db: Queryable,
  appId: string,
  before: string | null,
  limit: number,
): Promise<StoredKey[]> => (await db.query<KeyRow>(LIST, [appId, before, limit])).map(toKey)

const FIND: Statement = {
  name: 'find_key_of_app',
  access: 'read',
  text: `select ${COLUMNS} from api_keys where app_id = $1 and key_id = $2`,
}

export const findKey = async (db: Queryable, appId: string, keyId: string): Promise<StoredKey | null> =>
  (await db.query<KeyRow>(FIND, [appId, keyId])).map(toKey)[0] ?? null

const SELECT_HASHED = `select ${COLUMNS}, secret_hash as "secretHash" from api_keys`
const FIND_HASHED: Statement = { name: 'find_hashed_key', access: 'read', text: `${SELECT_HASHED} where key_id = $1` }
const FIND_BY_HASH: Statement = {
  name: 'find_key_by_hash',
  access: 'read',
  text: `${SELECT_HASHED} where secret_hash = $1`,
}

/** A key by its reference alone, with the hash of its secret. */
export const findHashedKey = async (
  db: Queryable,
  reference: string,
): Promise<(StoredKey & Pick<NewKey, 'secretHash'>) | null> => {
  const hash = hashOfReference(reference)
  const rows = await db.query<KeyRow & Pick<NewKey, 'secretHash'>>(hash === null ? FIND_HASHED : FIND_BY_HASH, [
    hash ?? reference,
  ])
  return rows.map(toKey)[0] ?? null
}

const INSERT: Statement = {
  name: 'insert_key',
  access: 'write',
  text: `insert into api_keys (app_id, key_id, name, secret_hash, scopes, created_at, expires_at, prefix)
    values ($1, $2, $3, $4, $5, $6, $7, $8)`,
}

export const insertKey = async (db: Queryable, key: NewKey): Promise<void> => {
  const { appId, keyId, name, secretHash, scopes, createdAt, expiresAt, prefix } = key
  await db.query(INSERT, [appId, keyId, name, secretHash, scopes.join(' '), createdAt, expiresAt, prefix])
}

const SET_SCOPES: Statement = {
  name: 'set_key_scopes',
  access: 'write',
  text: 'update api_keys set scopes = $3 where app_id = $1 and key_id = $2',
}

export const setKeyScopes = async (tx: Tx, key: Pick<StoredKey, 'appId' | 'keyId' | 'scopes'>): Promise<void> => {
  await tx.query(SET_SCOPES, [key.appId, key.keyId, key.scopes.join(' ')])
}

const REVOKE: Statement = {
  name: 'revoke_key',
  access: 'write',
  text: `update api_keys set revoked_at = coalesce(revoked_at, $3) where app_id = $1 and key_id = $2
    returning ${COLUMNS}`,
}

/** Revokes a key; a revoked key keeps its time of revocation. */
export const revokeKey = async (db: Queryable, appId: string, keyId: string, now: Date): Promise<StoredKey | null> =>
  (await db.query<KeyRow>(REVOKE, [appId, keyId, now])).map(toKey)[0] ?? null
