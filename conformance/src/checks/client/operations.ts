import { json, lost } from '../../kit/client/answers.ts'
import type { ClientCheck } from '../../kit/client/client-context.ts'
import { expectEqual, expectMembers, expectThat } from '../../kit/client/expect.ts'
import {
  CONVERSATION,
  OPERATION,
  operationRecord,
  RESET,
  RUN,
  runRecord,
  snapshotRecord,
} from '../../kit/client/records.ts'

const CANCEL = '/api/v1/runs/run_1/cancel'
const STATES = ['pending', 'waiting_device', 'stopping', 'succeeded', 'failed']

const reset = { conversation_id: 'conv_1', expected_generation: 1 }
const inGeneration = (state: string, generation: number) =>
  json(200, operationRecord(state, { ref: { conversation_id: 'conv_1', generation } }))

const ends = ['succeeded', 'failed'].map(
  (end): ClientCheck => ({
    id: `operations/polled-until-${end}`,
    title: `an operation is polled through every incomplete state until it has ${end}`,
    rules: ['OPER-02'],
    needs: ['wait_operation'],
    run: async ({ gateway, open }) => {
      const [first = '', ...rest] = ['pending', 'waiting_device', 'stopping', end]
      const answer = (state: string) => json(200, operationRecord(state))
      gateway.on('GET', CONVERSATION, json(200, snapshotRecord()))
      gateway.on('GET', OPERATION, answer(first), ...rest.map(answer))
      expectMembers('the operation', await (await open()).call('wait_operation', { operation_id: 'op_1' }), {
        state: end,
      })
      expectThat(gateway.to('GET', OPERATION).length >= 4, 'The client must poll until the operation has ended')
    },
  }),
)

const readStates = (['cancel_run', 'reset_conversation', 'read_operation'] as const).map(
  (command): ClientCheck => ({
    id: `operations/states-of-${command}`,
    title: `${command} returns each of the five operation states unchanged`,
    rules: ['OPER-13'],
    needs: [command],
    run: async ({ gateway, open }) => {
      const client = await open()
      for (const state of STATES) {
        const record = operationRecord(state)
        gateway.on('POST', CANCEL, json(202, record))
        gateway.on('POST', RESET, json(202, record))
        gateway.on('GET', OPERATION, json(200, record))
        const result =
          command === 'cancel_run'
            ? client.call(command, { run_id: 'run_1' })
            : command === 'reset_conversation'
              ? client.call(command, reset)
              : client.call(command, { operation_id: 'op_1' })
        expectEqual('The answer', await result, record)
      }
    },
  }),
)

export const checks: readonly ClientCheck[] = [
  ...ends,
  ...readStates,
  {
    id: 'operations/cancel-from-any-state',
    title: 'after any of the five states in the answer, a cancel ends with the final state of its operation',
    rules: ['OPER-13'],
    needs: ['complete_cancel'],
    run: async ({ gateway, open }) => {
      const client = await open()
      gateway.on('GET', RUN, json(200, runRecord('cancelled')))
      gateway.on('GET', CONVERSATION, json(200, snapshotRecord()))
      for (const state of STATES) {
        const end = state === 'failed' ? 'failed' : 'succeeded'
        gateway.on('POST', CANCEL, json(202, operationRecord(state)))
        gateway.on('GET', OPERATION, json(200, operationRecord(end)))
        const { operation } = await client.call('complete_cancel', { run_id: 'run_1' })
        expectMembers(`the operation that began as ${state}`, Object(operation), { state: end })
      }
    },
  },
  {
    id: 'operations/cancel-is-queried',
    title: 'the completion of a cancel is queried from its operation',
    rules: ['OPER-04'],
    needs: ['complete_cancel'],
    run: async ({ gateway, open }) => {
      gateway.on('POST', CANCEL, json(202, operationRecord('stopping')))
      gateway.on('GET', OPERATION, json(200, operationRecord('stopping')), json(200, operationRecord('failed')))
      gateway.on('GET', RUN, json(200, runRecord('reconciling')))
      gateway.on('GET', CONVERSATION, json(200, snapshotRecord()))
      const { operation } = await (await open()).call('complete_cancel', { run_id: 'run_1' })
      expectMembers('the operation', Object(operation), { state: 'failed' })
      expectThat(gateway.to('GET', OPERATION).length >= 2, 'The client must query the operation until it has ended')
    },
  },
  {
    id: 'operations/reset-is-queried',
    title: 'the completion of a reset is queried from its operation, also after a lost answer',
    rules: ['OPER-04'],
    needs: ['complete_reset'],
    run: async ({ gateway, open }) => {
      gateway.on('POST', RESET, lost, json(202, operationRecord('stopping')))
      gateway.on('GET', OPERATION, inGeneration('waiting_device', 1), inGeneration('succeeded', 2))
      gateway.on('GET', CONVERSATION, json(200, snapshotRecord({ generation: 2 })))
      const { operation } = await (await open()).call('complete_reset', reset)
      expectMembers('the operation', Object(operation), { state: 'succeeded' })
      expectThat(gateway.to('GET', OPERATION).length >= 2, 'The client must query the operation until it has ended')
    },
  },
  {
    id: 'operations/generation-after-a-reset',
    title: 'the generation after a reset is the one in the operation and the snapshot, not the old one plus one',
    rules: ['RESET-11'],
    needs: ['complete_reset'],
    run: async ({ gateway, open }) => {
      gateway.on('POST', RESET, json(202, operationRecord('stopping')))
      gateway.on('GET', OPERATION, inGeneration('stopping', 1), inGeneration('succeeded', 7))
      gateway.on('GET', CONVERSATION, json(200, snapshotRecord({ generation: 7 })))
      const { generation } = await (await open()).call('complete_reset', reset)
      expectEqual('The generation', generation, 7)
    },
  },
  {
    id: 'operations/generation-after-a-failed-reset',
    title: 'after a failed reset the generation is still the old one',
    rules: ['RESET-11'],
    needs: ['complete_reset'],
    run: async ({ gateway, open }) => {
      const expected = { conversation_id: 'conv_1', expected_generation: 4 }
      gateway.on(
        'POST',
        RESET,
        json(202, operationRecord('stopping', { ref: { conversation_id: 'conv_1', generation: 4 } })),
      )
      gateway.on('GET', OPERATION, inGeneration('stopping', 4), inGeneration('failed', 4))
      gateway.on('GET', CONVERSATION, json(200, snapshotRecord({ generation: 4 })))
      const { operation, generation } = await (await open()).call('complete_reset', expected)
      expectMembers('the operation', Object(operation), { state: 'failed' })
      expectEqual('The generation', generation, 4)
    },
  },
]
