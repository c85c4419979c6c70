import { json, problem } from '../../kit/client/answers.ts'
import type { ClientCheck, ClientContext } from '../../kit/client/client-context.ts'
import { expectEqual, expectError, expectMembers, expectThat } from '../../kit/client/expect.ts'
import {
  admission,
  CONVERSATION,
  conversationRecord,
  MESSAGE,
  MESSAGES,
  operationRecord,
  RESET,
  snapshotRecord,
} from '../../kit/client/records.ts'

/** A gateway with a conversation in generation 5 that refuses requests with any other expected generation. */
const playGeneration5 = ({ gateway }: ClientContext): void => {
  gateway.on('POST', MESSAGES, (request) =>
    request.json().expected_generation === 5
      ? json(202, admission({ generation: 5 }))
      : problem(409, 'GENERATION_CONFLICT'),
  )
  gateway.on('POST', RESET, (request) =>
    request.json().expected_generation === 5
      ? json(202, operationRecord('stopping', { ref: { conversation_id: 'conv_1', generation: 5 } }))
      : problem(409, 'GENERATION_CONFLICT'),
  )
  gateway.on('GET', CONVERSATION, json(200, snapshotRecord({ generation: 5 })))
}

const afterConflict = (command: 'send_message' | 'reset_conversation', path: string): ClientCheck => ({
  id: `conflicts/generation-${command}`,
  title: `after a generation conflict the snapshot is read before the next ${command}, which has a new key`,
  rules: ['IDEM-08'],
  needs: [command, 'read_conversation'],
  run: async (context) => {
    const { gateway, open } = context
    playGeneration5(context)
    const client = await open()
    const call = (expected_generation: number) =>
      command === 'send_message'
        ? client.call(command, { ...MESSAGE, expected_generation })
        : client.call(command, { conversation_id: 'conv_1', expected_generation })
    // A client may reload and continue automatically; otherwise it reports to its caller, which the check simulates.
    const conflict = await call(1).then(
      () => null,
      (error: unknown) => error,
    )
    if (conflict !== null) {
      const error = await expectError(`The ${command}`, Promise.reject(conflict), 'refused')
      expectMembers('the error', error.details, { status: 409, code: 'GENERATION_CONFLICT' })
      const { generation } = await client.call('read_conversation', { conversation_id: 'conv_1' })
      expectEqual('The generation of the snapshot', generation, 5)
      await call(5)
    }
    const [first, second, ...more] = gateway.to('POST', path)
    expectThat(
      first && second && more.length === 0,
      `The ${command} must be sent twice: with the stale generation, and with the current one`,
    )
    const [reload] = gateway.to('GET', CONVERSATION)
    expectThat(
      reload && gateway.requests.indexOf(reload) < gateway.requests.indexOf(second),
      'The snapshot must be read between the two requests',
    )
    expectThat(
      first.header('idempotency-key') !== second.header('idempotency-key'),
      'The second request is not a retry and must have a new key',
    )
  },
})

export const checks: readonly ClientCheck[] = [
  afterConflict('send_message', MESSAGES),
  afterConflict('reset_conversation', RESET),
  {
    id: 'conflicts/no-reset-by-itself',
    title: 'after a generation conflict nothing is reset unless the caller asks for it',
    rules: ['VER-05'],
    needs: ['send_message'],
    run: async (context) => {
      playGeneration5(context)
      const client = await context.open()
      await client.call('send_message', MESSAGE).catch(() => {})
      expectThat(context.gateway.to('POST', MESSAGES).length > 0, 'The client must send the message')
      expectEqual('The number of resets', context.gateway.to('POST', RESET).length, 0)
    },
  },
  {
    id: 'conflicts/conflict-is-told',
    title: 'a generation conflict after a publication is returned to the caller',
    rules: ['VER-05'],
    needs: ['send_message'],
    run: async ({ gateway, open }) => {
      // The version has changed, but the generation has not: only a reset helps, not a reload.
      gateway.on('POST', MESSAGES, problem(409, 'GENERATION_CONFLICT'))
      gateway.on('GET', CONVERSATION, json(200, snapshotRecord()))
      gateway.on('POST', RESET, json(202, operationRecord('succeeded')))
      const error = await expectError('The message', (await open()).call('send_message', MESSAGE), 'refused')
      expectMembers('the error', error.details, { status: 409, code: 'GENERATION_CONFLICT' })
      expectEqual('The number of resets', gateway.to('POST', RESET).length, 0)
    },
  },
  {
    id: 'conflicts/business-key',
    title:
      'after 409 BUSY for a business key nothing else is created, and the original conversation can be found and used',
    rules: ['CONV-09'],
    needs: ['create_conversation', 'list_conversations', 'send_message'],
    run: async ({ gateway, open }) => {
      const original = conversationRecord({ business_key: 'order-4711' })
      gateway.on('POST', '/api/v1/conversations', problem(409, 'BUSY'))
      gateway.on('GET', '/api/v1/conversations', ({ query }) =>
        json(200, {
          conversations: query.has('before') ? [] : [conversationRecord({ conversation_id: 'conv_2' }), original],
        }),
      )
      gateway.on('POST', MESSAGES, json(202, admission()))
      const client = await open()
      const creation = { endpoint_id: 'ep_1', conversation_key: 'order-4711' }
      // A client may fetch the original automatically and return it.
      const created = await client.call('create_conversation', creation).catch(async (reason: unknown) => {
        const error = await expectError('The creation', Promise.reject(reason), 'refused')
        expectMembers('the error', error.details, { status: 409, code: 'BUSY' })
        const { conversations } = await client.call('list_conversations', { endpoint_id: 'ep_1', limit: 50 })
        const found = Array.isArray(conversations) ? conversations : []
        return found.find((each) => each.business_key === 'order-4711')
      })
      expectEqual('The original conversation', created, original)
      await client.call('send_message', MESSAGE)

      const creations = gateway.to('POST', '/api/v1/conversations')
      expectEqual('The number of creations', creations.length, 1)
      expectMembers('the creation', creations[0]?.json() ?? {}, creation)
      expectEqual('The number of messages to the original', gateway.to('POST', MESSAGES).length, 1)
    },
  },
]
