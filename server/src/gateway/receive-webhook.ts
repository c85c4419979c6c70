import { hash } from 'node:crypto'
import type { Admitted, Fault, Refusal } from '@conversation-gateway/openapi/behaviour/refusal'
import { notFound, refuse } from '@conversation-gateway/openapi/behaviour/refusal'
import { WEBHOOK_CONFLICT } from '@conversation-gateway/openapi/behaviour/requests/refused-requests'
import type { Tenant } from '@conversation-gateway/openapi/behaviour/tenant'
import type { WebhookAcceptance } from '@conversation-gateway/openapi/generated/gateway-closed'
import { LIMITS } from '@conversation-gateway/openapi/generated/limits'
import { collectBytes } from '../domain/collect-bytes.ts'
import type { ScannedJson } from '../domain/json/scanned-json.ts'
import { stillInUse } from '../domain/secret-rotation.ts'
import type { Traceparent } from '../domain/trace-context.ts'
import type { ParseMapped, WebhookPlan } from '../domain/webhook-mapping.ts'
import { acceptsEvent, placeFaults, planWebhook } from '../domain/webhook-mapping.ts'
import type { SignatureFault, SignatureHeaders, SignatureVerdict } from '../domain/webhook-signature.ts'
import { verifySignature } from '../domain/webhook-signature.ts'
import { findConversation } from '../store/conversations.ts'
import { findRun } from '../store/runs.ts'
import type { ReceivingWebhook } from '../store/webhooks.ts'
import { findReceivingWebhook } from '../store/webhooks.ts'
import type { IdempotentRequest } from '../writer/idempotency.ts'
import { cancelRun } from './cancel-run.ts'
import type { GatewayContext } from './context.ts'
import { createRun } from './create-run.ts'
import { findReplay } from './idempotent.ts'
import { resetConversation } from './reset-conversation.ts'
import { newSigningSecret, openWebhookSecret, sealWebhookSecret } from './secrets/signing-secret.ts'
import { sendMessage } from './send-message.ts'

/** An unverified delivery. */
export interface WebhookDelivery {
  readonly integrationId: string
  readonly headers: SignatureHeaders
  /** The sender's trace context; null if none. */
  readonly traceparent: Traceparent | null
  readonly content: AsyncIterable<Uint8Array>
  /** Reads the body's bytes as a JSON object, or refuses its content type (415) or its content (400). */
  parse(bytes: Buffer): Promise<{ readonly event: ScannedJson } | Refusal>
}

export type ReceiveWebhook = (delivery: WebhookDelivery) => Promise<Admitted<WebhookAcceptance> | Refusal>

/**
 * Checks signed webhooks in the order of D-34: known integration (404), size (413), signature over the raw bytes (401),
 * integration and application enabled (403), content type (415), JSON object (400), an earlier delivery with the same
 * webhook-id (its answer, or 409), event type (403), mapping (400), and then the checks of the action. Only an accepted
 * event (202) is recorded, in the same commit as its effect, for 7 days.
 */
export const createWebhookReceiver = (context: GatewayContext, parseMapped: ParseMapped): ReceiveWebhook => {
  const { db, clock, secrets } = context
  // The secret for unknown integrations, so that they cost as much time as a wrong signature.
  const decoy = secrets === null ? null : sealWebhookSecret(secrets, '', newSigningSecret())

  return async ({ integrationId, headers, traceparent, content, parse }) => {
    const webhook = await findReceivingWebhook(db, integrationId)
    if (secrets === null || decoy === null) return webhook === null ? UNKNOWN : NO_SECRETS
    const bytes = await collectBytes(content, LIMITS.jsonBodyBytes)
    const now = clock.now()
    const verify = (sealed: Uint8Array | undefined): SignatureVerdict => {
      const secret = openWebhookSecret(secrets, sealed === undefined ? '' : integrationId, sealed ?? decoy)
      return verifySignature(headers, bytes ?? NOTHING, secret, now)
    }
    const first = verify(webhook?.sealedSecret)
    const isWrong = !first.ok && first.reason === 'wrong_signature'
    const verdict = isWrong ? verify(stillInUse(webhook?.previousSecret ?? null, now)?.sealed) : first
    if (webhook === null) return UNKNOWN
    if (bytes === null) return TOO_LARGE
    if (!verdict.ok) return refuse('UNAUTHENTICATED', SIGNATURE_FAULTS[verdict.reason])

    const { configuration, appId } = webhook
    if (!configuration.enabled) return refuse('PERMISSION_DENIED', 'The integration is disabled.')
    if (webhook.appState === 'disabled') return refuse('PERMISSION_DENIED', 'The application is disabled.')
    const parsed = await parse(bytes)
    if ('kind' in parsed) return parsed
    const { event } = parsed

    const tenant = { appId, subject: configuration.subject }
    const request = {
      // Subjects cannot begin with a space, so this cannot collide.
      scope: ` webhook ${integrationId}`,
      key: verdict.id,
      fingerprint: hash('sha256', bytes, 'buffer'),
      traceparent,
    }
    const replay = await findReplay<WebhookAcceptance>(db, tenant, request)
    if (replay !== null) return asWebhookOutcome(webhook, replay)

    if (!acceptsEvent(configuration, event)) return refuseEventType(webhook)
    const plan = planWebhook(configuration, event, parseMapped)
    if ('faults' in plan) return refuseFields(plan.faults)
    return asWebhookOutcome(webhook, await carryOut(context, webhook, tenant, request, plan))
  }
}

