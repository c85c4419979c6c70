import { newId } from '@conversation-gateway/openapi/behaviour/ids'
import type { Admitted, Found, Refusal } from '@conversation-gateway/openapi/behaviour/refusal'
import { found, refuse } from '@conversation-gateway/openapi/behaviour/refusal'
import type {
  CreateWebhook,
  SavedWebhook,
  UpdateWebhook,
  Webhook,
  WebhookList,
} from '@conversation-gateway/openapi/generated/admin-closed'
import { overlapping, stillInUse } from '../../domain/secret-rotation.ts'
import type { WebhookConfiguration } from '../../domain/webhook-mapping.ts'
import { findMissingFields } from '../../domain/webhook-mapping.ts'
import { findApp } from '../../store/admin/apps.ts'
import { findService } from '../../store/admin/services.ts'
import type { StoredWebhook } from '../../store/admin/webhooks.ts'
import * as store from '../../store/admin/webhooks.ts'
import type { GatewayContext } from '../context.ts'
import { NO_SECRET_KEY, newSigningSecret, sealWebhookSecret } from '../secrets/signing-secret.ts'
import { isOutgoingSecret } from '../secrets/used-secrets.ts'
import type { PageQuery } from './outcomes.ts'
import { changed, created, pageSize, taken, unknown } from './outcomes.ts'

/**
 * Saves an integration (201). The answer is the only place where its secret is ever shown, together with the full
 * receiving URL (D-36). A taken ID is ALREADY_EXISTS (409), and the secret of a callback INVALID_REQUEST (400). Without
 * GATEWAY_SECRET_KEY, the answer is CAPABILITY_UNAVAILABLE (503).
 */
export const createWebhook = async (
  context: GatewayContext,
  body: CreateWebhook,
): Promise<Admitted<SavedWebhook> | Refusal> => {
  const { db, clock, secrets } = context
  if ((await findApp(db, body.app_id)) === null) return unknown('application', body.app_id)
  if ((await findService(db, body.app_id, body.endpoint_id)) === null) return unknown('service', body.endpoint_id)
  if (secrets === null) return NO_SECRET_KEY
  const now = clock.now()
  const integrationId = body.integration_id ?? newId('wh', now)
  const secret = body.secret ?? newSigningSecret()
  if (body.secret !== undefined && (await isOutgoingSecret(secrets, db, body.app_id, secret))) return SHARED_SECRET
  const webhook: StoredWebhook = {
    appId: body.app_id,
    integrationId,
    configuration: newConfiguration(body),
    sealedSecret: sealWebhookSecret(secrets, integrationId, secret),
    previousSecret: null,
    sealedFileSecret: null,
    createdAt: now,
    updatedAt: now,
  }
  if (!(await store.insertWebhook(db, webhook))) return taken('webhook integration', integrationId)
  return created({ ...webhookRecord(context, webhook), secret })
}

const SHARED_SECRET = refuse('INVALID_REQUEST', 'The secret is that of an outgoing callback; choose another.', {
  faults: [{ pointer: '/secret', message: 'must be different from the secret of an outgoing callback' }],
})

/** The configuration only; enabled by default. */
export const newConfiguration = ({
  integration_id: _id,
  app_id: _app,
  secret: _secret,
  enabled = true,
  ...configuration
}: CreateWebhook): WebhookConfiguration => ({ ...configuration, enabled })

/**
 * Changes the members that the body contains; null removes a field path. Deliveries that were accepted before the
 * change are still recognised as duplicates. A result that lacks a field of its action is INVALID_REQUEST (400).
 */
export const updateWebhook = (
  context: GatewayContext,
  integrationId: string,
  body: UpdateWebhook,
): Promise<Admitted<Webhook> | Refusal> =>
  context.db.transaction(async (tx) => {
    const webhook = await store.lockWebhook(tx, integrationId)
    if (webhook === null) return unknown('webhook integration', integrationId)
    const { endpoint_id: endpointId } = body
    if (endpointId !== undefined && (await findService(tx, webhook.appId, endpointId)) === null)
      return unknown('service', endpointId)
    const configuration = withoutNulls({ ...webhook.configuration, ...body })
    const faults = findMissingFields(configuration)
    if (faults.length > 0)
      return refuse('INVALID_REQUEST', 'With this change, the integration would lack a field that its action needs.', {
        faults,
      })
    const next = { ...webhook, configuration, updatedAt: context.clock.now() }
    await store.updateWebhook(tx, next)
    return changed(webhookRecord(context, next))
  })

type WithoutNulls<Value> = { [Name in keyof Value]: Exclude<Value[Name], null> }

/** Makes the compiler refuse a value whose required members may be null, because required members cannot be removed. */
type OnlyOptionalNulls<Value> = {
  [Name in keyof Value]: undefined extends Value[Name] ? Value[Name] : Exclude<Value[Name], null>
}

const withoutNulls = <Value extends object>(value: Value & OnlyOptionalNulls<Value>) =>
  Object.fromEntries(Object.entries(value).filter(([, member]) => member != null)) as WithoutNulls<Value>

/**
 * Gives an integration a new secret, which only this answer shows; the URL stays the same. The old secret stops working
 * at once, or, with an overlap, is accepted too until the overlap ends.
 */
export const rotateWebhookSecret = (
  context: GatewayContext,
  integrationId: string,
  overlapSeconds = 0,
): Promise<Admitted<SavedWebhook> | Refusal> =>
  context.db.transaction(async (tx) => {
    const { clock, secrets } = context
    const webhook = await store.lockWebhook(tx, integrationId)
    if (webhook === null) return unknown('webhook integration', integrationId)
    if (secrets === null) return NO_SECRET_KEY
    const secret = newSigningSecret()
    const sealedSecret = sealWebhookSecret(secrets, integrationId, secret)
    const now = clock.now()
    const previousSecret = overlapping(webhook.sealedSecret, overlapSeconds, now)
    const next = { ...webhook, sealedSecret, previousSecret, updatedAt: now }
    await store.updateWebhook(tx, next)
    return changed({ ...webhookRecord(context, next), secret })
  })

export const getWebhook = async (context: GatewayContext, integrationId: string): Promise<Found<Webhook> | Refusal> => {
  const webhook = await store.findWebhook(context.db, integrationId)
  return webhook === null ? unknown('webhook integration', integrationId) : found(webhookRecord(context, webhook))
}

/** Newest first; an empty page ends the list. */
export const listWebhooks = async (
  context: GatewayContext,
  appId: string | null,
  page: PageQuery,
): Promise<Found<WebhookList> | Refusal> => {
  const { db } = context
  if (page.before !== undefined && (await store.findWebhook(db, page.before)) === null)
    return unknown('webhook integration', page.before)
  const webhooks = await store.listWebhooks(db, appId, page.before ?? null, pageSize(page))
  return found({ webhooks: webhooks.map((webhook) => webhookRecord(context, webhook)) })
}

/** An integration as the contract shows it, without its secret. */
const webhookRecord = ({ baseUrl, clock }: GatewayContext, webhook: StoredWebhook): Webhook => ({
  integration_id: webhook.integrationId,
  app_id: webhook.appId,
  ...webhook.configuration,
  url: `${baseUrl()}/api/v1/webhooks/${webhook.integrationId}`,
  previous_secret_expires_at: stillInUse(webhook.previousSecret, clock.now())?.expiresAt.toISOString() ?? null,
  created_at: webhook.createdAt.toISOString(),
  updated_at: webhook.updatedAt.toISOString(),
})
