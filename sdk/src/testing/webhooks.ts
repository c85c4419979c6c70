import { notFound, refuse } from '../../../openapi/src/behaviour/refusal.ts'
import { refuseFaults, tooLarge, WEBHOOK_CONFLICT } from '../../../openapi/src/behaviour/requests/refused-requests.ts'
import { BODIES, CONTRACT } from '../generated/contract.ts'
import type { CreateRun, ResetConversation, SendMessage, WebhookBody } from '../generated/gateway.ts'
import { IDEMPOTENCY_KEY_HEADER, LIMITS } from '../generated/limits.ts'
import { isObject } from '../is-object.ts'
import { SignatureError } from '../signature/signature-error.ts'
import { verifySignature } from '../signature/verify.ts'
import type { TestedRequest } from './handler.ts'
import { replay } from './idempotency.ts'
import { readJson, refuseBody } from './read-request.ts'
import type { Outcome } from './respond.ts'
import { carryOut } from './routes.ts'
import { expireOverdue } from './runs.ts'
import { faultsOf } from './schema-faults.ts'
import type { GatewayState } from './state.ts'

/** A webhook of the in-memory gateway, at `/api/v1/webhooks/<integrationId>`. */
export interface TestWebhook {
  readonly integrationId: string
  /** The signing secrets; several during a rotation. */
  readonly secret: string | readonly string[]
  /** The subject that its events act for. */
  readonly subject: string
  /** The action for an event; null for a type that is not accepted, which is refused with 403. */
  readonly action: (event: WebhookBody) => WebhookAction | null
}

/** The action for an event, as an API request. Faults of its body are 400, as in the API. */
export type WebhookAction =
  | { readonly kind: 'run'; readonly endpointId: string; readonly body: CreateRun }
  | { readonly kind: 'message'; readonly conversationId: string; readonly body: SendMessage }
  | { readonly kind: 'reset'; readonly conversationId: string; readonly body: ResetConversation }
  | { readonly kind: 'cancel'; readonly runId: string }

export type ReceiveWebhook = (
  integrationId: string,
  headers: Headers,
  bytes: Uint8Array<ArrayBuffer>,
) => Promise<Outcome>

/** Receives signed events in the order of D-34: the same ID with the same bytes gets the original answer for 7 days. */
export const createWebhookReceiver = (
  state: GatewayState,
  webhooks: readonly TestWebhook[],
): { readonly receive: ReceiveWebhook; clear(): void } => {
  const accepted = new Map<string, { bytes: Uint8Array; status: number; json: string; acceptedAtMs: number }>()
  /** Events are processed one after the other, so that the second of two concurrent equal events is a repeat. */
  let previous: Promise<unknown> = Promise.resolve()

  const receive: ReceiveWebhook = async (integrationId, headers, bytes) => {
    const webhook = webhooks.find((each) => each.integrationId === integrationId)
    if (webhook === undefined) return notFound('integration')
    if (bytes.length > LIMITS.jsonBodyBytes) return tooLarge(LIMITS.jsonBodyBytes)
    const id = await verifiedId(webhook, headers, bytes, state.now())
    if (typeof id !== 'string') return id
    expireOverdue(state)
    const json = readJson(headers, bytes)
    if ('kind' in json) return json
    const { value: event, faults } = json
    if (faults.length > 0) return refuseBody(faults)
    if (!isObject(event)) return refuseFaults({ faults: [{ pointer: '', message: 'must be an object' }] })
    const outcome = previous.then(() => decide(webhook, id, event, bytes))
    previous = outcome.catch(() => {})
    return outcome
  }
  const decide = async (webhook: TestWebhook, id: string, event: WebhookBody, bytes: Uint8Array): Promise<Outcome> => {
    const name = JSON.stringify([webhook.integrationId, id])
    const nowMs = state.now().getTime()
    const before = accepted.get(name)
    if (before !== undefined && nowMs - before.acceptedAtMs < LIMITS.idempotencyKeyMs)
      return isSame(before.bytes, bytes) ? replay(before) : WEBHOOK_CONFLICT
    const action = webhook.action(event)
    if (action === null) return refuse('PERMISSION_DENIED', 'The integration does not accept events of this type.')
    const outcome = await act(state, webhook, action)
    if (outcome.kind === 'answered') {
      const { status, body } = outcome
      accepted.set(name, { bytes, status, json: JSON.stringify(body), acceptedAtMs: nowMs })
    }
    return outcome
  }
  return { receive, clear: () => accepted.clear() }
}

const verifiedId = async ({ secret }: TestWebhook, headers: Headers, body: Uint8Array, now: Date) => {
  try {
    return (await verifySignature({ secret, headers, body, now })).id
  } catch (error) {
    if (error instanceof SignatureError) return refuse('UNAUTHENTICATED', error.message)
    throw error
  }
}

const isSame = (one: Uint8Array, other: Uint8Array): boolean =>
  one.length === other.length && one.every((byte, index) => byte === other[index])

/** Executes the action like the API's operation. The caller stores accepted IDs, so each action runs once. */
const act = (state: GatewayState, { subject }: TestWebhook, action: WebhookAction): Outcome | Promise<Outcome> => {
  const { operationId, ids, body: given } = requestOf(action)
  const startBefore = new Date(state.now().getTime() + LIMITS.messageStartMs).toISOString()
  const starts = action.kind === 'run' || action.kind === 'message'
  const body: unknown = JSON.parse(JSON.stringify({ ...(starts ? { start_before: startBefore } : {}), ...given }))
  const faults = faultsOf(BODIES[CONTRACT[operationId].body], body)
  if (faults.length > 0) return refuseBody(faults)
  const header = { [IDEMPOTENCY_KEY_HEADER]: state.newId('evt') }
  // A value that conforms to the contract has its generated types.
  return carryOut(state, { operationId, subject, ids, query: {}, header, body, cut: null } as TestedRequest)
}

const requestOf = (action: WebhookAction) => {
  switch (action.kind) {
    case 'run':
      return { operationId: 'createRun', ids: { endpoint_id: action.endpointId }, body: action.body } as const
    case 'message':
      return { operationId: 'sendMessage', ids: { conversation_id: action.conversationId }, body: action.body } as const
    case 'reset': {
      const ids = { conversation_id: action.conversationId }
      return { operationId: 'resetConversation', ids, body: action.body } as const
    }
    case 'cancel':
      return { operationId: 'cancelRun', ids: { run_id: action.runId }, body: {} } as const
  }
}
