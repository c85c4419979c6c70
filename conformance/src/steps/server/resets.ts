import assert from 'node:assert/strict'
import type { Control, Operation } from '#openapi/generated/gateway'
import type { ServerContext } from '../../targets/server/context.ts'

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
