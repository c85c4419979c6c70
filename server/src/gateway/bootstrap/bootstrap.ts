import { isDeepStrictEqual } from 'node:util'
import type { Fault } from '@conversation-gateway/openapi/behaviour/refusal'
import type {
  Bootstrap,
  BootstrapApp,
  BootstrapDevice,
  BootstrapEndpoint,
  BootstrapKey,
} from '@conversation-gateway/openapi/generated/bootstrap'
import { identifyKey, idOfKey, prefixOfKey } from '../../domain/api-key.ts'
import { insertApp, lockApp, updateApp } from '../../store/admin/apps.ts'
import { BOOTSTRAP_DEADLINE, lockBootstrap } from '../../store/admin/bootstrap-lock.ts'
import { insertDevice, lockDevice, updateDevice } from '../../store/admin/devices.ts'
import { findHashedKey, insertKey, setKeyScopes } from '../../store/admin/keys.ts'
import type { VersionedParts } from '../../store/admin/services.ts'
import {
  insertService,
  lockService,
  publishVersion,
  setServiceSigning,
  updateService,
} from '../../store/admin/services.ts'
import type { Tx } from '../../store/db.ts'
import { newApp, withAppChanges } from '../admin/apps.ts'
import { newDevice, withDeviceChanges } from '../admin/devices.ts'
import { newService, nextVersion } from '../admin/endpoints.ts'
import type { GatewayContext } from '../context.ts'
import { storeAssistant } from '../secrets/stored-assistant.ts'
import { applyCallback } from './bootstrap-callbacks.ts'
import type { BootstrapChange, NoteChange } from './bootstrap-changes.ts'
import { changedFields, changedScopes } from './bootstrap-changes.ts'
import { findBootstrapFaults } from './bootstrap-faults.ts'
import { requireSecrets } from './bootstrap-secret.ts'
import { judgeServiceSecret } from './bootstrap-services.ts'
import { applyWebhook } from './bootstrap-webhooks.ts'

/** The result for a file: its faults, if nothing was applied, or the changes. */
export interface BootstrapOutcome {
  readonly faults: readonly Fault[]
  readonly changes: readonly BootstrapChange[]
}

/**
 * Updates the database to match a bootstrap file (D-48), in one transaction, one process at a time. Applying the same
 * file again changes nothing. Entries and members that the file omits stay unchanged, but an omitted assistant becomes
 * `echo`, and omitted `accepts` become none. A revoked key stays revoked, and a rotated secret stays until the file
 * contains another secret.
 */
export const applyBootstrap = (context: GatewayContext, file: Bootstrap): Promise<BootstrapOutcome> =>
  context.db.transaction(async (tx) => {
    await lockBootstrap(tx)
    const faults = await findBootstrapFaults(context, tx, file)
    const changes: BootstrapChange[] = []
    if (faults.length === 0) await applyEntries(context, tx, file, (change) => changes.push(change))
    return { faults, changes }
  }, BOOTSTRAP_DEADLINE)

/** Writes the entries of a file without faults, under `lockBootstrap`. */
export const applyEntries = async (
  context: GatewayContext,
  tx: Tx,
  file: Bootstrap,
  note: NoteChange = () => {},
): Promise<void> => {
  const now = context.clock.now()
  for (const app of file.apps ?? []) {
    await applyApp(tx, app, now, note)
    for (const key of app.keys ?? []) await applyKey(tx, app.app_id, key, now, note)
  }
  for (const device of file.devices ?? []) await applyDevice(tx, device, now, note)
  for (const endpoint of file.endpoints ?? []) await applyEndpoint(context, tx, endpoint, now, note)
  for (const webhook of file.webhooks ?? []) await applyWebhook(context, tx, webhook, note)
  for (const callback of file.callbacks ?? []) await applyCallback(context, tx, callback, note)
}

