import { isDeepStrictEqual } from 'node:util'
import { identifyKey, idOfKey } from '../domain/api-key.ts'
import type { Fault } from '../domain/refusal.ts'
import type {
  Bootstrap,
  BootstrapApp,
  BootstrapDevice,
  BootstrapEndpoint,
  BootstrapKey,
} from '../generated/bootstrap.ts'
import { insertApp, lockApp, updateApp } from '../store/admin/apps.ts'
import { lockBootstrap } from '../store/admin/bootstrap-lock.ts'
import { insertDevice, lockDevice, updateDevice } from '../store/admin/devices.ts'
import { findHashedKey, insertKey, setKeyScopes } from '../store/admin/keys.ts'
import { insertService, lockService, publishVersion, updateService } from '../store/admin/services.ts'
import type { Tx } from '../store/db.ts'
import { newApp, withAppChanges } from './admin/apps.ts'
import { newDevice, withDeviceChanges } from './admin/devices.ts'
import { newService, nextVersion } from './admin/endpoints.ts'
import { applyCallback } from './bootstrap-callbacks.ts'
import { findBootstrapFaults } from './bootstrap-faults.ts'
import { applyWebhook } from './bootstrap-webhooks.ts'
import type { GatewayContext } from './context.ts'

/**
 * Brings the database to what a bootstrap file says (D-48), in one transaction, one process at a time; the same file
 * again changes nothing. What the file does not name stays, members that an entry leaves out stay, and a revoked key
 * stays revoked. Returns the faults of a file that cannot be applied; then nothing of it is.
 */
export const applyBootstrap = (context: GatewayContext, file: Bootstrap): Promise<readonly Fault[]> =>
  context.db.transaction(async (tx) => {
    await lockBootstrap(tx)
    const faults = await findBootstrapFaults(context, tx, file)
    if (faults.length === 0) await applyEntries(context, tx, file)
    return faults
  })

/** Writes the entries of a file without faults, under `lockBootstrap`. */
export const applyEntries = async (context: GatewayContext, tx: Tx, file: Bootstrap): Promise<void> => {
  const now = context.clock.now()
  for (const app of file.apps ?? []) {
    await applyApp(tx, app, now)
    for (const key of app.keys ?? []) await applyKey(tx, app.app_id, key, now)
  }
  for (const device of file.devices ?? []) await applyDevice(tx, device, now)
  for (const endpoint of file.endpoints ?? []) await applyEndpoint(tx, endpoint, now)
  for (const webhook of file.webhooks ?? []) await applyWebhook(context, tx, webhook)
  for (const callback of file.callbacks ?? []) await applyCallback(context, tx, callback)
}

const applyApp = async (tx: Tx, entry: BootstrapApp, now: Date): Promise<void> => {
  const app = await lockApp(tx, entry.app_id)
  if (app === null) return insertApp(tx, newApp(entry, now))
  const next = withAppChanges(app, entry)
  if (!isDeepStrictEqual(next, app)) await updateApp(tx, next)
}

const applyKey = async (tx: Tx, appId: string, { key, scopes }: BootstrapKey, now: Date): Promise<void> => {
  const identity = identifyKey(key)
  const stored = await findHashedKey(tx, identity.reference)
  if (stored === null) {
    const keyId = idOfKey(identity)
    return insertKey(tx, {
      keyId,
      appId,
      name: null,
      scopes,
      createdAt: now,
      expiresAt: null,
      secretHash: identity.hash,
    })
  }
  if (!isDeepStrictEqual(stored.scopes, scopes)) await setKeyScopes(tx, { appId, keyId: stored.keyId, scopes })
}

const applyDevice = async (tx: Tx, entry: BootstrapDevice, now: Date): Promise<void> => {
  const device = await lockDevice(tx, entry.device_id)
  if (device === null) return insertDevice(tx, newDevice(entry, now))
  const next = withDeviceChanges(device, entry)
  if (!isDeepStrictEqual(next, device)) await updateDevice(tx, next)
}

const applyEndpoint = async (tx: Tx, entry: BootstrapEndpoint, now: Date): Promise<void> => {
  const wanted = newService(entry.app_id, entry, now)
  const service = await lockService(tx, entry.app_id, entry.endpoint_id)
  if (service === null) return insertService(tx, wanted)
  const { deviceId } = wanted
  const name = wanted.name ?? service.name
  if (deviceId !== service.deviceId || name !== service.name) await updateService(tx, { ...service, deviceId, name })
  const { assistant, accepts } = wanted
  if (!isDeepStrictEqual([assistant, accepts], [service.assistant, service.accepts]))
    await publishVersion(tx, nextVersion(service, { assistant, accepts }, now))
}
