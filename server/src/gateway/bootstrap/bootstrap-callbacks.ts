import { isDeepStrictEqual } from 'node:util'
import type { Fault } from '@conversation-gateway/openapi/behaviour/refusal'
import type { Bootstrap, BootstrapCallback } from '@conversation-gateway/openapi/generated/bootstrap'
import { checkCallbackUrl } from '../../domain/callback-url.ts'
import type { StoredCallback } from '../../store/admin/callbacks.ts'
import { findCallback, insertCallback, lockCallback, updateCallback } from '../../store/admin/callbacks.ts'
import { findAppsOfService, findService } from '../../store/admin/services.ts'
import type { Queryable, Tx } from '../../store/db.ts'
import type { CallbackChanges } from '../admin/callbacks/callback-changes.ts'
import { newCallback, withCallbackChanges } from '../admin/callbacks/callback-changes.ts'
import type { GatewayContext } from '../context.ts'
import { callbackSecretContext, sealCallbackSecret } from '../secrets/signing-secret.ts'
import { isStoredUrl, sealUrl, urlQueryContext, withSealedQuery } from '../secrets/stored-url.ts'
import { isIncomingSecret } from '../secrets/used-secrets.ts'
import type { NoteChange } from './bootstrap-changes.ts'
import { changedFields } from './bootstrap-changes.ts'
import { judgeFileSecret, requireSecrets } from './bootstrap-secret.ts'
import { fileSecretContext, sealFileSecret } from './file-secret.ts'

/** The faults of a bootstrap file's callbacks: missing definitions and forbidden values. */
export const findCallbackFaults = async (
  { secrets, callbackTargets }: Pick<GatewayContext, 'secrets' | 'callbackTargets'>,
  db: Queryable,
  file: Bootstrap,
): Promise<Fault[]> => {
  const { callbacks = [], endpoints = [], webhooks = [] } = file
  if (callbacks.length > 0 && secrets === null)
    return [{ pointer: '/callbacks', message: 'needs GATEWAY_SECRET_KEY, which encrypts the stored secrets' }]
  const faults: Fault[] = []
  for (const [index, { callback_id, app_id, endpoint_id, url, secret }] of callbacks.entries()) {
    const fault = (member: string, message: string) =>
      faults.push({ pointer: `/callbacks/${index}/${member}`, message })
    const verdict = checkCallbackUrl(url, callbackTargets)
    if (!verdict.ok) fault('url', verdict.message)
    const inFile = endpoints.filter((service) => service.endpoint_id === endpoint_id).map((service) => service.app_id)
    const owners = new Set([...inFile, ...(await findAppsOfService(db, endpoint_id))])
    const [owner] = app_id === undefined ? owners : [app_id]
    if (owner === undefined || !owners.has(owner)) fault('endpoint_id', 'is a service that does not exist')
    else if (app_id === undefined && owners.size > 1)
      fault('app_id', 'must be given, since several applications have a service of this ID')
    const stored = await findCallback(db, callback_id)
    if (stored !== null && stored.appId !== owner) fault('callback_id', 'belongs to another application')
    const isIncoming =
      webhooks.some((webhook) => webhook.secret === secret) ||
      (owner !== undefined && (await isIncomingSecret(secrets, db, owner, secret)))
    if (isIncoming) fault('secret', 'must be different from the secret of an incoming webhook')
  }
  return faults
}

/**
 * Creates a configuration, or updates it to match the file. If the file omits `enabled`, its value stays. A rotated
 * secret stays until the file has another one.
 */
export const applyCallback = async (
  { clock, secrets: box }: Pick<GatewayContext, 'clock' | 'secrets'>,
  tx: Tx,
  entry: BootstrapCallback,
  note: NoteChange,
): Promise<void> => {
  const secrets = requireSecrets(box)
  const { callback_id: id, endpoint_id: endpointId, secret } = entry
  const [appId = ''] = entry.app_id === undefined ? await findAppsOfService(tx, endpointId) : [entry.app_id]
  const service = await findService(tx, appId, endpointId)
  if (service === null) throw new Error(`the service ${endpointId} vanished while the file was applied`)
  const { deviceId } = service
  const now = clock.now()
  const fileContext = fileSecretContext('callback', id)
  const urlContext = urlQueryContext(id)
  const stored = await lockCallback(tx, id)
  const seal = (): Uint8Array => sealCallbackSecret(secrets, id, secret)
  if (stored === null) {
    const fileSecret = sealFileSecret(secrets, fileContext, secret)
    const sealed = { url: sealUrl(secrets, urlContext, entry.url), secret: seal(), fileSecret }
    await insertCallback(tx, newCallback({ ...entry, app_id: appId }, id, deviceId, sealed, now))
    return note({ kind: 'callback', id, change: 'created', fields: [] })
  }
  const context = callbackSecretContext(id)
  const { kind, sealedFileSecret } = judgeFileSecret(secrets, context, fileContext, stored, secret)
  const changes: CallbackChanges = {
    events: entry.events,
    ...(entry.enabled === undefined ? {} : { enabled: entry.enabled }),
    ...(isStoredUrl(secrets, urlContext, stored, entry.url) ? {} : { url: sealUrl(secrets, urlContext, entry.url) }),
    ...(kind === 'edited' ? { secret: { sealed: seal(), overlapSeconds: 0 } } : {}),
  }
  const current = { ...stored, ...withSealedQuery(secrets, urlContext, stored), endpointId, deviceId, sealedFileSecret }
  const next = withCallbackChanges(current, changes, now)
  if (isDeepStrictEqual(next, { ...stored, updatedAt: now })) return
  const fields = [
    ...changedFields(shownParts(stored), shownParts(next)),
    ...(changes.url === undefined ? [] : ['url']),
    ...(changes.secret === undefined ? [] : ['secret']),
  ]
  await updateCallback(tx, fields.length === 0 ? { ...next, updatedAt: stored.updatedAt } : next)
  if (fields.length > 0) note({ kind: 'callback', id, change: 'changed', fields })
  if (kind === 'unknown') note({ kind: 'callback', id, change: 'kept', fields: ['secret'] })
}

/** The members that are compared directly; URL and secret are compared after decryption. */
const shownParts = ({ endpointId, deviceId, eventTypes: events, enabled }: StoredCallback) => ({
  endpointId,
  deviceId,
  events,
  enabled,
})
