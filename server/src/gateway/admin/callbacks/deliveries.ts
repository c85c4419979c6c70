import { canDeliveryMove } from '@conversation-gateway/openapi/behaviour/callback-delivery-state'
import type { Admitted, Found, Refusal } from '@conversation-gateway/openapi/behaviour/refusal'
import { found, refuse } from '@conversation-gateway/openapi/behaviour/refusal'
import { DELIVERY_WINDOW_MS } from '@conversation-gateway/openapi/behaviour/retry-schedule'
import type { Delivery, DeliveryDetails, DeliveryList } from '@conversation-gateway/openapi/generated/admin-closed'
import { parseJsonObject } from '../../../domain/json/parse-json.ts'
import type { StoredCallback } from '../../../store/admin/callbacks.ts'
import { findCallback } from '../../../store/admin/callbacks.ts'
import type { DeliveryFilter, StoredDelivery } from '../../../store/admin/deliveries.ts'
import * as store from '../../../store/admin/deliveries.ts'
import type { GatewayContext } from '../../context.ts'
import { showUrl } from '../../secrets/stored-url.ts'
import type { AskedText } from '../message-contents.ts'
import { mayRead, NO_TEXT } from '../message-contents.ts'
import type { PageQuery } from '../outcomes.ts'
import { accepted, pageSize, unknown } from '../outcomes.ts'
import { attemptRecord, deliveryRecord } from './callback-records.ts'

/** Newest first; an empty page ends the list. */
export const listDeliveries = async (
  { db }: GatewayContext,
  filter: DeliveryFilter,
  page: PageQuery,
): Promise<Found<DeliveryList> | Refusal> => {
  if (page.before !== undefined && (await store.findDelivery(db, page.before)) === null)
    return unknown('delivery', page.before)
  const deliveries = await store.listDeliveries(db, filter, page.before ?? null, pageSize(page))
  return found({ deliveries: deliveries.map(deliveryRecord) })
}

export const getDelivery = async (
  { db }: GatewayContext,
  deliveryId: string,
  asked: AskedText,
): Promise<Found<DeliveryDetails> | Refusal> => {
  if (!mayRead(asked)) return NO_TEXT
  const delivery = await store.findDelivery(db, deliveryId)
  if (delivery === null) return unknown('delivery', deliveryId)
  const [attempts, payload, callback] = await Promise.all([
    store.listAttempts(db, delivery),
    store.findPayload(db, deliveryId, asked.withText),
    findCallback(db, delivery.callbackId),
  ])
  const body = payload?.body ?? null
  return found({
    ...deliveryRecord(delivery),
    attempt_log: attempts.map(attemptRecord),
    run_id: payload?.runId ?? null,
    url: callback?.version === delivery.callbackVersion ? showUrl(callback) : null,
    has_body: delivery.hasBody,
    body: body === null ? null : parseJsonObject(body),
  })
}

/**
 * Opens a fresh window of 24 hours and 8 attempts for a delivery that is `expired` or `needs_action` (202, D-38). In
 * any other state, or if its configuration was disabled or changed or its payload is gone, it is RETRY_REFUSED (409).
 */
export const retryDelivery = async (
  { db, clock, wakeups }: GatewayContext,
  deliveryId: string,
): Promise<Admitted<Delivery> | Refusal> => {
  const outcome = await db.transaction(async (tx) => {
    const delivery = await store.lockDelivery(tx, deliveryId)
    if (delivery === null) return unknown('delivery', deliveryId)
    const obstacle = findObstacle(delivery, await findCallback(tx, delivery.callbackId))
    if (obstacle !== null) return refuse('RETRY_REFUSED', obstacle)
    const now = clock.now()
    await store.reopenDelivery(tx, delivery, now, new Date(now.getTime() + DELIVERY_WINDOW_MS))
    return store.findDelivery(tx, deliveryId)
  })
  if (outcome === null) return unknown('delivery', deliveryId)
  if ('kind' in outcome) return outcome
  wakeups.deliveriesAdded()
  return accepted(deliveryRecord(outcome))
}

const findObstacle = (delivery: StoredDelivery, callback: StoredCallback | null): string | null => {
  const { state, callbackVersion, hasBody } = delivery
  if (state === 'sending' || !canDeliveryMove(state, 'pending'))
    return `The delivery is ${state}; only one that is expired or needs_action can be retried.`
  if (callback === null || !callback.enabled) return 'The configuration is disabled. Enable it first.'
  if (callback.version !== callbackVersion)
    return `The delivery belongs to version ${callbackVersion} of the configuration, which is at ${callback.version}: old events are not sent to a new destination.`
  return hasBody ? null : 'The payload is no longer retained.'
}
