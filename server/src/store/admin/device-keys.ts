import type { Queryable, Statement, Tx } from '../db.ts'

/** A device key without its secret (D-67). */
export interface StoredDeviceKey {
  readonly keyId: string
  readonly deviceId: string
  readonly name: string | null
  readonly createdAt: Date
  readonly revokedAt: Date | null
  readonly lastUsedAt: Date | null
}

export interface NewDeviceKey extends Omit<StoredDeviceKey, 'revokedAt' | 'lastUsedAt'> {
  /** SHA-256 of the whole key. */
  readonly secretHash: Uint8Array
}

const COLUMNS = `key_id as "keyId", device_id as "deviceId", name, created_at as "createdAt",
  revoked_at as "revokedAt", last_used_at as "lastUsedAt"`

const FIND: Statement = {
  name: 'find_device_key',
  access: 'read',
  text: `select ${COLUMNS} from device_keys where device_id = $1 and key_id = $2`,
}

export const findDeviceKey = async (db: Queryable, deviceId: string, keyId: string): Promise<StoredDeviceKey | null> =>
  (await db.query<StoredDeviceKey>(FIND, [deviceId, keyId]))[0] ?? null

const FIND_BY_HASH: Statement = {
  name: 'find_device_key_by_hash',
  access: 'read',
  text: `select ${COLUMNS} from device_keys where secret_hash = $1 and revoked_at is null`,
}

/** The key that has this hash, unless it was revoked. */
export const findDeviceKeyByHash = async (db: Queryable, hash: Uint8Array): Promise<StoredDeviceKey | null> =>
  (await db.query<StoredDeviceKey>(FIND_BY_HASH, [hash]))[0] ?? null

const TOUCH: Statement = {
  name: 'touch_device_key',
  access: 'write',
  text: 'update device_keys set last_used_at = $2 where key_id = $1',
}

export const touchDeviceKey = async (db: Queryable, keyId: string, now: Date): Promise<void> => {
  await db.query(TOUCH, [keyId, now])
}

const LIST: Statement = {
  name: 'list_device_keys',
  access: 'read',
  text: `select ${COLUMNS} from device_keys
    where device_id = $1 and ($2::text is null or (created_at, key_id) <
      (select b.created_at, b.key_id from device_keys b where b.device_id = $1 and b.key_id = $2))
    order by created_at desc, key_id desc limit $3`,
}

/** Keys of the device created before the key `before`, newest first, revoked ones included. */
export const listDeviceKeys = (
  db: Queryable,
  deviceId: string,
  before: string | null,
  limit: number,
): Promise<StoredDeviceKey[]> => db.query<StoredDeviceKey>(LIST, [deviceId, before, limit])

const INSERT: Statement = {
  name: 'insert_device_key',
  access: 'write',
  text: `insert into device_keys (key_id, device_id, name, secret_hash, created_at) values ($1, $2, $3, $4, $5)`,
}
const HAND_OVER: Statement = {
  name: 'hand_over_device',
  access: 'write',
  text: 'update devices set has_workers = true where device_id = $1 and not has_workers',
}

/** Adds a key to a device that the transaction has locked; from the first key on, only workers serve the device. */
export const insertDeviceKey = async (tx: Tx, key: NewDeviceKey): Promise<void> => {
  await tx.query(INSERT, [key.keyId, key.deviceId, key.name, key.secretHash, key.createdAt])
  await tx.query(HAND_OVER, [key.deviceId])
}

const REVOKE: Statement = {
  name: 'revoke_device_key',
  access: 'write',
  text: `with ended as (
      delete from processes where process_id in (
        select process_id from processes where worker_key_id = $2 and worker_device_id = $1 order by process_id for update
      )
    )
    update device_keys set revoked_at = coalesce(revoked_at, $3) where device_id = $1 and key_id = $2
    returning ${COLUMNS}`,
}

/** Revokes a key and ends its sessions; a revoked key keeps its time of revocation. */
export const revokeDeviceKey = async (
  db: Queryable,
  deviceId: string,
  keyId: string,
  now: Date,
): Promise<StoredDeviceKey | null> => (await db.query<StoredDeviceKey>(REVOKE, [deviceId, keyId, now]))[0] ?? null
