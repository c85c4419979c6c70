import type { Conversation, Run } from '#openapi/generated/gateway'
import type { DeliveryView, ScriptStep } from '../config/driver.ts'
import type { CallbackRequest } from '../server/callback-receiver.ts'
import type { ServerContext } from '../server/context.ts'
import { signatureOf } from '../server/webhook-sender.ts'
import { runToEnd } from './runs.ts'

export const SIGNATURE_HEADERS = ['webhook-id', 'webhook-timestamp', 'webhook-signature'] as const

/** Creates a conversation whose events are delivered to the suite's receiver. */
export const observed = (t: ServerContext): Promise<Conversation> =>
  t.conversation({ endpoint_id: t.config.callbacks?.service })

/** Runs a script in the conversation to its end. */
export const finish = (t: ServerContext, conversation: Conversation, ...steps: readonly ScriptStep[]): Promise<Run> =>
  runToEnd(t, conversation, t.script(...(steps.length > 0 ? steps : [SUCCESS])))

export const SUCCESS: ScriptStep = { succeed: { text: 'done' } }
export const FAILURE: ScriptStep = { fail: { code: 'NO_STOCK', message: 'Nothing left.' } }

/** Waits for at least `count` requests about the conversation, and returns all. */
export const arrivals = (t: ServerContext, { conversation_id: id }: Conversation, count: number) =>
  t.until(
    `${count} callbacks about ${id}`,
    async () => t.callbacks.requests(id),
    (requests) => requests.length >= count,
  )

/** Waits for the first request about the conversation with an event of this type. */
export const arrivalOf = (
  t: ServerContext,
  { conversation_id: id }: Pick<Conversation, 'conversation_id'>,
  type: string,
): Promise<CallbackRequest> =>
  t.until(
    `a callback for ${type}`,
    async () => t.callbacks.requests(id).find(({ event }) => event.type === type),
    (request) => request !== undefined,
  )

/**
 * Waits until the conversation's first listed delivery is in one of these states and the condition is true. The check
 * needs `driver.listDeliveries`.
 */
export async function deliveryIn(
  t: ServerContext,
  { conversation_id: id }: Conversation,
  states: readonly DeliveryView['state'][],
  holds: (delivery: DeliveryView) => boolean = () => true,
): Promise<DeliveryView> {
  const [delivery] = await t.until(
    `the delivery of ${id} is ${states.join(' or ')}`,
    () => t.driver.listDeliveries({ conversationId: id }),
    ([one]) => one !== undefined && states.includes(one.state) && holds(one),
  )
  if (delivery === undefined) throw new Error(`no delivery of ${id}`)
  return delivery
}

/** Waits until this many attempts of the delivery have failed and it waits for the next one. */
export const waitsForRetry = (t: ServerContext, conversation: Conversation, attempts = 1): Promise<DeliveryView> =>
  deliveryIn(t, conversation, ['pending'], (delivery) => delivery.attempts === attempts)

/** Whether the callback has the signature that this secret makes over its ID, timestamp and bytes. */
export function isSignedBy(request: CallbackRequest | undefined, secret: string): boolean {
  const [id = '', timestamp = '', signature] = SIGNATURE_HEADERS.map((name) => request?.header(name)[0])
  return request !== undefined && signature === signatureOf(id, timestamp, request.bytes, secret)
}

/** An answer that the receiver sends when `release` is called. */
export function held(status = 200) {
  const { promise: answer, resolve } = Promise.withResolvers<{ status: number }>()
  return { answer, release: () => resolve({ status }) }
}

/** Creates a conversation with one event, which the receiver answers by the plan. */
export async function answeredWith(
  t: ServerContext,
  plan: Parameters<ServerContext['callbacks']['plan']>[1],
): Promise<Conversation> {
  const conversation = await observed(t)
  t.callbacks.plan(conversation.conversation_id, plan)
  await finish(t, conversation)
  return conversation
}
