import { attachmentFaults } from '@conversation-gateway/openapi/behaviour/attachments'
import { newId } from '@conversation-gateway/openapi/behaviour/ids'
import type { Admitted, Refusal } from '@conversation-gateway/openapi/behaviour/refusal'
import { notFound, refuse } from '@conversation-gateway/openapi/behaviour/refusal'
import { startDeadline } from '@conversation-gateway/openapi/behaviour/start-deadline'
import type { Tenant } from '@conversation-gateway/openapi/behaviour/tenant'
import type { Admission } from '@conversation-gateway/openapi/generated/gateway-closed'
import { LIMITS } from '@conversation-gateway/openapi/generated/limits'
import type { TakenInput, TakenMessage } from '../domain/message-input.ts'
import type { Traceparent } from '../domain/trace-context.ts'
import type { Queryable } from '../store/db.ts'
import { readAttachmentConditions } from '../store/resources.ts'
import type { IdempotentRequest } from '../writer/idempotency.ts'
import type { NewRun } from '../writer/run-rules.ts'
import type { GatewayContext } from './context.ts'
import type { AppLimits } from './decide-admission.ts'
import { admissionLimits, admissionReads, decideAdmission } from './decide-admission.ts'
import { writeOnce } from './idempotent.ts'
import { refuseInput } from './service-schemas.ts'

export interface MessageToSend {
  readonly app: AppLimits
  readonly conversationId: string
  readonly body: TakenMessage
}

/**
 * Admits a message as a queued run (202). The first failed condition decides, in the order of D-07: ownership, replay,
 * deadline, attachments and data, generation, BUSY, limits, availability.
 * `server/README.md` follows a message from here to the event stream.
 */
export const sendMessage = async (
  context: GatewayContext,
  tenant: Tenant,
  request: IdempotentRequest,
  { app, conversationId, body }: MessageToSend,
): Promise<Admitted<Admission> | Refusal> => {
  const { db, clock, settings, schemas } = context
  const now = clock.now()
  const startBefore = startDeadline(body.start_before, now, LIMITS.messageStartMs)
  const unusable = 'kind' in startBefore ? startBefore : await refuseAttachments(db, tenant, conversationId, body.input)
  const limits = admissionLimits(settings, app, now)
  const run = newRun(body.input, startBefore, request.traceparent, now)

  const attempt = (exactFor: string | undefined) =>
    writeOnce(context, tenant, request, {
      conversation: { appId: tenant.appId, conversationId },
      reads: admissionReads(tenant, run.input.resourceIds),
      bytes: (run.input.text?.length ?? 0) + (run.input.data?.length ?? 0),
      exactFor,
      decide: (open, found) => {
        if (unusable !== null) return unusable
        const { appId, endpointId, bindingVersion: version } = open.draft.work
        const checks = schemas.peek({ appId, endpointId, version })
        if (checks === undefined) return { kind: 'unread_schemas', version: { appId, endpointId, version } } as const
        const exact = exactFor === open.row.deviceId
        return (
          refuseInput(checks, body.input) ??
          decideAdmission(open, found, { expectedGeneration: body.expected_generation, run, limits, exact })
        )
      },
    })

  let exactFor: string | undefined
  for (let attempts = 0; attempts < ATTEMPTS; attempts += 1) {
    const outcome = await attempt(exactFor)
    if (outcome === null) return notFound('conversation')
    if (outcome.kind === 'unread_schemas') await schemas.load(db, outcome.version)
    else if (outcome.kind === 'near_limit') exactFor = outcome.deviceId
    else if (outcome.kind === 'attachment_gone')
      return (await refuseAttachments(db, tenant, conversationId, body.input)) ?? CHANGING
    else return outcome
  }
  return CHANGING
}

/**
 * Maximum attempts of an admission: one may find that the schemas are not loaded, and another that it needs exact
 * counts.
 */
const ATTEMPTS = 3

/** @param startBefore A refusal if the deadline is invalid; such a run is never admitted. */
export const newRun = (
  input: TakenInput,
  startBefore: Date | Refusal,
  traceparent: Traceparent | null,
  now: Date,
): NewRun => ({
  messageId: newId('msg', now),
  runId: newId('run', now),
  startBefore: startBefore instanceof Date ? startBefore : now,
  traceparent,
  input: { text: input.text ?? null, data: input.data?.text ?? null, resourceIds: input.resource_ids ?? [] },
})

/** Refuses an input whose attachments cannot be used; each fault has its location (D-33). */
export const refuseAttachments = async (
  db: Queryable,
  tenant: Tenant,
  conversationId: string,
  { resource_ids: resourceIds = [] }: TakenInput,
): Promise<Refusal | null> => {
  if (resourceIds.length === 0) return null
  const conditions = await readAttachmentConditions(db, tenant, conversationId, resourceIds)
  const faults = conditions === null ? [] : attachmentFaults(resourceIds, conditions.known, conditions.accepts)
  return faults.length === 0 ? null : refuse('INVALID_REQUEST', 'An attachment cannot be used.', { faults })
}

/** The state that the admission depends on changed with each attempt. */
export const CHANGING = refuse('CAPABILITY_UNAVAILABLE', 'The conversation is changing too fast; try again.', {
  retryAfterSeconds: 1,
})
