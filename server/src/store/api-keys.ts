import { hashOfReference } from '../domain/api-key.ts'
import type { Queryable, Statement } from './db.ts'

/** A key with the application's state that requests depend on. */
export interface KeyOfApp {
  readonly keyId: string
  readonly appId: string
  /** SHA-256 of the whole key. */
  readonly secretHash: Uint8Array
  readonly scopes: readonly string[]
  readonly expiresAt: Date | null
  readonly revokedAt: Date | null
  readonly appState: 'active' | 'disabled'
  /** Maximum unfinished runs of the application; null for the gateway's default (D-24). */
  readonly pendingLimit: number | null
  /** Maximum requests per second of each of the application's keys; null for no limit. */
  readonly rateLimitPerSecond: number | null
}

const SELECT = `select k.key_id as "keyId", k.app_id as "appId", k.secret_hash as "secretHash", k.scopes,
    k.expires_at as "expiresAt", k.revoked_at as "revokedAt", a.state as "appState",
    a.pending_limit as "pendingLimit", a.rate_limit_per_second as "rateLimitPerSecond"
  from api_keys k join apps a on a.app_id = k.app_id`
const BY_ID: Statement = { name: 'find_key_of_app_by_id', access: 'read', text: `${SELECT} where k.key_id = $1` }
const BY_HASH: Statement = {
  name: 'find_key_of_app_by_hash',
  access: 'read',
  text: `${SELECT} where k.secret_hash = $1`,
}

// A process that writes late does not overwrite a later use.
const WRITE_USES: Statement = {
  name: 'write_key_uses',
  access: 'write',
  text: `
update api_keys k set last_used_at = date_trunc('minute', n.at)
from json_to_recordset($1::json) as n(app_id text, key_id text, at timestamptz)
where k.app_id = n.app_id and k.key_id = n.key_id
  and (k.last_used_at is null or k.last_used_at < date_trunc('minute', n.at))`,
}

/** Records the minute in which each key was last used. */
export const writeKeyUses = async (
  db: Queryable,
  uses: readonly { readonly appId: string; readonly keyId: string; readonly at: Date }[],
): Promise<void> => {
  const rows = uses.map(({ appId, keyId, at }) => ({ app_id: appId, key_id: keyId, at: at.toISOString() }))
  await db.query(WRITE_USES, [JSON.stringify(rows)])
}

/** The key with this reference, and its application. Takes no tenant, because the key determines the tenant. */
export const findKeyOfApp = async (db: Queryable, reference: string): Promise<KeyOfApp | null> => {
  const hash = hashOfReference(reference)
  const [row] = await db.query<Omit<KeyOfApp, 'scopes'> & { readonly scopes: string }>(
    hash === null ? BY_ID : BY_HASH,
    [hash ?? reference],
  )
  return row === undefined ? null : { ...row, scopes: row.scopes.split(' ') }
}
