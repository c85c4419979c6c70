import type { Admitted, Found, Refusal } from '@conversation-gateway/openapi/behaviour/refusal'
import { found } from '@conversation-gateway/openapi/behaviour/refusal'
import type {
  CreateDeviceKey,
  CreatedDeviceKey,
  DeviceKey,
  DeviceKeyList,
  DeviceSessionList,
} from '@conversation-gateway/openapi/generated/admin-closed'
import { issueDeviceKey, prefixOfDeviceKey } from '../../domain/api-key.ts'
import type { StoredDeviceKey } from '../../store/admin/device-keys.ts'
import * as store from '../../store/admin/device-keys.ts'
import { findDevice, lockDevice } from '../../store/admin/devices.ts'
import { listSessions } from '../../store/worker-sessions.ts'
import type { GatewayContext } from '../context.ts'
import type { PageQuery } from './outcomes.ts'
import { changed, created, pageSize, unknown } from './outcomes.ts'

/**
 * Creates a key of the device (201). The answer is the only place where its secret is ever shown. From the first key
 * on, only workers serve the device.
 */
export const createDeviceKey = (
  { db, clock }: GatewayContext,
  deviceId: string,
  body: CreateDeviceKey,
): Promise<Admitted<CreatedDeviceKey> | Refusal> =>
  db.transaction(async (tx) => {
    if ((await lockDevice(tx, deviceId)) === null) return unknown('device', deviceId)
    const now = clock.now()
    const { keyId, hash, token } = issueDeviceKey(now)
    const key = { keyId, deviceId, name: body.name ?? null, createdAt: now }
    await store.insertDeviceKey(tx, { ...key, secretHash: hash })
    return created({ ...keyRecord({ ...key, revokedAt: null, lastUsedAt: null }), key: token })
  })

/** Keys without their secrets, newest first, revoked ones included. */
export const listDeviceKeys = async (
  { db }: GatewayContext,
  deviceId: string,
  page: PageQuery,
): Promise<Found<DeviceKeyList> | Refusal> => {
  if ((await findDevice(db, deviceId)) === null) return unknown('device', deviceId)
  if (page.before !== undefined && (await store.findDeviceKey(db, deviceId, page.before)) === null)
    return unknown('key', page.before)
  const keys = await store.listDeviceKeys(db, deviceId, page.before ?? null, pageSize(page))
  return found({ keys: keys.map(keyRecord) })
}

/** Revokes a key permanently and ends its sessions; it stops working within 5 seconds on every process. */
export const revokeDeviceKey = async (
  { db, clock }: GatewayContext,
  deviceId: string,
  keyId: string,
): Promise<Admitted<DeviceKey> | Refusal> => {
  const key = await store.revokeDeviceKey(db, deviceId, keyId, clock.now())
  return key === null ? unknown('key', keyId) : changed(keyRecord(key))
}

/** The live sessions of the device's workers, newest first. */
export const listDeviceSessions = async (
  { db, clock }: GatewayContext,
  deviceId: string,
  page: PageQuery,
): Promise<Found<DeviceSessionList> | Refusal> => {
  if ((await findDevice(db, deviceId)) === null) return unknown('device', deviceId)
  const sessions = await listSessions(db, {
    deviceId,
    now: clock.now(),
    before: page.before ?? null,
    limit: pageSize(page),
  })
  return found({
    sessions: sessions.map((session) => ({
      session_id: session.sessionId,
      device_id: session.deviceId,
      key_id: session.keyId,
      name: session.name,
      version: session.version,
      slots: session.slots,
      runs: session.runs,
      opened_at: session.openedAt.toISOString(),
      last_heartbeat_at: session.beatenAt.toISOString(),
    })),
  })
}

const keyRecord = (key: StoredDeviceKey): DeviceKey => ({
  key_id: key.keyId,
  device_id: key.deviceId,
  name: key.name,
  prefix: prefixOfDeviceKey(key.keyId),
  created_at: key.createdAt.toISOString(),
  revoked_at: key.revokedAt?.toISOString() ?? null,
  last_used_at: key.lastUsedAt?.toISOString() ?? null,
})
