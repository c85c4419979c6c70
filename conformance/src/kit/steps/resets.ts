import assert from 'node:assert/strict'
import type { Control, Operation } from '#openapi/generated/gateway'
import type { ServerContext } from '../server/context.ts'
import { expectStatus } from '../server/expectations.ts'
import type { Answer } from '../server/wire.ts'

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

/**
 * Of resets of one generation that were sent at once one has to succeed; its operation by then. That a conversation refuses
 * resets while it is resetting is a decision (D-21): elsewhere the others may be accepted, too, and fail.
 */
export async function expectOneReset(t: ServerContext, answers: readonly Answer<Control>[]): Promise<Operation> {
  const accepted = answers.filter(({ status }) => status >= 200 && status < 300)
  for (const answer of answers) if (!accepted.includes(answer)) expectStatus(answer, 409)
  if (t.profile === 'reference')
    assert.equal(accepted.length, 1, `${accepted.length} resets of one generation were accepted`)
  const operations = await Promise.all(accepted.map(({ body }) => t.operationEnded(body.operation_id)))
  const [one, ...others] = operations.filter(({ state }) => state === 'succeeded')
  assert.ok(
    one !== undefined && others.length === 0,
    `${others.length + (one === undefined ? 0 : 1)} resets of one generation have succeeded`,
  )
  return one
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
