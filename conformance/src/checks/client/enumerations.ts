import { json, stream } from '../../kit/client/answers.ts'
import type { ClientCheck } from '../../kit/client/client-context.ts'
import type { Command, JsonObject } from '../../kit/client/commands.ts'
import { expectEqual, expectMembers, expectThat } from '../../kit/client/expect.ts'
import {
  CONVERSATION,
  conversationRecord,
  eventEnvelope,
  frame,
  MESSAGES,
  messageRecord,
  OPERATION,
  operationRecord,
  RUN,
  runCompleted,
  runRecord,
  snapshotRecord,
} from '../../kit/client/records.ts'

const check = (id: string, title: string, command: Command, run: ClientCheck['run']): ClientCheck => ({
  id: `enumerations/${id}`,
  title,
  rules: ['GEN-29'],
  needs: [command],
  run,
})

const message = messageRecord(1, 'Hello', { role: 'narrator' })

export const checks: readonly ClientCheck[] = [
  check(
    'run',
    'a run with an unknown state and an unknown delivery state is read',
    'read_run',
    async ({ gateway, open }) => {
      const record = runRecord('hibernating', { delivery_state: 'on_its_way' })
      gateway.on('GET', RUN, json(200, record))
      expectEqual('The run', await (await open()).call('read_run', { run_id: 'run_1' }), record)
    },
  ),
  check('operation', 'an operation with an unknown state is read', 'read_operation', async ({ gateway, open }) => {
    const record = operationRecord('rolling_back')
    gateway.on('GET', OPERATION, json(200, record))
    expectEqual('The operation', await (await open()).call('read_operation', { operation_id: 'op_1' }), record)
  }),
  check(
    'conversation',
    'a new conversation with an unknown state is returned',
    'create_conversation',
    async ({ gateway, open }) => {
      const record = conversationRecord({ state: 'archived' })
      gateway.on('POST', '/api/v1/conversations', json(201, record))
      expectEqual('The conversation', await (await open()).call('create_conversation', { endpoint_id: 'ep_1' }), record)
    },
  ),
  check(
    'snapshot',
    'a snapshot with unknown roles and run states is read',
    'read_conversation',
    async ({ gateway, open }) => {
      const run: JsonObject = { run_id: 'run_1', generation: 1, state: 'hibernating', device_received: false }
      const record = snapshotRecord({ messages: [message], runs: [{ ...run, result: null, result_available: false }] })
      gateway.on('GET', CONVERSATION, json(200, record))
      expectEqual('The snapshot', await (await open()).call('read_conversation', { conversation_id: 'conv_1' }), record)
    },
  ),
  check('history', 'a message with an unknown role is read', 'read_history', async ({ gateway, open }) => {
    gateway.on('GET', MESSAGES, json(200, { messages: [message] }), json(200, { messages: [] }))
    const { messages } = await (await open()).call('read_history', { conversation_id: 'conv_1', limit: 10 })
    expectEqual('The messages', messages, [message])
  }),
  check(
    'wait-for-run',
    'a run is followed through an unknown state to its end',
    'wait_run',
    async ({ gateway, open }) => {
      gateway.on(
        'GET',
        RUN,
        json(200, runRecord('hibernating')),
        json(200, runRecord('running')),
        json(200, runRecord('succeeded')),
      )
      expectMembers('the run', await (await open()).call('wait_run', { run_id: 'run_1' }), { state: 'succeeded' })
      expectThat(gateway.to('GET', RUN).length >= 3, 'The client must read the run until it has ended')
    },
  ),
  check(
    'wait-for-operation',
    'an operation is followed through an unknown state to its end',
    'wait_operation',
    async ({ gateway, open }) => {
      gateway.on('GET', CONVERSATION, json(200, snapshotRecord()))
      gateway.on('GET', OPERATION, json(200, operationRecord('rolling_back')), json(200, operationRecord('failed')))
      expectMembers('the operation', await (await open()).call('wait_operation', { operation_id: 'op_1' }), {
        state: 'failed',
      })
      expectThat(gateway.to('GET', OPERATION).length >= 2, 'The client must poll until the operation has ended')
    },
  ),
  check('event', 'an event with an unknown run state is delivered', 'watch_run', async ({ gateway, open }) => {
    const event = eventEnvelope(11, 'run.updated', { state: 'hibernating', delivery_state: 'on_its_way' })
    gateway.on('GET', `${RUN}/events`, stream([frame(event), frame(runCompleted(12))]))
    const watch = (await open()).start('watch_run', { run_id: 'run_1', after: 10 })
    await watch.result
    expectEqual('The first event', watch.items[0]?.event, event)
  }),
]