const carryOut = async (
  context: GatewayContext,
  { configuration, pendingLimit }: ReceivingWebhook,
  tenant: Tenant,
  request: IdempotentRequest,
  plan: WebhookPlan,
): Promise<Admitted<WebhookAcceptance> | Refusal> => {
  const { db } = context
  const { endpoint_id: endpointId } = configuration
  const app = { pendingLimit }
  if (plan.action === 'run')
    return createRun(context, tenant, request, {
      app,
      endpointId,
      body: plan.body,
      startWindowMs: LIMITS.messageStartMs,
    })
  if (plan.action === 'cancel') {
    const run = await findRun(db, tenant, plan.runId)
    return run?.endpointId === endpointId ? cancelRun(context, tenant, plan.runId, request) : notFound('run')
  }
  const { conversationId } = plan
  const conversation = await findConversation(db, tenant, conversationId)
  if (conversation?.endpointId !== endpointId) return notFound('conversation')
  return plan.action === 'message'
    ? sendMessage(context, tenant, request, { app, conversationId, body: plan.body })
    : resetConversation(context, tenant, conversationId, request, plan.body)
}

/** The outcome of an action, translated for a webhook. */
const asWebhookOutcome = (
  { configuration }: ReceivingWebhook,
  outcome: Admitted<WebhookAcceptance> | Refusal,
): Admitted<WebhookAcceptance> | Refusal => {
  if (outcome.kind === 'admitted') return outcome
  if (outcome.code === 'IDEMPOTENCY_CONFLICT') return WEBHOOK_CONFLICT
  const { faults } = outcome
  return faults === undefined ? outcome : { ...outcome, faults: placeFaults(configuration, faults) }
}

const refuseFields = (faults: readonly Fault[]): Refusal =>
  refuse('INVALID_REQUEST', 'The event does not match what the integration expects; see `errors`.', { faults })

const refuseEventType = ({ configuration: { event_type_field } }: ReceivingWebhook): Refusal =>
  refuse('PERMISSION_DENIED', `The integration does not accept the event type at ${event_type_field}.`)

const UNKNOWN = refuse('NOT_FOUND', 'No webhook integration has this URL.')
const TOO_LARGE = refuse('PAYLOAD_TOO_LARGE', `The body of a webhook has at most ${LIMITS.jsonBodyBytes} bytes.`)
const NO_SECRETS = refuse(
  'CAPABILITY_UNAVAILABLE',
  'This process cannot verify webhooks: GATEWAY_SECRET_KEY is not set.',
)
const NOTHING = new Uint8Array()

const CLOCK_HINT = 'sign each attempt anew with the current Unix time in seconds, and check the clock'
const SIGNATURE_FAULTS: Readonly<Record<SignatureFault, string>> = {
  missing_header: 'Send webhook-id, webhook-timestamp and webhook-signature.',
  duplicate_header: 'Send each of webhook-id, webhook-timestamp and webhook-signature exactly once.',
  malformed_id: 'webhook-id must have 1 to 128 printable ASCII characters without spaces.',
  malformed_timestamp: 'webhook-timestamp must be a Unix time in seconds, in digits only.',
  malformed_signature: 'webhook-signature must be `v1,` and 64 lower-case hexadecimal digits.',
  too_old: `webhook-timestamp is more than 300 seconds ago; ${CLOCK_HINT}.`,
  too_new: `webhook-timestamp is more than 300 seconds ahead; ${CLOCK_HINT}.`,
  wrong_signature:
    'The signature does not match. It is the HMAC-SHA256 of `<webhook-id>.<webhook-timestamp>.` and the body exactly as sent, keyed with the literal text of the secret.',
}
