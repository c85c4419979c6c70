import { drip, json, lost, stream } from '../../kit/client/answers.ts'
import type { ClientCheck, ClientContext } from '../../kit/client/client-context.ts'
import { expectEqual, expectMembers, expectThat } from '../../kit/client/expect.ts'
import {
  admission,
  CONVERSATION,
  frame,
  MESSAGE,
  MESSAGES,
  messageRecord,
  RUN,
  runCompleted,
  runRecord,
  snapshotRecord,
} from '../../kit/client/records.ts'

const RUN_EVENTS = '/api/v1/runs/run_1/events'

/** A gateway that admits the message. Each read of the run returns the next of these states. */
const playRun = ({ gateway }: ClientContext, ...states: readonly [string, ...string[]]): void => {
  const [first, ...rest] = states.map((state) => json(200, runRecord(state)))
  gateway.on('POST', MESSAGES, json(202, admission()))
  if (first) gateway.on('GET', RUN, first, ...rest)
}

export const checks: readonly ClientCheck[] = [
  {
    id: 'admission/is-a-success',
    title: 'a 202 is a success: the client returns the admission and does not repeat the request',
    rules: ['ERR-17'],
    needs: ['send_message'],
    run: async ({ gateway, open }) => {
      gateway.on('POST', MESSAGES, json(202, admission()))
      expectEqual('The admission', await (await open()).call('send_message', MESSAGE), admission())
      expectEqual('The number of attempts', gateway.to('POST', MESSAGES).length, 1)
    },
  },
  {
    id: 'admission/slow-answer',
    title: 'a 202 that arrives in small pieces is the same success',
    rules: ['ERR-17'],
    needs: ['send_message'],
    run: async ({ gateway, open }) => {
      const record = admission({ message_id: 'msg_漢🚀' })
      gateway.on('POST', MESSAGES, drip(json(202, record), 7))
      expectEqual('The admission', await (await open()).call('send_message', MESSAGE), record)
      expectEqual('The number of attempts', gateway.to('POST', MESSAGES).length, 1)
    },
  },
  {
    id: 'admission/is-no-completion',
    title: 'a message is not complete before its run has ended',
    rules: ['GEN-11', 'ERR-17'],
    needs: ['complete_message'],
    run: async (context) => {
      playRun(context, 'queued', 'running', 'waiting_approval', 'succeeded')
      const run = await (await context.open()).call('complete_message', MESSAGE)
      expectMembers('the completed run', run, { state: 'succeeded', result: { text: 'The reply.', resource_ids: [] } })
      expectThat(context.gateway.to('GET', RUN).length >= 4, 'The client must read the run until it has ended')
    },
  },
  {
    id: 'admission/is-no-reply',
    title: 'the contents of an admission are not treated as the reply or the state of the run',
    rules: ['GEN-11'],
    needs: ['complete_message'],
    run: async ({ gateway, open }) => {
      const tempting = { state: 'succeeded', result: { text: 'Not the reply.' } }
      gateway.on('POST', MESSAGES, json(202, admission(tempting)))
      gateway.on('GET', RUN, json(200, runRecord('running')), json(200, runRecord('succeeded')))
      const run = await (await open()).call('complete_message', MESSAGE)
      expectMembers('the completed run', run, { state: 'succeeded', result: { text: 'The reply.', resource_ids: [] } })
      expectThat(gateway.to('GET', RUN).length >= 2, 'The client must read the run until it has ended')
    },
  },
  {
    id: 'admission/reply-of-a-stream',
    title: 'a reply ends with the run’s last event, not with the 202',
    rules: ['GEN-11'],
    needs: ['reply_text'],
    run: async ({ gateway, open }) => {
      gateway.on('POST', MESSAGES, json(202, admission()))
      gateway.on('GET', RUN, json(200, runRecord('running')))
      gateway.on('GET', RUN_EVENTS, stream([], 'close'), stream([frame(runCompleted(13))]))
      await (await open()).call('reply_text', MESSAGE)
      expectThat(gateway.to('GET', RUN_EVENTS).length >= 2, 'The client must observe the run to its last event')
    },
  },
  {
    id: 'admission/replayed',
    title: 'after a replayed admission the run’s state is read from the run',
    rules: ['IDEM-10'],
    needs: ['complete_message'],
    run: async ({ gateway, open }) => {
      // The run has already ended, but the replay still answers that it is queued.
      gateway.on('POST', MESSAGES, lost, json(202, admission(), { 'Idempotency-Replayed': 'true' }))
      gateway.on('GET', RUN, json(200, runRecord('failed', { result: { error: { code: 'X', message: 'x' } } })))
      const run = await (await open()).call('complete_message', MESSAGE)
      expectMembers('the completed run', run, { state: 'failed' })
      const replay = gateway.requests.findLastIndex(({ method }) => method === 'POST')
      expectThat(
        gateway.requests.slice(replay).some(({ method, path }) => method === 'GET' && path === RUN),
        'The client must read the run after the replay',
      )
    },
  },
  {
    id: 'admission/state-after-doubt',
    title: 'after an uncertain failure the client replays first and then queries the state',
    rules: ['IDEM-05'],
    needs: ['complete_message'],
    run: async ({ gateway, open }) => {
      gateway.on('POST', MESSAGES, lost, json(202, admission()))
      gateway.on('GET', RUN, json(200, runRecord('succeeded')))
      await (await open()).call('complete_message', MESSAGE)
      const methods = gateway.requests.map(({ method }) => method)
      const lastPost = methods.lastIndexOf('POST')
      expectEqual('The requests up to the last attempt', methods.slice(0, lastPost + 1), ['POST', 'POST'])
      expectThat(gateway.to('GET', RUN).length > 0, 'The client must read the run')
    },
  },
  {
    id: 'admission/result-of-the-run',
    title: 'the final result comes from the run, not from an unfinished message of the snapshot',
    rules: ['SNAP-13'],
    needs: ['complete_message'],
    run: async (context) => {
      const partial = messageRecord(2, 'The rep', {
        message_id: 'msg_reply',
        role: 'assistant',
        content: { text: 'The rep', partial: true },
      })
      const run = { run_id: 'run_1', generation: 1, state: 'succeeded', device_received: true }
      const snapshot = snapshotRecord({
        messages: [messageRecord(1, 'Hello'), partial],
        runs: [{ ...run, result: { text: 'The rep' }, result_available: true }],
      })
      playRun(context, 'succeeded')
      context.gateway.on('GET', CONVERSATION, json(200, snapshot))
      context.gateway.on('GET', MESSAGES, json(200, { messages: [messageRecord(1, 'Hello'), partial] }))
      const completed = await (await context.open()).call('complete_message', MESSAGE)
      expectEqual('The result', completed.result, { text: 'The reply.', resource_ids: [] })
    },
  },
]
