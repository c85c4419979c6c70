import assert from 'node:assert/strict'
import type { ServerCheck, ServerContext } from '../../../kit/server/context.ts'
import { expectStatus } from '../../../kit/server/expectations.ts'
import {
  endsRun,
  expectIncreasing,
  ofType,
  readEvents,
  readUntilEnd,
  seqsOf,
  watermarkOf,
} from '../../../kit/steps/events.ts'
import { completeReset } from '../../../kit/steps/resets.ts'
import { runToEnd } from '../../../kit/steps/runs.ts'

/** The integers from 1 to `length`. */
const counted = (length: number): number[] => Array.from({ length }, (_, at) => at + 1)

/** Executes two runs, a reset and a third run in a new conversation. Returns the conversation's events. */
async function runAcrossReset(t: ServerContext) {
  const conversation = await t.conversation()
  const id = conversation.conversation_id
  const start = await watermarkOf(t, id)
  const first = await t.admit(conversation, t.script({ delta: 'one' }, { message: 'two' }))
  const second = await runToEnd(t, conversation, t.script({ fail: { code: 'NO', message: 'No.' } }))
  await completeReset(t, id, 1)
  const third = await t.admit({ ...conversation, generation: 2 }, t.script({ delta: 'three' }))
  return { id, runIds: [first.run_id, second.run_id, third.run_id], events: await readUntilEnd(t, third, start) }
}