const applyApp = async (tx: Tx, entry: BootstrapApp, now: Date, note: NoteChange): Promise<void> => {
  const id = entry.app_id
  const app = await lockApp(tx, id)
  if (app === null) {
    await insertApp(tx, newApp(entry, now))
    return note({ kind: 'app', id, change: 'created', fields: [] })
  }
  const next = withAppChanges(app, entry)
  const fields = changedFields(app, next)
  if (fields.length === 0) return
  await updateApp(tx, next)
  note({ kind: 'app', id, change: 'changed', fields })
}

const applyKey = async (
  tx: Tx,
  appId: string,
  { key, scopes }: BootstrapKey,
  now: Date,
  note: NoteChange,
): Promise<void> => {
  const identity = identifyKey(key)
  const stored = await findHashedKey(tx, identity.reference)
  if (stored === null) {
    const keyId = idOfKey(identity)
    const named = { keyId, appId, name: null, scopes, createdAt: now, expiresAt: null, prefix: prefixOfKey(identity) }
    await insertKey(tx, { ...named, secretHash: identity.hash })
    return note({ kind: 'key', id: keyId, change: 'created', fields: [] })
  }
  const { keyId } = stored
  if (isDeepStrictEqual(stored.scopes, scopes)) return
  await setKeyScopes(tx, { appId, keyId, scopes })
  const difference = changedScopes(stored.scopes, scopes)
  note({ kind: 'key', id: keyId, change: 'changed', fields: ['scopes'], scopes: difference })
}

const applyDevice = async (tx: Tx, entry: BootstrapDevice, now: Date, note: NoteChange): Promise<void> => {
  const id = entry.device_id
  const device = await lockDevice(tx, id)
  if (device === null) {
    await insertDevice(tx, newDevice(entry, now))
    return note({ kind: 'device', id, change: 'created', fields: [] })
  }
  const next = withDeviceChanges(device, entry)
  const fields = changedFields(device, next)
  if (fields.length === 0) return
  await updateDevice(tx, next)
  note({ kind: 'device', id, change: 'changed', fields })
}

const versionedParts = (version: VersionedParts): VersionedParts => {
  const { assistant, accepts, inputSchema, outputSchema, contextActivities, maxRunSeconds } = version
  return { assistant, accepts, inputSchema, outputSchema, contextActivities, maxRunSeconds }
}

const applyEndpoint = async (
  { secrets }: Pick<GatewayContext, 'secrets'>,
  tx: Tx,
  { assistant: given, ...entry }: BootstrapEndpoint,
  now: Date,
  note: NoteChange,
): Promise<void> => {
  const id = entry.endpoint_id
  const ref = { appId: entry.app_id, endpointId: id }
  const service = await lockService(tx, entry.app_id, id)
  const assistant =
    given?.type === 'http' ? storeAssistant(requireSecrets(secrets), ref, given, service?.assistant) : given
  const judged = judgeServiceSecret(secrets, ref, service?.signing ?? null, entry.secret)
  const wanted = newService(entry.app_id, { ...entry, assistant, signing: judged.signing }, now)
  if (service === null) {
    await insertService(tx, wanted)
    return note({ kind: 'endpoint', id, change: 'created', fields: [] })
  }
  const next = { ...service, deviceId: wanted.deviceId, name: wanted.name ?? service.name }
  const fields = changedFields(service, next)
  if (fields.length > 0) {
    await updateService(tx, next)
    note({ kind: 'endpoint', id, change: 'changed', fields })
  }
  if (judged.signing !== null && !isDeepStrictEqual(judged.signing, service.signing)) {
    await setServiceSigning(tx, service, judged.signing)
    if (judged.kind === 'edited') note({ kind: 'endpoint', id, change: 'changed', fields: ['secret'] })
    if (judged.kind === 'unknown') note({ kind: 'endpoint', id, change: 'kept', fields: ['secret'] })
  }
  const version = nextVersion(service, { ...entry, assistant: wanted.assistant, accepts: wanted.accepts }, now)
  const newParts = changedFields(versionedParts(service), versionedParts(version))
  if (newParts.length === 0) return
  await publishVersion(tx, version)
  note({ kind: 'endpoint', id, change: 'published', fields: newParts, version: version.publishedVersion })
}
