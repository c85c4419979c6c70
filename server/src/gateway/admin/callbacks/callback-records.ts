import type { Callback, Delivery, DeliveryAttempt } from '@conversation-gateway/openapi/generated/admin-closed'
import { stillInUse } from '../../../domain/secret-rotation.ts'
import type { StoredCallback } from '../../../store/admin/callbacks.ts'
import type { StoredAttempt, StoredDelivery } from '../../../store/admin/deliveries.ts'
import { showUrl } from '../../secrets/stored-url.ts'

/** Stored rows of callbacks and deliveries as the operator's contract shows them. */

export const callbackRecord = (callback: StoredCallback, now: Date): Callback => ({
  callback_id: callback.callbackId,
  app_id: callback.appId,
  endpoint_id: callback.endpointId,
  device_id: callback.deviceId,
  url: showUrl(callback),
  // The contract has validated the event types in the database.
  events: callback.eventTypes as Callback['events'],
  enabled: callback.enabled,
  version: callback.version,
  previous_secret_expires_at: stillInUse(callback.previousSecret, now)?.expiresAt.toISOString() ?? null,
  created_at: callback.createdAt.toISOString(),
  updated_at: callback.updatedAt.toISOString(),
})

export const deliveryRecord = (delivery: StoredDelivery): Delivery => ({
  delivery_id: delivery.deliveryId,
  callback_id: delivery.callbackId,
  callback_version: delivery.callbackVersion,
  app_id: delivery.appId,
  conversation_id: delivery.conversationId,
  event_id: delivery.eventId,
  event_type: delivery.eventType as Delivery['event_type'],
  seq: delivery.seq,
  state: delivery.state,
  attempts: delivery.attempts,
  last_error: delivery.lastError,
  next_attempt_at: delivery.nextAttemptAt?.toISOString() ?? null,
  expires_at: delivery.expiresAt.toISOString(),
  created_at: delivery.createdAt.toISOString(),
  updated_at: delivery.updatedAt.toISOString(),
})

export const attemptRecord = ({
  attempt,
  startedAt,
  latencyMs,
  status,
  error,
  excerpt,
}: StoredAttempt): DeliveryAttempt => ({
  attempt,
  started_at: startedAt.toISOString(),
  latency_ms: latencyMs,
  status,
  error,
  excerpt,
})
