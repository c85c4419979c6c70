import type { CallbackTargets } from '../../domain/callback-url.ts'
import { checkCallbackUrl } from '../../domain/callback-url.ts'
import { newId } from '../../domain/ids.ts'
import type { Admitted, Found, Refusal } from '../../domain/refusal.ts'
import { found, refuse } from '../../domain/refusal.ts'
import type { Callback, CallbackList, CreateCallback, SavedCallback, UpdateCallback } from '../../generated/admin.ts'
import { findApp } from '../../store/admin/apps.ts'
import type { StoredCallback } from '../../store/admin/callbacks.ts'
import * as store from '../../store/admin/callbacks.ts'
import { findService } from '../../store/admin/services.ts'
import { UniqueViolation } from '../../store/db.ts'
import { sealCallbackSecret } from '../callback-secret.ts'
import type { GatewayContext } from '../context.ts'
import { NO_SECRET_KEY, newSigningSecret } from '../signing-secret.ts'
import { isIncomingSecret } from '../used-secrets.ts'
import { callbackRecord } from './callback-records.ts'
import type { PageQuery } from './outcomes.ts'
import { changed, created, pageSize, taken, unknown } from './outcomes.ts'

/**
 * Saves a configuration, which receives the events that follow (201). The answer is the only place where its secret is
 * ever shown. A taken ID is ALREADY_EXISTS (409), a URL that callbacks must not go to INVALID_REQUEST (400), and without
 * GATEWAY_SECRET_KEY it is CAPABILITY_UNAVAILABLE (503).
 */
export const createCallback = async (
  { db, clock, secrets, callbackTargets }: GatewayContext,
  body: CreateCallback,
): Promise<Admitted<SavedCallback> | Refusal> => {
  if ((await findApp(db, body.app_id)) === null) return unknown('application', body.app_id)
  const service = await findService(db, body.app_id, body.endpoint_id)
  if (service === null) return unknown('service', body.endpoint_id)
  const refusal = refuseUrl(body.url, callbackTargets)
  if (refusal !== null) return refusal
  if (secrets === null) return NO_SECRET_KEY
  const callbackId = body.callback_id ?? newId('cb')
  const secret = body.secret ?? newSigningSecret()
  if (await isIncomingSecret(secrets, db, body.app_id, secret)) return SHARED_SECRET
  const sealedSecret = sealCallbackSecret(secrets, callbackId, secret)
  const callback = newCallback(body, callbackId, service.deviceId, sealedSecret, clock.now())
  try {
    await store.insertCallback(db, callback)
  } catch (error) {
    if (error instanceof UniqueViolation && store.CALLBACK_ID.has(error.constraint))
      return taken('callback configuration', callbackId)
    throw error
  }
  return created({ ...callbackRecord(callback), secret })
}

/** Version 1 of a configuration, enabled unless it says otherwise. */
export const newCallback = (
  body: Pick<CreateCallback, 'app_id' | 'endpoint_id' | 'url' | 'events' | 'enabled'>,
  callbackId: string,
  deviceId: string,
  sealedSecret: Uint8Array,
  now: Date,
): StoredCallback => ({
  callbackId,
  appId: body.app_id,
  endpointId: body.endpoint_id,
  deviceId,
  url: body.url,
  eventTypes: body.events,
  enabled: body.enabled ?? true,
  version: 1,
  revision: 1,
  sealedSecret,
  createdAt: now,
  updatedAt: now,
})

const SHARED_SECRET: Refusal = refuse('INVALID_REQUEST', 'The secret is that of an incoming webhook; choose another.', {
  faults: [{ pointer: '/secret', message: 'must be different from the secret of an incoming webhook' }],
})

const refuseUrl = (url: string, targets: CallbackTargets): Refusal | null => {
  const verdict = checkCallbackUrl(url, targets)
  if (verdict.ok) return null
  return refuse('INVALID_REQUEST', `The URL ${verdict.message}.`, {
    faults: [{ pointer: '/url', message: verdict.message }],
  })
}

/**
 * Changes what the body names. Another URL makes a new version; that, and disabling, cancel what is undelivered, which
 * is not sent anywhere any more (D-38).
 */
export const updateCallback = (
  { db, clock, callbackTargets }: GatewayContext,
  callbackId: string,
  body: UpdateCallback,
): Promise<Admitted<Callback> | Refusal> =>
  db.transaction(async (tx) => {
    const callback = await store.lockCallback(tx, callbackId)
    if (callback === null) return unknown('callback configuration', callbackId)
    const refusal = body.url === undefined ? null : refuseUrl(body.url, callbackTargets)
    if (refusal !== null) return refusal
    const next = withCallbackChanges(callback, body, clock.now())
    await store.updateCallback(tx, next)
    return changed(callbackRecord(next))
  })

interface CallbackChanges {
  readonly url?: string
  readonly events?: readonly string[]
  readonly enabled?: boolean
}

/** A configuration with changes; versions grow by what they mean. */
export const withCallbackChanges = (
  callback: StoredCallback,
  { url = callback.url, events = callback.eventTypes, enabled = callback.enabled }: CallbackChanges,
  now: Date,
  sealedSecret: Uint8Array = callback.sealedSecret,
): StoredCallback => {
  const isNewVersion = url !== callback.url || sealedSecret !== callback.sealedSecret
  const isCancelling = isNewVersion || (callback.enabled && !enabled)
  return {
    ...callback,
    url,
    eventTypes: events,
    enabled,
    sealedSecret,
    version: callback.version + (isNewVersion ? 1 : 0),
    revision: callback.revision + (isCancelling ? 1 : 0),
    updatedAt: now,
  }
}

/** Gives a configuration a new secret and so a new version; what is undelivered is cancelled. */
export const rotateCallbackSecret = (
  { db, clock, secrets }: GatewayContext,
  callbackId: string,
): Promise<Admitted<SavedCallback> | Refusal> =>
  db.transaction(async (tx) => {
    const callback = await store.lockCallback(tx, callbackId)
    if (callback === null) return unknown('callback configuration', callbackId)
    if (secrets === null) return NO_SECRET_KEY
    const secret = newSigningSecret()
    const next = withCallbackChanges(callback, {}, clock.now(), sealCallbackSecret(secrets, callbackId, secret))
    await store.updateCallback(tx, next)
    return changed({ ...callbackRecord(next), secret })
  })

export const getCallback = async ({ db }: GatewayContext, callbackId: string): Promise<Found<Callback> | Refusal> => {
  const callback = await store.findCallback(db, callbackId)
  return callback === null ? unknown('callback configuration', callbackId) : found(callbackRecord(callback))
}

/** Newest first; an empty page ends the list. */
export const listCallbacks = async (
  { db }: GatewayContext,
  appId: string | null,
  page: PageQuery,
): Promise<Found<CallbackList> | Refusal> => {
  if (page.before !== undefined && (await store.findCallback(db, page.before)) === null)
    return unknown('callback configuration', page.before)
  const callbacks = await store.listCallbacks(db, appId, page.before ?? null, pageSize(page))
  return found({ callbacks: callbacks.map(callbackRecord) })
}
