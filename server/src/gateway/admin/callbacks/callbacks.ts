import { newId } from '@conversation-gateway/openapi/behaviour/ids'
import type { Admitted, Found, Refusal } from '@conversation-gateway/openapi/behaviour/refusal'
import { found, refuse } from '@conversation-gateway/openapi/behaviour/refusal'
import type {
  Callback,
  CallbackList,
  CreateCallback,
  SavedCallback,
  UpdateCallback,
} from '@conversation-gateway/openapi/generated/admin-closed'
import type { CallbackTargets } from '../../../domain/callback-url.ts'
import { checkCallbackUrl } from '../../../domain/callback-url.ts'
import { findApp } from '../../../store/admin/apps.ts'
import type { StoredCallback } from '../../../store/admin/callbacks.ts'
import * as store from '../../../store/admin/callbacks.ts'
import { findService } from '../../../store/admin/services.ts'
import type { GatewayContext } from '../../context.ts'
import { NO_SECRET_KEY, newSigningSecret, sealCallbackSecret } from '../../secrets/signing-secret.ts'
import { isMasked, isStoredUrl, sealUrl, showUrl, urlQueryContext, withSealedQuery } from '../../secrets/stored-url.ts'
import { isIncomingSecret } from '../../secrets/used-secrets.ts'
import type { PageQuery } from '../outcomes.ts'
import { changed, created, insertUnlessTaken, pageSize, taken, unknown } from '../outcomes.ts'
import type { CallbackChanges } from './callback-changes.ts'
import { newCallback, withCallbackChanges } from './callback-changes.ts'
import { callbackRecord } from './callback-records.ts'

/**
 * Saves a configuration, which receives later events of its types (201). The answer is the only place where its secret
 * is ever shown. A taken ID is ALREADY_EXISTS (409), and a forbidden URL or the secret of a webhook INVALID_REQUEST
 * (400). Without GATEWAY_SECRET_KEY, the answer is CAPABILITY_UNAVAILABLE (503).
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
  const now = clock.now()
  const callbackId = body.callback_id ?? newId('cb', now)
  const secret = body.secret ?? newSigningSecret()
  if (await isIncomingSecret(secrets, db, body.app_id, secret)) return SHARED_SECRET
  const sealed = {
    url: sealUrl(secrets, urlQueryContext(callbackId), body.url),
    secret: sealCallbackSecret(secrets, callbackId, secret),
    fileSecret: null,
  }
  const callback = newCallback(body, callbackId, service.deviceId, sealed, now)
  if (!(await insertUnlessTaken(store.insertCallback(db, callback), store.CALLBACK_ID_CONSTRAINTS)))
    return taken('callback configuration', callbackId)
  return created({ ...callbackRecord(callback, now), secret })
}

const SHARED_SECRET: Refusal = refuse('INVALID_REQUEST', 'The secret is that of an incoming webhook; choose another.', {
  faults: [{ pointer: '/secret', message: 'must be different from the secret of an incoming webhook' }],
})

const refuseUrl = (url: string, targets: CallbackTargets): Refusal | null => {
  const verdict = checkCallbackUrl(url, targets)
  if (!verdict.ok) return unusableUrl(verdict.message)
  return isMasked(url)
    ? unusableUrl('has *** in place of its query; give the query itself, which the gateway does not show again')
    : null
}

const unusableUrl = (message: string): Refusal =>
  refuse('INVALID_REQUEST', `The URL ${message}.`, { faults: [{ pointer: '/url', message }] })

/**
 * Changes the members that the body contains. Another URL makes a new version. Changing the URL, or disabling the
 * configuration, cancels all undelivered events permanently (D-38).
 */
export const updateCallback = (
  context: GatewayContext,
  callbackId: string,
  body: UpdateCallback,
): Promise<Admitted<Callback> | Refusal> =>
  context.db.transaction(async (tx) => {
    const { clock, secrets } = context
    const locked = await store.lockCallback(tx, callbackId)
    if (locked === null) return unknown('callback configuration', callbackId)
    const callback = { ...locked, ...withSealedQuery(secrets, urlQueryContext(callbackId), locked) }
    const { url, ...changes } = body
    const target = url === undefined ? {} : changeUrl(context, callback, url)
    if ('kind' in target) return target
    const now = clock.now()
    const next = withCallbackChanges(callback, { ...changes, ...target }, now)
    await store.updateCallback(tx, next)
    return changed(callbackRecord(next, now))
  })

/** The URL to store; an empty object if it is already stored. */
const changeUrl = (
  { secrets, callbackTargets }: GatewayContext,
  callback: StoredCallback,
  url: string,
): Pick<CallbackChanges, 'url'> | Refusal => {
  if (isMasked(url) && url === showUrl(callback)) return {}
  const refusal = refuseUrl(url, callbackTargets)
  if (refusal !== null) return refusal
  const context = urlQueryContext(callback.callbackId)
  if (isStoredUrl(secrets, context, callback, url)) return {}
  if (secrets !== null) return { url: sealUrl(secrets, context, url) }
  return url.includes('?') ? NO_SECRET_KEY : { url: { url, sealedQuery: null } }
}

/**
 * Gives a configuration a new secret and so a new version. Without an overlap, undelivered events are cancelled. With
 * an overlap, callbacks are signed with the old secret until the overlap ends.
 */
export const rotateCallbackSecret = (
  { db, clock, secrets }: GatewayContext,
  callbackId: string,
  overlapSeconds = 0,
): Promise<Admitted<SavedCallback> | Refusal> =>
  db.transaction(async (tx) => {
    const locked = await store.lockCallback(tx, callbackId)
    if (locked === null) return unknown('callback configuration', callbackId)
    if (secrets === null) return NO_SECRET_KEY
    const callback = { ...locked, ...withSealedQuery(secrets, urlQueryContext(callbackId), locked) }
    const secret = newSigningSecret()
    const now = clock.now()
    const sealed = sealCallbackSecret(secrets, callbackId, secret)
    const next = withCallbackChanges(callback, { secret: { sealed, overlapSeconds } }, now)
    await store.updateCallback(tx, next)
    return changed({ ...callbackRecord(next, now), secret })
  })

export const getCallback = async (
  { db, clock }: GatewayContext,
  callbackId: string,
): Promise<Found<Callback> | Refusal> => {
  const callback = await store.findCallback(db, callbackId)
  return callback === null
    ? unknown('callback configuration', callbackId)
    : found(callbackRecord(callback, clock.now()))
}

/** Newest first; an empty page ends the list. */
export const listCallbacks = async (
  { db, clock }: GatewayContext,
  appId: string | null,
  page: PageQuery,
): Promise<Found<CallbackList> | Refusal> => {
  if (page.before !== undefined && (await store.findCallback(db, page.before)) === null)
    return unknown('callback configuration', page.before)
  const now = clock.now()
  const callbacks = await store.listCallbacks(db, appId, page.before ?? null, pageSize(page))
  return found({ callbacks: callbacks.map((callback) => callbackRecord(callback, now)) })
}
