import { notFound, refuse } from '../behaviour/refusal.ts'
import type {
  Admission,
  Control,
  CreateRun,
  ResetConversation,
  SendMessage,
  WebhookBody,
} from '../generated/gateway.ts'
import { LIMITS } from '../generated/limits.ts'
import { SignatureError } from '../signature/signature-error.ts'
import { verifySignature } from '../signature/verify.ts'
import type { Call } from './call.ts'
import { readJson, refuseBody } from './json-body.ts'
import type { Outcome, RawAnswer } from './outcome.ts'
import { refuseFaults } from './outcome.ts'
import { ROUTES } from './routes.ts'
import { expireOverdue } from './runs.ts'
import { isObject } from './shapes.ts'
import type { GatewayState } from './state.ts'

/** A webhook that the gateway in memory receives, at `/api/v1/webhooks/<integrationId>`. */
export interface TestWebhook {
  readonly integrationId: string
  /** What senders sign with; several while one is rotated. */
  readonly secret: string | readonly string[]
  /** The subject that its events act for. */
  readonly subject: string
  /** What an event asks for; null for a type that is not accepted, which is refused with 403. */
  readonly action: (event: WebhookBody) => WebhookAction | null
}

/** What an event asks for, in the words of the API; what its body lacks is a 400 as it is there. */
export type WebhookAction =
  | { readonly kind: 'run'; readonly endpointId: string; readonly body: CreateRun }
  | { readonly kind: 'message'; readonly conversationId: string; readonly body: SendMessage }
  | { readonly kind: 'reset'; readonly conversationId: string; readonly body: ResetConversation }
  | { readonly kind: 'cancel'; readonly runId: string }

export type ReceiveWebhook = (
  integrationId: string,
  headers: Headers,
  body: Uint8Array<ArrayBuffer>,
) => Promise<Outcome<Admission | Control> | RawAnswer>

const MEMORY_MS = 7 * 24 * 3_600_000

/** Receives signed events in the order of D-34: the same ID with the same bytes gets the original answer for 7 days. */
export const createWebhookReceiver = (
  state: GatewayState,
  webhooks: readonly TestWebhook[],
): { readonly receive: ReceiveWebhook; clear(): void } => {
  const accepted = new Map<string, { body: Uint8Array; json: string; acceptedAtMs: number }>()
  /** One event after the other, so that one that comes twice at once is found to have come before. */
  let turn: Promise<unknown> = Promise.resolve()

  const receive: ReceiveWebhook = async (integrationId, headers, body) => {
    const webhook = webhooks.find((each) => each.integrationId === integrationId)
    if (webhook === undefined) return notFound('integration')
    if (body.length > LIMITS.jsonBodyBytes)
      return refuse('PAYLOAD_TOO_LARGE', `The body may have at most ${LIMITS.jsonBodyBytes} bytes.`)
    const id = await verifiedId(webhook, headers, body, state.now())
    if (typeof id !== 'string') return id
    expireOverdue(state)
    const json = readJson({ headers, body })
    if (json.kind === 'refused') return json
    if (json.faults.length > 0) return refuseBody(json.faults)
    if (!isObject(json.value)) return refuseFaults([{ pointer: '', message: 'must be an object' }])
    const event = json.value
    const outcome = turn.then(() => decide(webhook, id, event, body))
    turn = outcome.catch(() => {})
    return outcome
  }
  const decide = async (
    webhook: TestWebhook,
    id: string,
    event: WebhookBody,
    body: Uint8Array,
  ): Promise<Outcome<Admission | Control> | RawAnswer> => {
    const name = JSON.stringify([webhook.integrationId, id])
    const nowMs = state.now().getTime()
    const before = accepted.get(name)
    if (before !== undefined && nowMs - before.acceptedAtMs < MEMORY_MS)
      return isSame(before.body, body)
        ? { kind: 'raw', status: 202, content: before.json, headers: REPLAYED }
        : refuse(
            'WEBHOOK_CONFLICT',
            'This webhook-id was accepted with another body; give each event an ID of its own.',
          )
    const action = webhook.action(event)
    if (action === null) return refuse('PERMISSION_DENIED', 'The integration does not accept events of this type.')
    const outcome = await act(state, webhook, action)
    if (outcome.kind === 'answered')
      accepted.set(name, { body, json: JSON.stringify(outcome.body), acceptedAtMs: nowMs })
    return outcome
  }
  return { receive, clear: () => accepted.clear() }
}

const REPLAYED = { 'content-type': 'application/json', 'idempotency-replayed': 'true' }

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

/** Carries the action out as the operation of the API does, once: the caller remembers what was accepted. */
const act = (state: GatewayState, { subject }: TestWebhook, action: WebhookAction) => {
  const call = <Id extends Call['operationId']>(operationId: Id, ids: Call['ids'], body: object): Call => ({
    operationId,
    subject,
    ids,
    query: new URLSearchParams(),
    headers: new Headers({ 'content-type': 'application/json', 'idempotency-key': state.newId('key') }),
    body: new TextEncoder().encode(JSON.stringify(body)),
    cut: null,
  })
  const start_before = new Date(state.now().getTime() + LIMITS.messageStartMs).toISOString()
  switch (action.kind) {
    case 'run': {
      const ids = { endpoint_id: action.endpointId }
      return ROUTES.createRun(state, call('createRun', ids, { start_before, ...action.body }))
    }
    case 'message': {
      const ids = { conversation_id: action.conversationId }
      return ROUTES.sendMessage(state, call('sendMessage', ids, { start_before, ...action.body }))
    }
    case 'reset': {
      const ids = { conversation_id: action.conversationId }
      return ROUTES.resetConversation(state, call('resetConversation', ids, action.body))
    }
    case 'cancel':
      return ROUTES.cancelRun(state, call('cancelRun', { run_id: action.runId }, {}))
  }
}
