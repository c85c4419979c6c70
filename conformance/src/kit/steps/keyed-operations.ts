import type { Admission, Conversation } from '#openapi/generated/gateway'
import type { Caller, CallOptions } from '../server/caller.ts'
import type { ServerContext } from '../server/context.ts'
import { expectStatus } from '../server/expectations.ts'
import type { Answer } from '../server/wire.ts'
import { countByBusinessKey } from './conversations.ts'

/** An operation with an Idempotency-Key, prepared so that it will be admitted. */
export interface KeyedOperation {
  readonly name: string
  readonly path: string
  readonly json: object
  /** Different valid content; null if the operation allows only one content. */
  readonly changed: object | null
  /** Returns the effects of the operation, as far as the API shows them. */
  observe(): Promise<unknown>
  /** Resolves when all work that the operation started has ended. */
  settle(answer: Answer): Promise<void>
}

export interface KeyedOperationsOptions {
  /** Default: `me`. */
  readonly caller?: Caller
  /** Default: the service `main`. */
  readonly endpointId?: string
  /** Default: a new one. */
  readonly businessKey?: string
}

/** Sends the operation, by default with its own content. */
export const perform = (
  { path, json }: KeyedOperation,
  caller: Caller,
  options: CallOptions & { readonly key: string },
): Promise<Answer> => caller.post(path, options.json ?? json, options)

/** Creating, messaging, cancelling and resetting: the specification itself requires an Idempotency-Key for these. */
export async function keyedOperations(
  t: ServerContext,
  options: KeyedOperationsOptions = {},
): Promise<readonly KeyedOperation[]> {
  const { caller = t.me, endpointId = t.config.services.main, businessKey = t.fresh('order') } = options
  const create = () => t.conversation({ endpoint_id: endpointId }, caller)
  const [talk, busy, idle] = await Promise.all([create(), create(), create()])
  const running = await t.admit(busy, t.script({ hang: true }), caller)
  await t.runIn(running.run_id, ['running'], caller)
  return [
    {
      name: 'creating a conversation',
      path: '/conversations',
      json: { endpoint_id: endpointId, conversation_key: businessKey },
      changed: { endpoint_id: endpointId, conversation_key: `${businessKey}-changed` },
      observe: async () => [
        await countByBusinessKey(caller, endpointId, businessKey),
        await countByBusinessKey(caller, endpointId, `${businessKey}-changed`),
      ],
      settle: async () => {},
    },
    sending(t, caller, talk),
    {
      name: 'cancelling',
      path: `/runs/${running.run_id}/cancel`,
      json: {},
      changed: null,
      observe: async () => expectStatus(await caller.run(running.run_id), 200).body.state === 'running',
      settle: async () => {
        await t.runEnded(running.run_id, caller)
      },
    },
    {
      name: 'resetting',
      path: `/conversations/${idle.conversation_id}/reset`,
      json: { expected_generation: 1 },
      changed: { expected_generation: 2 },
      observe: async () => expectStatus(await caller.snapshot(idle.conversation_id), 200).body.generation,
      settle: async ({ body }) => {
        const { operation_id: id } = body as { readonly operation_id: string }
        await t.operationEnded(id, caller)
      },
    },
  ]
}

/** The operations of `keyedOperations`, direct run creation and attachment creation (D-11). */
export async function allKeyedOperations(
  t: ServerContext,
  options: KeyedOperationsOptions = {},
): Promise<readonly KeyedOperation[]> {
  const { caller = t.me, endpointId = t.config.services.main } = options
  const target = await t.conversation({ endpoint_id: endpointId, conversation_key: t.fresh('direct') }, caller)
  const input = { conversation_key: target.business_key, input: { text: 'directly' } }
  const file = { filename: 'note.txt', content_type: 'text/plain', size: 3 }
  return [
    ...(await keyedOperations(t, options)),
    {
      ...sending(t, caller, target),
      name: 'creating a direct run',
      path: `/agent-endpoints/${endpointId}/runs`,
      json: input,
      changed: { ...input, input: { text: 'directly, changed' } },
    },
    {
      name: 'creating an attachment',
      path: '/resources',
      json: file,
      changed: { ...file, size: 4 },
      observe: async () => null,
      settle: async () => {},
    },
  ]
}

const sending = (t: ServerContext, caller: Caller, { conversation_id: id }: Conversation): KeyedOperation => ({
  name: 'sending a message',
  path: `/conversations/${id}/messages`,
  json: { expected_generation: 1, input: { text: 'said' } },
  changed: { expected_generation: 1, input: { text: 'said, changed' } },
  observe: () => countInputs(caller, id),
  settle: async ({ body }) => {
    await t.runEnded((body as Admission).run_id, caller)
  },
})

/** Counts the submitted messages among the newest 100 messages of the conversation. */
export async function countInputs(caller: Caller, conversationId: string): Promise<number> {
  const { messages } = expectStatus(await caller.history(conversationId, 'limit=100'), 200).body
  return messages.filter(({ role }) => role === 'user').length
}