export const checks: readonly ServerCheck[] = [
  {
    id: 'events/one-increasing-sequence',
    title: 'the events of all runs of a conversation share one increasing seq, also across a reset',
    rules: ['EVT-02', 'EVT-03'],
    streams: 1,
    run: async (t) => {
      const { runIds, events } = await runAcrossReset(t)
      expectIncreasing('seqs', seqsOf(events))
      for (const runId of runIds) assert.ok(events.some(endsRun(runId)), `the stream has no end of the run ${runId}`)
    },
  },
  {
    id: 'events/seq-from-1-without-gaps',
    title: 'seq starts at 1 in each conversation and has no gap, through runs that fail and a reset',
    rules: ['EVT-32', 'EVT-33', 'EVT-35'],
    streams: 1,
    run: async (t) => {
      const { events, id } = await runAcrossReset(t)
      const all = await readEvents(t, id, 'all events', (seen) => seen.length >= events.length)
      assert.deepEqual(seqsOf(all), counted(all.length))
      const [reset] = ofType(all, 'conversation.reset')
      assert.ok(reset !== undefined && reset.seq > 1, `conversation.reset must have a seq above 1, got ${reset?.seq}`)
      assert.equal(await watermarkOf(t, id), all.length)
      const elsewhere = await t.conversation()
      assert.equal(
        await watermarkOf(t, elsewhere.conversation_id),
        0,
        'the watermark of a conversation without events must be 0',
      )
      const admission = await t.admit(elsewhere, t.script({ succeed: {} }))
      const [first] = await readUntilEnd(t, admission, 0)
      assert.equal(first?.seq, 1, `the first seq of another conversation is ${first?.seq}, expected 1`)
    },
  },
  {
    id: 'events/no-gaps-with-many-writers',
    title: 'seq has no gaps or duplicates when messages, output and cancellations are written concurrently',
    rules: ['EVT-33', 'EVT-34'],
    tags: ['race'],
    streams: 3,
    run: async (t) => {
      const conversation = await t.conversation()
      const id = conversation.conversation_id
      const live = await Promise.all([t.me.events(id, { after: 0 }), t.me.events(id, { after: 0 })])
      const pieces = Array.from({ length: 30 }, (_, at) => [{ delta: `${at} ` }, { sleep_ms: 5 }]).flat()
      const first = await t.admit(conversation, t.script(...pieces))
      const sent = await Promise.all(
        Array.from({ length: 10 }, async (_, at) => {
          const admission = await t.admit(conversation, t.script({ delta: 'x' }, { succeed: {} }))
          if (at % 2 === 0) expectStatus(await t.me.cancel(admission.run_id), 202)
          return admission
        }),
      )
      const runIds = [first, ...sent].map(({ run_id }) => run_id)
      for (const stream of live) {
        await stream.until('the end of all runs', ({ events }) => runIds.every((runId) => events.some(endsRun(runId))))
        assert.deepEqual(seqsOf(stream.events), counted(stream.events.length))
      }
      const again = await readEvents(t, id, 'the end of all runs', (events) =>
        runIds.every((runId) => events.some(endsRun(runId))),
      )
      const [one] = live
      assert.deepEqual(again, one?.events.slice(0, again.length))
    },
  },
  {
    id: 'events/nothing-appears-below-a-seen-seq',
    title: 'once a reader has seen a seq, all smaller ones are readable, even during concurrent writes',
    rules: ['EVT-34', 'EVT-33'],
    tags: ['race'],
    streams: 1,
    run: async (t) => {
      const conversation = await t.conversation()
      const id = conversation.conversation_id
      const pieces = Array.from({ length: 40 }, (_, at) => [{ delta: `${at} ` }, { sleep_ms: 5 }]).flat()
      const first = await t.admit(conversation, t.script(...pieces))
      const writing = Promise.all(
        Array.from({ length: 8 }, () => t.admit(conversation, t.script({ delta: 'x' }, { succeed: {} }))),
      )
      for (let round = 0; round < 12; round += 1) {
        const watermark = await watermarkOf(t, id)
        const events = await readEvents(t, id, `event ${watermark}`, (seen) => (seen.at(-1)?.seq ?? 0) >= watermark, {
          after: 0,
        })
        assert.deepEqual(
          seqsOf(events).slice(0, watermark),
          counted(watermark),
          `the seqs up to the watermark ${watermark} must have no gap`,
        )
      }
      for (const { run_id } of [first, ...(await writing)]) await t.runEnded(run_id)
    },
  },
  {
    id: 'events/cursor-of-the-admission',
    title:
      "the admission's event_cursor is the conversation's seq at admission: run.started of its run has a greater seq",
    rules: ['EVT-16'],
    streams: 1,
    run: async (t) => {
      const conversation = await t.conversation()
      const id = conversation.conversation_id
      const start = await watermarkOf(t, id)
      const first = await t.admit(conversation, t.script({ delta: 'a' }, { hang: true }))
      await t.runIn(first.run_id, ['running'])
      const admissions = [first]
      for (const _ of [1, 2]) {
        const before = await watermarkOf(t, id)
        const admission = await t.admit(conversation, t.script({ delta: 'b' }, { succeed: {} }))
        const { event_cursor } = admission
        const after = await watermarkOf(t, id)
        assert.ok(
          event_cursor >= before,
          `event_cursor ${event_cursor} is below the watermark ${before} that was read before the admission`,
        )
        assert.ok(
          event_cursor <= after,
          `event_cursor ${event_cursor} is above the watermark ${after} that was read after the admission`,
        )
        admissions.push(admission)
      }
      assert.ok(first.event_cursor >= start)
      expectStatus(await t.me.cancel(first.run_id), 202)
      const events = await readEvents(
        t,
        id,
        'the end of the last run',
        (seen) => seen.some(endsRun(admissions.at(-1)?.run_id ?? '')),
        { after: start },
      )
      for (const [at, { run_id, event_cursor }] of admissions.entries()) {
        const started = events.find((event) => event.run_id === run_id && event.type === 'run.started')
        assert.ok(
          (started?.seq ?? 0) > event_cursor,
          `run.started of message ${at + 1} has the seq ${started?.seq}, expected one above its event_cursor ${event_cursor}`,
        )
      }
    },
  },
  {
    id: 'events/stream-from-the-cursor',
    title: 'a stream that starts at event_cursor has all events of the execution and no earlier ones',
    rules: ['EVT-16'],
    streams: 1,
    run: async (t) => {
      const conversation = await t.conversation()
      const earlier = await runToEnd(t, conversation, t.script({ delta: 'earlier' }, { succeed: {} }))
      const admission = await t.admit(conversation, t.script({ delta: 'a' }, { message: 'b' }, { succeed: {} }))
      const events = await readUntilEnd(t, admission, admission.event_cursor)
      assert.ok(
        !events.some(({ run_id }) => run_id === earlier.run_id),
        'the stream from event_cursor has an event of an earlier run',
      )
      for (const type of ['run.started', 'assistant.delta', 'assistant.message', 'run.completed'])
        assert.ok(ofType(events, type).length > 0, `no ${type} after event_cursor`)
    },
  },
]
