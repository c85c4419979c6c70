import type { CallbackSettings, DeliveryView, Driver, WebhookSettings } from '../../kit/config/driver.ts'
import { toSnake } from '../../kit/config/wire-form.ts'
import type { GatewayRecords } from './gateway-records.ts'
import { isRefusal } from './operator.ts'

interface WebhookRecord {
  readonly integration_id: string
  readonly secret: string
  readonly url: string
}

interface CallbackRecord {
  readonly callback_id: string
  readonly secret: string
  readonly version: number
}

interface DeliveryRecord {
  readonly delivery_id: string
  readonly callback_id: string
  readonly conversation_id: string
  readonly event_id: string
  readonly state: DeliveryView['state']
  readonly attempts: number
  readonly last_error: { readonly message: string } | null
  readonly next_attempt_at: string | null
  readonly expires_at: string
}

const toDeliveryView = (record: DeliveryRecord): DeliveryView => ({
  deliveryId: record.delivery_id,
  eventId: record.event_id,
  state: record.state,
  attempts: record.attempts,
  lastError: record.last_error?.message ?? null,
  nextAttemptAt: record.next_attempt_at,
  expiresAt: record.expires_at,
})

/**
 * The abilities for webhooks, callbacks and their deliveries.
 * @param callbackSecretRotated Called with the new secret of the callbacks that the configuration describes.
 */
export function createIntegrations(records: GatewayRecords, callbackSecretRotated: (secret: string) => Promise<void>) {
  const { operator, setup, appId } = records
  const toAdminBody = ({ app, ...settings }: WebhookSettings | CallbackSettings): object => ({
    ...Object.fromEntries(Object.entries(settings).map(([name, value]) => [toSnake(name), value])),
    ...(app === undefined ? {} : { app_id: appId(app) }),
  })
  return {
    saveWebhook: async (settings) => {
      const saved = await operator.attempt<WebhookRecord>('POST', '/webhooks', toAdminBody(settings))
      if (isRefusal(saved)) return saved
      return { integrationId: saved.integration_id, secret: saved.secret, url: saved.url }
    },
    changeWebhook: async (integrationId, settings) => {
      const changed = await operator.attempt<object>('PATCH', `/webhooks/${integrationId}`, toAdminBody(settings))
      return isRefusal(changed) ? changed : {}
    },
    readWebhook: async (integrationId) => [
      await operator.call('GET', `/webhooks/${integrationId}`),
      await operator.call('GET', '/webhooks?limit=200'),
    ],
    rotateWebhookSecret: async (integrationId, overlapSeconds) => {
      const overlap = overlapSeconds === undefined ? '' : `?overlap_seconds=${overlapSeconds}`
      const path = `/webhooks/${integrationId}/rotate-secret${overlap}`
      return (await operator.call<WebhookRecord>('POST', path)).secret
    },
    saveCallback: async (settings) => {
      const saved = await operator.attempt<CallbackRecord>('POST', '/callbacks', toAdminBody(settings))
      if (isRefusal(saved)) return saved
      return { callbackId: saved.callback_id, secret: saved.secret, version: saved.version }
    },
    changeCallback: async (settings, callbackId = setup.callbackId) => {
      const changed = await operator.attempt<CallbackRecord>('PATCH', `/callbacks/${callbackId}`, toAdminBody(settings))
      return isRefusal(changed) ? changed : { version: changed.version }
    },
    readCallback: (callbackId) => operator.call('GET', `/callbacks/${callbackId}`),
    rotateCallbackSecret: async (callbackId = setup.callbackId) => {
      const path = `/callbacks/${callbackId}/rotate-secret`
      const { secret, version } = await operator.call<CallbackRecord>('POST', path)
      if (callbackId === setup.callbackId) await callbackSecretRotated(secret)
      return { secret, version }
    },
    listDeliveries: async ({ conversationId, callbackId }) => {
      const found: DeliveryView[] = []
      const filter = callbackId === undefined ? '' : `&callback_id=${callbackId}`
      for (let before = ''; ; ) {
        const path = `/deliveries?limit=200${filter}${before}`
        const { deliveries } = await operator.call<{ deliveries: DeliveryRecord[] }>('GET', path)
        for (const record of deliveries)
          if (conversationId === undefined || record.conversation_id === conversationId)
            found.push(toDeliveryView(record))
        const last = deliveries.at(-1)
        if (last === undefined) return found
        before = `&before=${last.delivery_id}`
      }
    },
    retryDelivery: async (deliveryId) => {
      const retried = await operator.attempt<object>('POST', `/deliveries/${deliveryId}/retry`)
      return isRefusal(retried) ? retried : {}
    },
  } satisfies Driver
}
