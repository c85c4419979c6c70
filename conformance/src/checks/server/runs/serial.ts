import assert from 'node:assert/strict'
import type { EventEnvelope } from '#openapi/generated/gateway'
import type { ServerCheck } from '../../../kit/server/context.ts'
import type { EventStream } from '../../../kit/server/event-stream.ts'
import {
  admitHanging,
  completeWorkElsewhere,
  expectNoResult,
  expectRunEnd,
  expectRunState,
  readRun,
} from '../../../kit/steps/runs.ts'
import { readHistory, readSnapshot } from '../../../kit/steps/snapshots.ts'

const ACTIVE: ReadonlySet<string> = new Set(['running', 'waiting_approval', 'cancelling', 'reconciling'])

const isStart = ({ type }: EventEnvelope): boolean => type === 'run.started'
/** Whether the event ends a run as succeeded or failed; the checks that use it cancel no run. */
const isEnd = ({ type }: EventEnvelope): boolean => type === 'run.completed' || type === 'run.failed'
const countEnds = ({ events }: EventStream): number => events.filter(isEnd).length

/** Fails if a run starts before the previously started run has ended. */
function expectNoOverlap(events: readonly EventEnvelope[]): void {
  let executing: string | null = null
  for (const event of events) {
    if (isStart(event)) {
      assert.equal(executing, null, `run ${event.run_id} starts at seq ${event.seq} while run ${executing} executes`)
      executing = event.run_id
    } else if (isEnd(event)) executing = null
  }
}

