import assert from 'node:assert/strict'
import type { Conversation } from '#openapi/generated/gateway'
import { messageOf } from '../message-of.ts'
import type { Caller, CallOptions } from '../server/caller.ts'
import type { ServerContext } from '../server/context.ts'
import { expectRefusal, expectStatus } from '../server/expectations.ts'
import { listItems } from './conversations.ts'

type DirectRun = Readonly<Record<string, unknown>>

export interface DirectRunOptions extends CallOptions {
  readonly by?: Caller
  readonly endpointId?: string
}

/** Creates a run directly. Fails unless the answer is 2xx. The specification does not define which. */
export async function createRun(t: ServerContext, body: DirectRun, options: DirectRunOptions = {}) {
  const { by = t.me, endpointId = t.config.services.main, ...more } = options
  const answer = await by.createRun(endpointId, body, more)
  const { status, text } = answer
  assert.ok(
    status >= 200 && status < 300,
    `${JSON.stringify(body).slice(0, 200)} must be accepted, got ${status} ${text}`,
  )
  return answer
}

/** Fails unless the run is refused with one of these statuses and this code. */
export async function refuseRun(t: ServerContext, body: DirectRun, statuses: readonly number[], code?: string) {
  const answer = await t.me.createRun(t.config.services.main, body)
  try {
    expectStatus(answer, ...statuses)
    expectRefusal(answer, answer.status, code)
  } catch (error) {
    throw new Error(`${JSON.stringify(body).slice(0, 200)}: ${messageOf(error)}`)
  }
}

/** The conversations of a caller on the device of the service. */
export const conversationsOf = (t: ServerContext, by = t.me, endpointId = t.config.services.main) =>
  listItems(by, endpointId)

/** Finds the conversation with this business key. Fails unless there is exactly one. */
export async function conversationOfKey(
  t: ServerContext,
  key: string,
  { by = t.me, endpointId = t.config.services.main }: Pick<DirectRunOptions, 'by' | 'endpointId'> = {},
): Promise<Conversation> {
  const found = (await conversationsOf(t, by, endpointId)).filter(
    ({ business_key, endpoint_id }) => business_key === key && endpoint_id === endpointId,
  )
  const [conversation] = found
  assert.ok(
    found.length === 1 && conversation !== undefined,
    `${found.length} conversations have the key ${key}, not 1`,
  )
  return conversation
}

/** The runs of a conversation. */
export const runsOf = async ({ conversation_id: id }: Pick<Conversation, 'conversation_id'>, by: Caller) =>
  expectStatus(await by.snapshot(id), 200).body.runs

/** Creates a run directly in the conversation of this key. Returns its ID, which the answer need not contain (D-22). */
export async function createRunOfKey(t: ServerContext, key: string, body: DirectRun): Promise<string> {
  const runs = async (): Promise<string[]> => {
    const found = (await conversationsOf(t)).find(({ business_key }) => business_key === key)
    return found === undefined ? [] : (await runsOf(found, t.me)).map(({ run_id }) => run_id)
  }
  const before = new Set(await runs())
  await createRun(t, { conversation_key: key, ...body })
  const created = (await runs()).filter((runId) => !before.has(runId))
  assert.equal(created.length, 1, `a direct run with the key ${key} created ${created.length} runs`)
  return created[0] ?? ''
}
