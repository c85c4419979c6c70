import type { Queryable, Statement, Tx } from '../db.ts'

export type DeviceState = 'active' | 'paused' | 'disabled'

/** A device, which executes services (D-43); a null limit means the gateway's default. */
export interface StoredDevice {
  readonly deviceId: string
  readonly name: string | null
  readonly state: DeviceState
  readonly pendingLimit: number | null
  readonly streamLimit: number | null
  readonly heartbeatAt: Date | null
  readonly createdAt: Date
}

/** The constraint that a taken ID violates. */
export const DEVICE_ID_CONSTRAINT = 'devices_pkey'

const COLUMNS = `device_id as "deviceId", name, state, pending_limit as "pendingLimit", stream_limit as "streamLimit",
  heartbeat_at as "heartbeatAt", created_at as "createdAt"`

const FIND: Statement = {
  name: 'find_device',
  access: 'read',
  text: `select ${COLUMNS} from devices where device_id = $1`,
}

export const findDevice = async (db: Queryable, deviceId: string): Promise<StoredDevice | null> =>
  (await db.query<StoredDevice>(FIND, [deviceId]))[0] ?? null

const LOCK: Statement = { name: 'lock_device', access: 'write', text: `${FIND.text} for update` }

/** The device as it is now, locked until the transaction ends. */
export const lockDevice = async (tx: Tx, deviceId: string): Promise<StoredDevice | null> =>
  (await tx.query<StoredDevice>(LOCK, [deviceId]))[0] ?? null

const LIST: Statement = {
  name: 'list_devices',
  access: 'read',
  text: `select ${COLUMNS} from devices
    where $1::text is null
      or (created_at, device_id) < (select b.created_at, b.device_id from devices b where b.device_id = $1)
    order by created_at desc, device_id desc limit $2`,
}

/** Devices created before the device `before`, newest first. */
export const listDevices = (db: Queryable, before: string | null, limit: number): Promise<StoredDevice[]> =>
  db.query<StoredDevice>(LIST, [before, limit])

const INSERT: Statement = {
  name: 'insert_device',
  access: 'write',
  text: `insert into devices (device_id, name, state, pending_limit, stream_limit, created_at)
    values ($1, $2, $3, $4, $5, $6)`,
}

/** @throws {UniqueViolation} `devices_pkey` when the ID is taken. */
export const insertDevice = async (db: Queryable, device: Omit<StoredDevice, 'heartbeatAt'>): Promise<void> => {
  const { deviceId, name, state, pendingLimit, streamLimit, createdAt } = device
  await db.query(INSERT, [deviceId, name, state, pendingLimit, streamLimit, createdAt])
}

const UPDATE: Statement = {
  name: 'update_device',
  access: 'write',
  text: 'update devices set name = $2, pending_limit = $3, stream_limit = $4 where device_id = $1',
}

/** Writes name and limits of a device that the transaction has locked. */
export const updateDevice = async (tx: Tx, device: StoredDevice): Promise<void> => {
  const { deviceId, name, pendingLimit, streamLimit } = device
  await tx.query(UPDATE, [deviceId, name, pendingLimit, streamLimit])
}

const MOVE: Statement = {
  name: 'move_device',
  access: 'write',
  text: `update devices set state = $3
    where device_id = $1 and state in (select value from json_array_elements_text($2::json))`,
}

/** Moves a device to a state if it is in one of the states `from`; otherwise has no effect. */
export const moveDevice = async (
  db: Queryable,
  deviceId: string,
  from: readonly DeviceState[],
  to: DeviceState,
): Promise<void> => {
  await db.query(MOVE, [deviceId, JSON.stringify(from), to])
}
