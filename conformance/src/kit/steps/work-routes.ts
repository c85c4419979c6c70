import assert from 'node:assert/strict'
import { messageOf } from '../message-of.ts'
import type { ServerContext } from '../server/context.ts'
import { expectRefusal } from '../server/expectations.ts'
import type { Answer } from '../server/wire.ts'
import { readSnapshot } from './snapshots.ts'

/** A route that admits an input. The rules about inputs apply to both such routes. */
export interface WorkRoute {
  readonly name: string
  /** Posts `frame` and this body with a new idempotency key. */
  post(body: Readonly<Record<string, unknown>>): Promise<Answer>
  /** Posts exactly these bytes of JSON. */
  postText(body: string): Promise<Answer>
  /** Members that the body needs besides the input. */
  readonly frame: Readonly<Record<string, unknown>>
  readonly conversationId: string
}

/** Sending a message, and creating a run directly, each in a new conversation. */
export async function openWorkRoutes(t: ServerContext, endpointId = t.config.services.main): Promise<WorkRoute[]> {
  const key = t.fresh('work')
  const { conversation_id: messages } = await t.conversation({ endpoint_id: endpointId })
  const { conversation_id: direct } = await t.conversation({ endpoint_id: endpointId, conversation_key: key })
  return [
    {
      ...routeTo(t, `/conversations/${messages}/messages`, { expected_generation: 1 }),
      name: 'a message',
      conversationId: messages,
    },
    {
      ...routeTo(t, `/agent-endpoints/${endpointId}/runs`, { conversation_key: key }),
      name: 'a direct run',
      conversationId: direct,
    },
  ]
}

const routeTo = (t: ServerContext, path: string, frame: WorkRoute['frame']) => ({
  frame,
  post: (body: Readonly<Record<string, unknown>>) => t.me.post(path, { ...frame, ...body }),
  postText: (body: string) => t.me.postText(path, body),
})

/** Counts the admitted runs in the conversation of the route. */
export const countAdmitted = async (t: ServerContext, { conversationId }: Pick<WorkRoute, 'conversationId'>) =>
  (await readSnapshot(t, conversationId)).runs.length

/** Fails unless the input was admitted. For a direct run any 2xx is accepted. */
export async function expectAdmitted(what: string, sending: Promise<Answer>): Promise<Answer> {
  const answer = await sending
  assert.ok(
    answer.status === 202 || (answer.status >= 200 && answer.status < 300 && answer.request.path.endsWith('/runs')),
    `${what} must be admitted, got ${answer.status} ${answer.text.slice(0, 300)}`,
  )
  return answer
}

/** Fails unless it was refused with this status and code. */
export async function expectRefused(what: string, sending: Promise<Answer>, status: number, code?: string) {
  const answer = await sending
  try {
    return expectRefusal(answer, status, code)
  } catch (error) {
    throw new Error(`${what} must be refused: ${messageOf(error)}`)
  }
}

/** Calls `expectRefusals` for both routes, and fails if one of the refused requests admitted a run. */
export async function refuseOnBothRoutes(
  t: ServerContext,
  expectRefusals: (route: WorkRoute) => Promise<unknown>,
  endpointId?: string,
): Promise<void> {
  await refuseOnRoutes(t, expectRefusals, await openWorkRoutes(t, endpointId))
}

/** Does the same for routes that were opened earlier, while conversations could still be created. */
export async function refuseOnRoutes(
  t: ServerContext,
  expectRefusals: (route: WorkRoute) => Promise<unknown>,
  routes: readonly WorkRoute[],
): Promise<void> {
  await Promise.all(
    routes.map(async (route) => {
      const before = await countAdmitted(t, route)
      await expectRefusals(route)
      assert.equal(await countAdmitted(t, route), before, `a run was admitted although ${route.name} was refused`)
    }),
  )
}
