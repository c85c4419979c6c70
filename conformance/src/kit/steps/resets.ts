import assert from 'node:assert/strict'
import type { Control, Operation } from '#openapi/generated/gateway'
import type { Caller } from '../server/caller.ts'
import type { ServerContext } from '../server/context.ts'
import { expectStatus } from '../server/expectations.ts'
import type { Answer } from '../server/wire.ts'

/** Resets the conversation. Fails unless the answer is 2xx. The specification does not define which. */
export async function resetConversation(
  t: ServerContext,
  conversationId: string,
  generation: number,
  busyPolicy?: 'reject' | 'cancel_and_reset',
  by: Caller = t.me,
): Promise<Control> {
  const { status, body, text } = await by.reset(conversationId, generation, busyPolicy)
  assert.ok(status >= 200 && status < 300, `a reset must be accepted, got ${status} ${text}`)
  return body
}

/**
 * Fails unless exactly one of several concurrent resets of one generation succeeds. Returns its operation. Only a
 * decision (D-21) requires the gateway to refuse the others. In `core` they may also be accepted and then fail.
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

/** Resets the conversation and waits until the operation has succeeded. */
export async function completeReset(
  t: ServerContext,
  conversationId: string,
  generation: number,
  busyPolicy?: 'reject' | 'cancel_and_reset',
  by: Caller = t.me,
): Promise<Operation> {
  const { operation_id: id } = await resetConversation(t, conversationId, generation, busyPolicy, by)
  const operation = await t.operationEnded(id, by)
  assert.equal(operation.state, 'succeeded', `the reset of ${conversationId} is ${operation.state}`)
  return operation
}
