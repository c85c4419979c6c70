import assert from 'node:assert/strict'
import type { Admission } from '#openapi/generated/gateway'
import type { ServerCheck } from '../../../kit/server/context.ts'
import { expectStatus } from '../../../kit/server/expectations.ts'
import { closeStream, endsRun, expectBegins, readEvents, seqsOf, watermarkOf } from '../../../kit/steps/events.ts'
import { completeReset } from '../../../kit/steps/resets.ts'
import { openWhenAvailable } from '../../../kit/steps/stream-limits.ts'

export const checks: readonly ServerCheck[] = [
  {
    id: 'streams/run-stream-is-the-runs-own',
    title: 'a run stream has all events of its run, under the seqs of the conversation, and no event of other runs',
    rules: ['SSE-14', 'SSE-15', 'EVT-14', 'EVT-04'],
    streams: 1,
    run: async (t) => {
      const conversation = await t.conversation()
      const id = conversation.conversation_id
      const start = await watermarkOf(t, id)
      const admissions: Admission[] = []
      // The first run waits, so the others are admitted between its events.
      const wait = { sleep_ms: 300 }
      for (const [name, ...pause] of [['a', wait], ['b'], ['c']] as const)
        admissions.push(
          await t.admit(
            conversation,
            t.script({ delta: `${name}1 ` }, ...pause, { delta: `${name}2` }, { succeed: {} }),
          ),
        )
      const all = await readEvents(
        t,
        id,
        'the end of three runs',
        (events) => admissions.every(({ run_id }) => events.some(endsRun(run_id))),
        { after: start },
      )
      for (const { run_id } of admissions) {
        const stream = await openWhenAvailable(t, t.me, `/runs/${run_id}/events`, { after: start })
        const own = all.filter((event) => event.run_id === run_id)
        await expectBegins(stream, own, `the stream of ${run_id}`)
        await stream.event('the end of the run', endsRun(run_id))
        assert.ok(
          stream.events.every((event) => event.run_id === run_id),
          `the stream of run ${run_id} has events of other runs`,
        )
        await closeStream(stream)
      }
      const [, second] = admissions
      const seqs = seqsOf(all.filter(({ run_id }) => run_id === second?.run_id))
      assert.ok(
        Math.min(...seqs) > start + 1,
        `the seqs of the second run must be those of the conversation, not start at ${start + 1}: ${seqs.join(', ')}`,
      )
    },
  },
  {
    id: 'streams/run-stream-live',
    title: 'a run stream that is open while other runs work gets the events of its run only',
    rules: ['SSE-14', 'SSE-15', 'SSE-36'],
    streams: 3,
    run: async (t) => {
      const conversation = await t.conversation()
      const start = await watermarkOf(t, conversation.conversation_id)
      const first = await t.admit(conversation, t.script({ delta: 'a' }, { sleep_ms: 100 }, { delta: 'b' }))
      const second = await t.admit(conversation, t.script({ delta: 'c' }, { sleep_ms: 100 }, { delta: 'd' }))
      const runStreams = [
        { runId: first.run_id, stream: await t.me.runEvents(first.run_id, { after: start }) },
        { runId: second.run_id, stream: await t.me.runEvents(second.run_id, { after: start }) },
      ]
      const whole = await t.me.events(conversation.conversation_id, { after: start })
      await whole.event('the end of the second run', endsRun(second.run_id))
      for (const { runId, stream } of runStreams) {
        await stream.event('the end of the run', endsRun(runId))
        const own = whole.events.filter(({ run_id }) => run_id === runId)
        await expectBegins(stream, own, `the stream of ${runId}`)
        assert.ok(
          stream.events.every(({ run_id }) => run_id === runId),
          `the stream of ${runId} has events of other runs`,
        )
      }
    },
  },
  {
    id: 'streams/run-stream-gap-in-the-middle',
    title: 'an open run stream skips the seqs of events of other runs',
    rules: ['EVT-19', 'EVT-33'],
    streams: 2,
    run: async (t) => {
      const conversation = await t.conversation()
      const first = await t.admit(conversation, t.script({ delta: 'one' }, { hang: true }))
      const live = await t.me.runEvents(first.run_id)
      await live.event('delta', ({ type }) => type === 'assistant.delta')
      // Cancelling the second run always causes an event of that run; admitting it need not.
      const second = await t.admit(conversation, t.script({ succeed: {} }))
      expectStatus(await t.me.cancel(second.run_id), 202)
      expectStatus(await t.me.cancel(first.run_id), 202)
      await live.event('the end of the first run', endsRun(first.run_id))
      const all = await readEvents(t, conversation.conversation_id, 'the ends of both runs', (events) =>
        [first, second].every(({ run_id }) => events.some(endsRun(run_id))),
      )
      const own = all.filter(({ run_id }) => run_id === first.run_id)
      assert.deepEqual(live.events, own)
      await closeStream(live)
      const seqs = seqsOf(own)
      assert.ok(
        seqs.some((seq, at) => at > 0 && seq - (seqs[at - 1] ?? 0) > 1),
        `the seqs of the first run have no gap for the event of the second run: ${seqs.join(', ')}`,
      )
    },
  },
  {
    id: 'streams/reset-on-the-conversation-stream',
    title: 'a reset appears on the conversation stream, live and afterwards, and on no run stream',
    rules: ['SSE-17'],
    streams: 3,
    run: async (t) => {
      const { conversation, admission } = await t.start({ delta: 'before' }, { succeed: {} })
      const id = conversation.conversation_id
      await t.runEnded(admission.run_id)
      const before = await watermarkOf(t, id)
      const live = await t.me.events(id, { after: before })
      const ofRun = await t.me.runEvents(admission.run_id, { after: before })
      await completeReset(t, id, 1)
      const isReset = ({ type, seq }: { type: string; seq: number }): boolean =>
        seq > before && !/^(run|assistant|approval)\./.test(type)
      const reset = await live.event('an event of the reset', isReset)
      const again = await readEvents(t, id, 'the event of the reset', (events) => events.some(isReset), {
        after: before,
      })
      assert.deepEqual(again.find(isReset), reset)
      const next = await t.admit({ ...conversation, generation: 2 }, t.script({ succeed: {} }))
      await live.event('the end of the next run', endsRun(next.run_id))
      assert.ok(
        ofRun.events.every(({ run_id }) => run_id === admission.run_id),
        'the stream of the earlier run got an event that is not its own',
      )
    },
  },
]