export const checks: readonly ServerCheck[] = [
  {
    id: 'runs/one-at-a-time',
    title:
      'runs of one conversation execute one after another, even if admitted concurrently; other conversations do not wait',
    rules: ['RUN-03'],
    tags: ['race'],
    streams: 1,
    run: async (t) => {
      const conversation = await t.conversation()
      const stream = await t.me.events(conversation.conversation_id, { after: 0 })
      const inputs = Array.from({ length: 8 }, (_, at) =>
        t.script(
          { delta: `${at} ` },
          { sleep_ms: 25 },
          at % 3 === 1 ? { fail: { code: 'BROKEN', message: 'It broke.' } } : { delta: 'done' },
        ),
      )
      const sending = inputs.map((input) => t.admit(conversation, input))
      while (countEnds(stream) < inputs.length) {
        const { runs } = await readSnapshot(t, conversation.conversation_id)
        const executing = runs.filter(({ state }) => ACTIVE.has(state))
        assert.ok(
          executing.length <= 1,
          `a snapshot has ${executing.length} active runs of one conversation, expected at most 1`,
        )
        const soFar = countEnds(stream)
        await stream.until('another end', (seen) => countEnds(seen) > soFar || countEnds(seen) === inputs.length)
      }
      const started = stream.events.filter(isStart).length
      assert.equal(started, (await Promise.all(sending)).length, `8 runs have ${started} events run.started`)
      expectNoOverlap(stream.events)

      const blocking = await admitHanging(t, conversation)
      await completeWorkElsewhere(t)
      await expectRunState(t, blocking, 'running')
    },
  },
  {
    id: 'runs/later-message-is-queued',
    title:
      'a message sent while an earlier run executes is admitted as queued, and its run starts when the earlier one has ended',
    rules: ['RUN-04', 'RUN-12'],
    streams: 1,
    run: async (t) => {
      const { conversation, admission } = await t.start({ hang: true })
      const stream = await t.me.events(conversation.conversation_id, { after: 0 })
      await t.runIn(admission.run_id, ['running'])
      const later = await t.admit(conversation, t.script({ succeed: { text: 'later' } }))
      assert.equal(later.state, 'queued')
      await completeWorkElsewhere(t)
      const waiting = await readRun(t, later.run_id)
      assert.equal(waiting.state, 'queued')
      expectNoResult(t, waiting)
      assert.ok(
        !stream.events.some((event) => isStart(event) && event.run_id === later.run_id),
        'the later run starts while the earlier one executes',
      )
      await expectRunState(t, admission.run_id, 'running', 'a later message stops the earlier run')
      await t.me.cancel(admission.run_id)
      await expectRunEnd(t, later.run_id, 'succeeded')
      await stream.event('start of the later run', (event) => isStart(event) && event.run_id === later.run_id)
    },
  },
  {
    id: 'runs/running-is-active',
    title: 'a run is running as long as it executes: from run.started, over its output, to its end',
    rules: ['RUN-14'],
    streams: 1,
    run: async (t) => {
      const { conversation, admission } = await t.start({ delta: 'one' }, { sleep_ms: 150 }, { delta: ' two' })
      const stream = await t.me.events(conversation.conversation_id, { after: 0 })
      const started = await stream.event('run.started', isStart)
      assert.equal(started.run_id, admission.run_id)
      assert.equal(typeof Object(started.payload).state, 'string', 'run.started has no payload.state')
      const states: string[] = []
      await t.until(
        'the run has ended',
        async () => states.push((await readRun(t, admission.run_id)).state),
        () => countEnds(stream) > 0,
      )
      assert.ok(!states.includes('queued'), `the run is queued again after run.started: ${states.join(', ')}`)
      await expectRunEnd(t, admission.run_id, 'succeeded')
      const output = stream.events.filter(({ type }) => type.startsWith('assistant.'))
      assert.ok(
        output.every(({ seq }) => seq > started.seq),
        'an output event has a smaller seq than run.started',
      )
      const hanging = await t.admit(conversation, t.script({ hang: true }))
      await t.runIn(hanging.run_id, ['running'])
      await completeWorkElsewhere(t)
      await expectRunState(t, hanging.run_id, 'running')
    },
  },
  {
    id: 'runs/occupies-its-conversation',
    title: 'while a run awaits an approval or is being cancelled, later runs of its conversation stay queued',
    rules: ['RUN-42'],
    run: async (t) => {
      const { conversation, admission } = await t.start({ stop_delay_ms: 900 }, { approval: 'May I?' })
      await t.runIn(admission.run_id, ['waiting_approval'])
      const next = await t.admit(conversation, t.script({ succeed: {} }))
      await completeWorkElsewhere(t)
      await expectRunState(
        t,
        next.run_id,
        'queued',
        'a run started while an earlier run of its conversation waits for an approval',
      )
      await t.me.cancel(admission.run_id)
      await t.until(
        'the later run has succeeded',
        async () => {
          const { runs } = await readSnapshot(t, conversation.conversation_id)
          const states = runs.map(({ state }) => state)
          assert.ok(
            states.filter((state) => ACTIVE.has(state)).length <= 1,
            `more than one run of the conversation is active: ${states.join(', ')}`,
          )
          return states
        },
        (states) => states.at(-1) === 'succeeded',
      )
    },
  },
  {
    id: 'runs/order-of-admission',
    title: 'queued runs start in the order of their admission, whether earlier runs succeed, fail or are cancelled',
    rules: ['RUN-43'],
    tags: ['race'],
    streams: 1,
    run: async (t) => {
      const { conversation, admission } = await t.start({ hang: true })
      const { conversation_id: id } = conversation
      const stream = await t.me.events(id, { after: 0 })
      await t.runIn(admission.run_id, ['running'])
      const admitted: string[] = []
      for (const text of ['a', 'b', 'c', 'd', 'e'])
        admitted.push((await t.admit(conversation, t.script({ delta: text }))).run_id)
      const atOnce = await Promise.all(
        [1, 2, 3, 4, 5, 6].map(() => t.admit(conversation, t.script({ fail: { code: 'BROKEN', message: 'Broken.' } }))),
      )
      const order = (await readHistory(t, id)).map(({ run_id }) => run_id)
      assert.deepEqual(order.slice(1, 6), admitted, 'the history is not in order of admission')
      admitted.push(...order.slice(6))
      assert.deepEqual(admitted.slice(5).sort(), atOnce.map(({ run_id }) => run_id).sort())
      const [left] = admitted.splice(2, 1)
      await t.me.cancel(left ?? '')
      await t.me.cancel(admission.run_id)
      await t.runEnded(admitted.at(-1) ?? '')
      await stream.until('all have started', ({ events }) => events.filter(isStart).length > admitted.length)
      assert.deepEqual(
        stream.events.filter(isStart).map(({ run_id }) => run_id),
        [admission.run_id, ...order.slice(1).filter((runId) => runId !== left)],
      )
    },
  },
]
