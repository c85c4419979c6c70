import type { Admission, Control, Message } from '#openapi/generated/gateway'
import type { WebhookConfig } from '../config/server-config.ts'
import type { ServerContext } from '../server/context.ts'
import { expectStatus } from '../server/expectations.ts'
import { deliver, subjectOf, type WebhookOptions } from '../server/webhook-sender.ts'

/** Delivers an event and fails unless it is accepted. */
export const accept = async (
  t: ServerContext,
  integration: WebhookConfig,
  event: unknown,
  options?: WebhookOptions,
): Promise<Admission & Control> => expectStatus(await deliver(t, integration, event, options), 202).body

/** The user messages of a conversation, read by the integration's subject. */
export async function inputsOf(
  t: ServerContext,
  integration: WebhookConfig,
  conversationId: string,
): Promise<readonly Message[]> {
  const { messages } = expectStatus(await subjectOf(t, integration).history(conversationId), 200).body
  return messages.filter(({ role }) => role === 'user')
}

/** Conversations that an integration must not reach: of another subject, another service and another application. */
export const conversationsOfOthers = async (t: ServerContext, integration: WebhookConfig) => {
  const owner = subjectOf(t, integration)
  const otherApp = t.caller({ app: 'second', subject: integration.subject })
  const { main, sameDevice = main, foreign } = t.config.services
  return [
    { by: t.me, conversation: await t.conversation() },
    { by: owner, conversation: await t.conversation({ endpoint_id: sameDevice }, owner) },
    { by: otherApp, conversation: await t.conversation({ endpoint_id: foreign }, otherApp) },
  ]
}

/** An input whose run hangs until it is stopped, as parts of an event. */
export const hanging = (t: ServerContext) => t.script({ hang: true })

/**
 * The ID of the operation in the answer to an accepted control. The specification does not say which member contains
 * it.
 */
export function operationIdIn(t: ServerContext, body: unknown): string {
  const found = findOperationId(body)
  return found ?? t.untestable('the answer to a control names no operation (the specification does not show it)')
}

const findOperationId = (value: unknown): string | undefined => {
  if (typeof value === 'string') return value.startsWith('op_') ? value : undefined
  if (typeof value !== 'object' || value === null) return undefined
  return Object.values(value)
    .map(findOperationId)
    .find((id) => id !== undefined)
}
