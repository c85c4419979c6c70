import assert from 'node:assert/strict'
import type { EventEnvelope } from '#openapi/generated/gateway'
import type { ServerCheck } from '../../../kit/server/context.ts'
import { answersIn, ofType, payloadOf, runScript, streamedText } from '../../../kit/steps/events.ts'
import { cancelRun, expectRunEnd } from '../../../kit/steps/runs.ts'

const CALL = { activity_id: 'call_1', kind: 'tool', name: 'find_order' }
const THOUGHT = { activity_id: 'thought', kind: 'reasoning', name: 'reasoning' }
const OUTPUT = { state: 'shipped', lines: [1, null, 'ä'] }

const activitiesIn = (events: readonly EventEnvelope[]): unknown[] =>
  ofType(events, 'assistant.activity').map((event) => payloadOf(event).activity)

export const checks: readonly ServerCheck[] = [
  {
    id: 'structured/activities-are-told',
    title:
      'an activity is sent as events of the answer message: the first is complete, later ones have only the changes, in order',
    rules: ['ACT-01', 'ACT-04'],
    streams: 1,
    run: async (t) => {
      const { conversation, events } = await runScript(
        t,
        { activity: { ...CALL, input: { order: 7 } } },
        { delta: 'Ship' },
        { activity: { ...THOUGHT, state: 'running', text_delta: 'Hm' } },
        { delta: 'ped' },
        { activity: { activity_id: 'call_1', state: 'succeeded', output: OUTPUT } },
        { succeed: {} },
      )
      assert.deepEqual(activitiesIn(events), [
        { ...CALL, state: 'running', input: { order: 7 } },
        { ...THOUGHT, state: 'running', text_delta: 'Hm' },
        { activity_id: 'call_1', state: 'succeeded', output: OUTPUT },
      ])
      const [answer, ...others] = await answersIn(t, conversation.conversation_id)
      assert.deepEqual(others, [], `the run has ${others.length} messages besides its answer`)
      for (const event of ofType(events, 'assistant.activity', 'assistant.delta'))
        assert.equal(event.message_id, answer?.message_id)
      assert.equal(streamedText(events), 'Shipped')
      assert.equal(answer?.content.text, 'Shipped')
    },
  },
  {
    id: 'structured/activities-as-they-stand',
    title: 'history, snapshot and the complete message show the final activities in the order in which they began',
    rules: ['ACT-02'],
    streams: 1,
    run: async (t) => {
      const { conversation, events } = await runScript(
        t,
        { activity: { ...THOUGHT, text_delta: 'One' } },
        { activity: CALL },
        { activity: { activity_id: 'call_1', state: 'failed', output: null } },
        { activity: { activity_id: 'thought', text_delta: ' two', state: 'succeeded', title: 'Thinks' } },
        { delta: 'Done' },
        { succeed: {} },
      )
      const expected = [
        { ...THOUGHT, state: 'succeeded', title: 'Thinks', text: 'One two' },
        { ...CALL, state: 'failed', output: null },
      ]
      const { conversation_id: id } = conversation
      const [answer] = await answersIn(t, id)
      assert.deepEqual(Object(answer?.content).activities, expected)
      const { messages } = (await t.me.snapshot(id)).body
      assert.deepEqual(Object(messages.at(-1)?.content).activities, expected)
      const [whole] = ofType(events, 'assistant.message')
      assert.ok(whole !== undefined, 'there is no assistant.message')
      assert.deepEqual(Object(payloadOf(whole).message).content.activities, expected)
    },
  },
  {
    id: 'structured/activities-at-the-watermark',
    title: 'a snapshot of a running answer shows the activities of the events up to its watermark',
    rules: ['ACT-02'],
    streams: 1,
    run: async (t) => {
      const { admission } = await t.start(
        { activity: CALL },
        { activity: { activity_id: 'call_1', output: 1 } },
        { hang: true },
      )
      const stream = await t.me.runEvents(admission.run_id)
      await stream.until('two activities', ({ events }) => ofType(events, 'assistant.activity').length === 2)
      const { messages } = (await t.me.snapshot(admission.conversation_id)).body
      assert.deepEqual(Object(messages.at(-1)?.content), {
        text: '',
        activities: [{ ...CALL, state: 'running', output: 1 }],
        partial: true,
      })
      await cancelRun(t, admission.run_id)
    },
  },
  {
    id: 'structured/activity-too-large',
    title: 'an activity of more than 64 KiB fails the run with OUTPUT_LIMIT, and earlier output is kept',
    rules: ['ACT-03'],
    streams: 1,
    run: async (t) => {
      const { admission, events } = await runScript(
        t,
        { delta: 'kept' },
        { activity: { ...CALL, output: 'x'.repeat(66_000) } },
        { succeed: {} },
      )
      const { state, result } = await t.runEnded(admission.run_id)
      assert.deepEqual([state, result?.text, result?.error?.code], ['failed', 'kept', 'OUTPUT_LIMIT'])
      assert.deepEqual(activitiesIn(events), [])
    },
  },
  {
    id: 'structured/too-many-activities',
    title: 'a run may have 100 activities, and one more fails it with OUTPUT_LIMIT',
    rules: ['ACT-03'],
    streams: 1,
    run: async (t) => {
      const many = (count: number) =>
        Array.from({ length: count }, (_, at) => ({ activity: { ...CALL, activity_id: `call_${at}` } }))
      const fits = await runScript(t, ...many(100), { succeed: {} })
      await expectRunEnd(t, fits.admission.run_id, 'succeeded')
      const breaks = await runScript(t, ...many(101), { succeed: {} })
      const { state, result } = await t.runEnded(breaks.admission.run_id)
      assert.deepEqual([state, result?.error?.code], ['failed', 'OUTPUT_LIMIT'])
    },
  },
]
