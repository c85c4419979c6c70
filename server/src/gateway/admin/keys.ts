import type { Admitted, Found, Refusal } from '@conversation-gateway/openapi/behaviour/refusal'
import { found } from '@conversation-gateway/openapi/behaviour/refusal'
import type { CreatedKey, CreateKey, Key, KeyList } from '@conversation-gateway/openapi/generated/admin-closed'
import { issueKey, prefixOfKey } from '../../domain/api-key.ts'
import { findApp } from '../../store/admin/apps.ts'
import * as store from '../../store/admin/keys.ts'
import type { GatewayContext } from '../context.ts'
import type { PageQuery } from './outcomes.ts'
import { changed, created, pageSize, refuseExpiry, unknown } from './outcomes.ts'
import { keyRecord } from './records.ts'

/**
 * Creates a further key of the application (201). The answer is the only place where its secret is ever shown (D-04).
 */
export const createKey = async (
  { db, clock }: GatewayContext,
  appId: string,
  body: CreateKey,
): Promise<Admitted<CreatedKey> | Refusal> => {
  const now = clock.now()
  if ((await findApp(db, appId)) === null) return unknown('application', appId)
  const expiresAt = body.expires_at === undefined ? null : new Date(body.expires_at)
  const refusal = refuseExpiry(expiresAt, now)
  if (refusal !== null) return refusal
  const { keyId, hash, token } = issueKey(now)
  const stored = {
    keyId,
    appId,
    name: body.name ?? null,
    scopes: body.scopes,
    createdAt: now,
    expiresAt,
    prefix: prefixOfKey({ reference: keyId }),
  }
  await store.insertKey(db, { ...stored, secretHash: hash })
  return created({ ...keyRecord({ ...stored, revokedAt: null, lastUsedAt: null }), key: token })
}

/** Keys without their secrets, newest first, revoked and expired ones included. */
export const listKeys = async (
  { db }: GatewayContext,
  appId: string,
  page: PageQuery,
): Promise<Found<KeyList> | Refusal> => {
  if ((await findApp(db, appId)) === null) return unknown('application', appId)
  if (page.before !== undefined && (await store.findKey(db, appId, page.before)) === null)
    return unknown('key', page.before)
  const keys = await store.listKeys(db, appId, page.before ?? null, pageSize(page))
  return found({ keys: keys.map(keyRecord) })
}

/** Revokes a key permanently; it stops working within 5 seconds on every process. Revoking it again changes nothing. */
export const revokeKey = async (
  { db, clock }: GatewayContext,
  appId: string,
  keyId: string,
): Promise<Admitted<Key> | Refusal> => {
  const key = await store.revokeKey(db, appId, keyId, clock.now())
  return key === null ? unknown('key', keyId) : changed(keyRecord(key))
}
