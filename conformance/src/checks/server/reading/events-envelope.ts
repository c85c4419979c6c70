import assert from 'node:assert/strict'
import type { ServerCheck } from '../../../kit/server/context.ts'
import { expectBegins, ofType, runScript } from '../../../kit/steps/events.ts'
import { completeReset } from '../../../kit/steps/resets.ts'
import { runToEnd } from '../../../kit/steps/runs.ts'
import { readHistory } from '../../../kit/steps/snapshots.ts'

const ALL_KINDS = [{ delta: 'streamed' }, { message: 'whole' }, { succeed: { text: 'done' } }] as const

export const checks: readonly ServerCheck[] = [
  {
    id: 'events/envelope-of-a-run',
    title: "the envelope of a run's event names its conversation, generation and run, and has a unique ID",
    rules: ['EVT-01'],
    streams: 1,
    run: async (t) => {
      const { conversation, admission, events } = await runScript(t, ...ALL_KINDS)
      const own = events.filter(({ run_id }) => run_id === admission.run_id)
      assert.ok(own.length >= 2, `a finished run must have at least 2 events, got ${own.length}`)
      for (const event of own) {
        const at = `unexpected envelope of event ${event.seq} ${event.type}: ${JSON.stringify(event).slice(0, 300)}`
        assert.equal(event.conversation_id, conversation.conversation_id, at)
        assert.equal(event.generation, admission.generation, at)
        assert.ok(Number.isSafeInteger(event.seq), at)
        assert.equal(typeof event.event_id, 'string', at)
        assert.ok(event.message_id === null || typeof event.message_id === 'string', at)
        assert.ok(typeof event.payload === 'object' && event.payload !== null && !Array.isArray(event.payload), at)
      }
      assert.equal(
        new Set(events.map(({ event_id }) => event_id)).size,
        events.length,
        'two events have the same event_id',
      )
    },
  },
  {
    id: 'events/same-on-both-streams',
    title: 'every event of a run is delivered with the same envelope on the conversation stream and on the run stream',
    rules: ['EVT-04', 'EVT-14'],
    streams: 2,
    run: async (t) => {
      const { admission, start, events } = await runScript(t, ...ALL_KINDS)
      const ofRun = await t.me.runEvents(admission.run_id, { after: start })
      const own = events.filter(({ run_id }) => run_id === admission.run_id)
      await expectBegins(ofRun, own, 'the run, on its own stream')
      assert.ok(
        ofRun.events.every(({ run_id }) => run_id === admission.run_id),
        'the stream of a run has an event of another run',
      )
    },
  },
  {
    id: 'events/envelope-is-stable',
    title: 'an event has the same envelope whenever it is read',
    rules: ['EVT-01', 'EVT-03'],
    streams: 1,
    run: async (t) => {
      const { conversation, start, events } = await runScript(t, ...ALL_KINDS)
      await runToEnd(t, conversation, t.script({ succeed: {} }))
      const again = await t.me.events(conversation.conversation_id, { lastEventId: start })
      await expectBegins(again, events, 'the conversation, read again')
    },
  },
  {
    id: 'events/generation-of-the-run',
    title: 'events have the generation in which their run was admitted',
    rules: ['EVT-01'],
    streams: 1,
    run: async (t) => {
      const { conversation, admission, start } = await runScript(t, ...ALL_KINDS)
      await completeReset(t, conversation.conversation_id, 1)
      const next = await t.admit({ ...conversation, generation: 2 }, t.script(...ALL_KINDS))
      const stream = await t.me.events(conversation.conversation_id, { after: start })
      await stream.event('run.completed', ({ type, run_id }) => type === 'run.completed' && run_id === next.run_id)
      const generations = (runId: string) => [
        ...new Set(stream.events.filter(({ run_id }) => run_id === runId).map(({ generation }) => generation)),
      ]
      assert.deepEqual(generations(admission.run_id), [1])
      assert.deepEqual(generations(next.run_id), [2])
    },
  },
  {
    id: 'events/output-names-its-message',
    title: 'assistant.delta and assistant.message have the message_id of their message in the history',
    rules: ['EVT-40'],
    streams: 1,
    run: async (t) => {
      const { conversation, admission, events } = await runScript(
        t,
        { delta: 'streamed ' },
        { delta: 'in two' },
        { message: 'whole' },
        { succeed: {} },
      )
      await t.runEnded(admission.run_id)
      const answers = (await readHistory(t, conversation.conversation_id)).filter(({ role }) => role !== 'user')
      const output = ofType(events, 'assistant.delta', 'assistant.message')
      for (const { seq, type, message_id: id } of output)
        assert.ok(
          answers.some(({ message_id }) => message_id === id),
          `event ${seq} ${type} names ${id}, which is not a message of the assistant in the history`,
        )
      const idsOfText = (text: string) =>
        answers.filter(({ content }) => content.text === text).map(({ message_id: id }) => id)
      const deltas = ofType(events, 'assistant.delta').map(({ message_id: id }) => id)
      const [streamed] = idsOfText('streamed in two')
      if (streamed !== undefined)
        for (const id of deltas) assert.equal(id, streamed, `a delta names the message ${id}, expected ${streamed}`)
      const complete = ofType(events, 'assistant.message').map(({ message_id: id }) => id)
      assert.equal(new Set(complete).size, complete.length, 'two events assistant.message have the same message_id')
      for (const id of idsOfText('whole')) assert.ok(complete.includes(id), `no assistant.message names ${id}`)
    },
  },
]
