import assert from 'node:assert/strict'
import type { EventEnvelope } from '#openapi/generated/gateway'
import type { ServerCheck } from '../../../kit/server/context.ts'
import { expectStatus } from '../../../kit/server/expectations.ts'
import { answersIn, endsRun, ofType, payloadOf, runScript, streamedText } from '../../../kit/steps/events.ts'
import { expectRunState } from '../../../kit/steps/runs.ts'

const deltasOf = (events: readonly EventEnvelope[], messageId: string): EventEnvelope[] =>
  ofType(events, 'assistant.delta').filter(({ message_id }) => message_id === messageId)

const PIECES = ['one ', 'two ', 'three', '\n', ' fünf 漢字🙂']

export const checks: readonly ServerCheck[] = [
  {
    id: 'events/deltas-are-incremental',
    title: 'output is sent as assistant.delta while the run is still executing',
    rules: ['EVT-07'],
    streams: 1,
    run: async (t) => {
      const { admission } = await t.start({ delta: 'early' }, { hang: true })
      const stream = await t.me.events(admission.conversation_id, { after: admission.event_cursor })
      const delta = await stream.event('assistant.delta', ({ type }) => type === 'assistant.delta')
      assert.equal(delta.run_id, admission.run_id, `assistant.delta names the run ${delta.run_id}`)
      assert.ok(
        JSON.stringify(delta.payload).includes('early'),
        `the payload of assistant.delta must contain "early", got ${JSON.stringify(delta.payload)}`,
      )
      await expectRunState(t, admission.run_id, 'running')
    },
  },
  {
    id: 'events/later-deltas-come-on-their-own',
    title: 'each assistant.delta has only new text',
    rules: ['EVT-07'],
    streams: 1,
    run: async (t) => {
      const { events } = await runScript(
        t,
        { delta: 'FIRST-' },
        { sleep_ms: 250 },
        { delta: 'SECOND-' },
        { succeed: {} },
      )
      const deltas = ofType(events, 'assistant.delta').map(({ payload }) => JSON.stringify(payload))
      for (const piece of ['FIRST-', 'SECOND-']) {
        const count = deltas.filter((text) => text.includes(piece)).length
        assert.equal(count, 1, `${count} deltas contain ${piece}, expected 1: ${deltas.join(' | ')}`)
      }
    },
  },
  {
    id: 'events/complete-message',
    title: 'assistant.message has the whole text of a message',
    rules: ['EVT-08'],
    streams: 1,
    run: async (t) => {
      const { events } = await runScript(
        t,
        { message: 'came whole' },
        { delta: 'x' },
        { message: 'came as well' },
        { succeed: {} },
      )
      const messages = ofType(events, 'assistant.message').map(({ payload }) => JSON.stringify(payload))
      for (const text of ['"came whole"', '"came as well"'])
        assert.equal(
          messages.filter((payload) => payload.includes(text)).length,
          1,
          `expected one assistant.message with ${text}, got ${messages.join(' | ')}`,
        )
    },
  },
  {
    id: 'events/complete-is-complete',
    title: 'no assistant.delta of a message follows its assistant.message',
    rules: ['EVT-39'],
    streams: 1,
    run: async (t) => {
      const pieces = PIECES.flatMap((delta) => [{ delta }, { sleep_ms: 20 }])
      const scripts = [
        [...pieces, { message: 'aside' }, { delta: 'more' }, { succeed: {} }],
        [{ message: 'before' }, ...pieces, { fail: { code: 'NO', message: 'No.' } }],
      ]
      for (const steps of scripts) {
        const { events } = await runScript(t, ...steps)
        const complete = new Set<string>()
        for (const { type, seq, message_id: id } of events) {
          if (type === 'assistant.message' && id !== null) complete.add(id)
          if (type === 'assistant.delta')
            assert.ok(!complete.has(id ?? ''), `assistant.delta with seq ${seq} follows the assistant.message of ${id}`)
        }
      }
    },
  },
  {
    id: 'events/delta-payload',
    title: 'the payload of assistant.delta is the text and its index, which increases within the message',
    rules: ['EVT-23', 'EVT-37'],
    streams: 1,
    run: async (t) => {
      const { events } = await runScript(t, ...PIECES.map((delta) => ({ delta })), { succeed: {} })
      const deltas = ofType(events, 'assistant.delta')
      let last = -1
      for (const [at, event] of deltas.entries()) {
        const { text, index } = payloadOf(event)
        assert.equal(typeof text, 'string', `text of delta ${at + 1} is ${JSON.stringify(text)}, expected a string`)
        assert.ok(
          Number.isInteger(index) && Number(index) > last,
          `index of delta ${at + 1} is ${index}, expected an integer above ${last}`,
        )
        last = Number(index)
      }
      assert.equal(streamedText(events), PIECES.join(''))
    },
  },
  {
    id: 'events/index-of-each-message',
    title: 'the deltas of the next run belong to a new message',
    rules: ['EVT-30'],
    streams: 1,
    run: async (t) => {
      const { conversation, events } = await runScript(t, { delta: 'a' }, { delta: 'b' }, { succeed: {} })
      const next = await t.admit(conversation, t.script({ delta: 'c' }, { succeed: {} }))
      const stream = await t.me.runEvents(next.run_id)
      await stream.event('the end of the run', endsRun(next.run_id))
      const [first] = ofType(events, 'assistant.delta')
      const [again] = ofType(stream.events, 'assistant.delta')
      assert.ok(first !== undefined && again !== undefined, 'a run that streams output has no assistant.delta')
      assert.notEqual(
        again.message_id,
        first.message_id,
        `the deltas of two runs have the same message_id ${first.message_id}`,
      )
    },
  },
  {
    id: 'events/message-payload',
    title: 'the payload of assistant.message is the message record of the history',
    rules: ['EVT-24', 'EVT-30'],
    streams: 1,
    run: async (t) => {
      const { conversation, events } = await runScript(
        t,
        { delta: 'streamed' },
        { message: 'whole' },
        { succeed: { text: 'x' } },
      )
      const records = await answersIn(t, conversation.conversation_id)
      assert.equal(records.length, 2, `the history has ${records.length} assistant messages, expected 2`)
      const complete = ofType(events, 'assistant.message')
      assert.equal(complete.length, 2, `the run has ${complete.length} events assistant.message, expected 2`)
      for (const event of complete) {
        const record = records.find(({ message_id }) => message_id === event.message_id)
        assert.deepEqual(
          payloadOf(event).message,
          record,
          `payload.message of ${event.message_id} is not the record of the history: ${JSON.stringify(event.payload)}`,
        )
      }
    },
  },
  {
    id: 'events/deltas-name-their-message',
    title: 'the deltas of an answer have the same message_id as its assistant.message',
    rules: ['EVT-30', 'EVT-37'],
    streams: 1,
    run: async (t) => {
      const { conversation, admission, events } = await runScript(t, ...PIECES.map((delta) => ({ delta })), {
        message: 'aside',
      })
      const records = await answersIn(t, conversation.conversation_id)
      const streamed = records.find(({ content }) => content.text === PIECES.join(''))
      assert.ok(streamed !== undefined, 'the history has no message with the streamed text')
      assert.deepEqual(
        [...new Set(ofType(events, 'assistant.delta').map(({ message_id }) => message_id))],
        [streamed.message_id],
      )
      assert.notEqual(streamed.message_id, admission.message_id)
      assert.ok(ofType(events, 'assistant.message').some(({ message_id }) => message_id === streamed.message_id))
    },
  },
  ...(
    [
      ['succeeds', { succeed: {} }],
      ['succeeds with another text', { succeed: { text: 'another' } }],
      ['ends without an outcome', null],
      ['fails', { fail: { code: 'NO', message: 'No.' } }],
    ] as const
  ).map(
    ([how, outcome], at): ServerCheck => ({
      id: `events/deltas-join-to-the-text-${at + 1}`,
      title: `the deltas of a message, joined in order, equal its final text if the run ${how}`,
      rules: ['EVT-37'],
      streams: 1,
      run: async (t) => {
        const pieces = PIECES.flatMap((delta, index) => (index % 2 === 0 ? [{ delta }, { sleep_ms: 20 }] : [{ delta }]))
        const { conversation, events } = await runScript(t, ...pieces, ...(outcome === null ? [] : [outcome]))
        const records = await answersIn(t, conversation.conversation_id)
        assert.equal(records.length, 1)
        for (const { message_id, content } of records)
          assert.equal(streamedText(deltasOf(events, message_id)), content.text)
        assert.equal(streamedText(events), PIECES.join(''))
      },
    }),
  ),
  {
    id: 'events/deltas-of-a-cancelled-run',
    title: 'the joined deltas of a run that was stopped midway equal its stored text',
    rules: ['EVT-37'],
    tags: ['race'],
    streams: 1,
    run: async (t) => {
      const steps = Array.from({ length: 60 }, (_, at) => [{ delta: `${at} ` }, { sleep_ms: 5 }]).flat()
      const { admission } = await t.start(...steps, { hang: true })
      const stream = await t.me.runEvents(admission.run_id)
      await stream.until('some output', ({ events }) => ofType(events, 'assistant.delta').length >= 3)
      expectStatus(await t.me.cancel(admission.run_id), 202)
      await stream.event('the end of the run', endsRun(admission.run_id))
      const [record] = await answersIn(t, admission.conversation_id)
      if (record === undefined) return t.untestable('the history does not keep the output of a stopped run')
      assert.equal(streamedText(stream.events), record.content.text)
    },
  },
  {
    id: 'events/whole-messages-have-no-deltas',
    title: 'messages that the assistant sends whole have no assistant.delta',
    rules: ['EVT-38'],
    streams: 1,
    run: async (t) => {
      const { conversation, events } = await runScript(
        t,
        { message: 'first' },
        { delta: 'streamed' },
        { message: 'second' },
      )
      const records = await answersIn(t, conversation.conversation_id)
      for (const text of ['first', 'second']) {
        const record = records.find(({ content }) => content.text === text)
        assert.ok(record !== undefined, `the history has no message "${text}"`)
        assert.deepEqual(
          deltasOf(events, record.message_id),
          [],
          `the message "${text}", which was sent whole, has deltas`,
        )
      }
    },
  },
]
