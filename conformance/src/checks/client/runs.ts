import { type Answer, json } from '../../kit/client/answers.ts'
import type { ClientCheck, ClientContext } from '../../kit/client/client-context.ts'
import { expectEqual, expectMembers, expectThat } from '../../kit/client/expect.ts'
import {
  admission,
  CONVERSATION,
  MESSAGE,
  MESSAGES,
  OPERATION,
  operationRecord,
  RUN,
  runRecord,
  snapshotRecord,
} from '../../kit/client/records.ts'

type States = readonly [string, ...string[]]

const waitThrough = (context: ClientContext, states: States): Promise<void> => {
  const answer = (state: string): Answer => json(200, runRecord(state))
  const [first, ...rest] = states
  context.gateway.on('GET', RUN, answer(first), ...rest.map(answer))
  return expectWaited(context, states)
}

const expectWaited = async ({ gateway, open }: ClientContext, states: States): Promise<void> => {
  const run = await (await open()).call('wait_run', { run_id: 'run_1' })
  expectEqual('The state at the end of the wait', run.state, states.at(-1))
  expectThat(gateway.to('GET', RUN).length >= states.length, `The client must read the run ${states.length} times`)
}

const withoutSuccess = ['cancelled', 'interrupted', 'expired'].flatMap((state): readonly ClientCheck[] => [
  {
    id: `runs/${state}-is-an-end`,
    title: `a run that is ${state} has ended without success`,
    rules: ['RUN-25'],
    needs: ['wait_run'],
    run: (context) => waitThrough(context, [state]),
  },
  {
    id: `runs/${state}-after-progress`,
    title: `a run that is ${state} with a partial result has ended without success`,
    rules: ['RUN-25'],
    needs: ['complete_message'],
    run: async (context) => {
      const { gateway, open } = context
      gateway.on('POST', MESSAGES, json(202, admission()))
      const partial = { text: 'Half a rep', resource_ids: [] }
      gateway.on('GET', RUN, json(200, runRecord('running')), json(200, runRecord(state, { result: partial })))
      const run = await (await open()).call('complete_message', MESSAGE)
      expectMembers('the run', run, { state, result: partial })
    },
  },
])

export const checks: readonly ClientCheck[] = [
  ...withoutSuccess,
  {
    id: 'runs/reconciling-is-no-success',
    title: 'a reconciling run has not succeeded, even if it already has a result',
    rules: ['RUN-19'],
    needs: ['wait_run'],
    run: async (context) => {
      const early = json(200, runRecord('reconciling', { result: { text: 'Perhaps.', resource_ids: [] } }))
      context.gateway.on('GET', RUN, json(200, runRecord('running')), early, early, json(200, runRecord('interrupted')))
      await expectWaited(context, ['running', 'reconciling', 'reconciling', 'interrupted'])
    },
  },
  {
    id: 'runs/reconciling-is-no-failure',
    title: 'a reconciling run can resume and succeed',
    rules: ['RUN-19'],
    needs: ['wait_run'],
    run: (context) => waitThrough(context, ['reconciling', 'running', 'succeeded']),
  },
  {
    id: 'runs/cancelling-is-no-confirmation',
    title: 'a cancelling run is not terminal: the client reads it until it has ended, even if it then succeeds',
    rules: ['RUN-28'],
    needs: ['wait_run'],
    run: (context) => waitThrough(context, ['cancelling', 'cancelling', 'succeeded']),
  },
  {
    id: 'runs/queried-after-a-cancel',
    title: 'after a cancel the client reads the run and reports its state instead of the 202',
    rules: ['RUN-28'],
    needs: ['complete_cancel'],
    run: async ({ gateway, open }) => {
      gateway.on('POST', `${RUN}/cancel`, json(202, operationRecord('stopping')))
      gateway.on('GET', OPERATION, json(200, operationRecord('stopping')), json(200, operationRecord('succeeded')))
      gateway.on('GET', RUN, json(200, runRecord('succeeded')))
      gateway.on('GET', CONVERSATION, json(200, snapshotRecord()))
      const { operation, run } = await (await open()).call('complete_cancel', { run_id: 'run_1' })
      expectMembers('the operation', Object(operation), { state: 'succeeded' })
      expectMembers('the run', Object(run), { state: 'succeeded', result: { text: 'The reply.', resource_ids: [] } })
      const [cancel] = gateway.to('POST', `${RUN}/cancel`)
      const last = gateway.to('GET', RUN).at(-1)
      expectThat(
        cancel && last && gateway.requests.indexOf(last) > gateway.requests.indexOf(cancel),
        'The run must be read after the cancel',
      )
    },
  },
  {
    id: 'runs/delivery-state',
    title: 'the caller gets the delivery state of a queued run, whether or not a device has received it',
    rules: ['RUN-13'],
    needs: ['read_run'],
    run: async ({ gateway, open }) => {
      const client = await open()
      for (const delivery of ['waiting_device', 'device_received']) {
        const record = runRecord('queued', { delivery_state: delivery })
        gateway.on('GET', RUN, json(200, record))
        expectEqual('The run', await client.call('read_run', { run_id: 'run_1' }), record)
      }
    },
  },
  {
    id: 'runs/queued-until-its-deadline',
    title: 'a client that waits for a queued run waits until the run has expired at its start deadline',
    rules: ['RUN-13'],
    needs: ['wait_run'],
    run: (context) => waitThrough(context, ['queued', 'queued', 'queued', 'expired']),
  },
  {
    id: 'runs/start-deadline',
    title: 'a message is sent with the start deadline of the caller, and without one if the caller gave none',
    rules: ['RUN-13'],
    needs: ['send_message'],
    run: async ({ gateway, open }) => {
      gateway.on('POST', MESSAGES, json(202, admission()))
      const deadline = { start_before: '2126-01-02T03:04:05.678+01:00' }
      const client = await open()
      await client.call('send_message', { ...MESSAGE, ...deadline })
      await client.call('send_message', MESSAGE)
      const [first, second] = gateway.to('POST', MESSAGES).map((request) => request.json())
      expectEqual('start_before', Date.parse(String(first?.start_before)), Date.parse(deadline.start_before))
      expectThat(
        second && !('start_before' in second),
        'A message without a deadline must be sent without start_before',
      )
    },
  },
]
