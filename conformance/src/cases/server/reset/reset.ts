import assert from 'node:assert/strict'
import type { Control, Conversation, Operation } from '../../../generated/gateway.ts'
import type { ServerContext } from '../../../targets/server/context.ts'

/** A reset that must be accepted; the specification leaves open with which 2xx. */
export async function resetConversation(
  t: ServerContext,
  conversationId: string,
  generation: number,
  busyPolicy?: 'reject' | 'cancel_and_reset',
): Promise<Control> {
  const { status, body, text } = await t.me.reset(conversationId, generation, busyPolicy)
  assert.ok(status >= 200 && status < 300, `a reset must be accepted, got ${status} ${text}`)
  return body
}

/** A reset that succeeds; its operation by then. */
export async function completeReset(
  t: ServerContext,
  conversationId: string,
  generation: number,
  busyPolicy?: 'reject' | 'cancel_and_reset',
): Promise<Operation> {
  const { operation_id: id } = await resetConversation(t, conversationId, generation, busyPolicy)
  const operation = await t.operationEnded(id)
  assert.equal(operation.state, 'succeeded', `the reset of ${conversationId} has ${operation.state}`)
  return operation
}

/** The record of a conversation, wherever it stands in the answer of the list (D-13 decides that). */
export async function findRecord(
  t: ServerContext,
  conversationId: string,
  endpointId = t.config.services.main,
): Promise<Conversation> {
  const { status, body, text } = await t.me.listConversations(`endpoint_id=${endpointId}`)
  assert.equal(status, 200, text)
  const found = recordsIn(body).find(({ conversation_id }) => conversation_id === conversationId)
  if (found === undefined) throw new Error(`the list of conversations has no record of ${conversationId}`)
  return found
}

/** All conversation records in an answer. */
export const recordsIn = (value: unknown): Conversation[] => {
  if (typeof value !== 'object' || value === null) return []
  if ('conversation_id' in value && 'binding_version' in value) return [value as Conversation]
  return Object.values(value).flatMap(recordsIn)
}
