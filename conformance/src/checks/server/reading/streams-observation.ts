import assert from 'node:assert/strict'
import type { EventEnvelope } from '#openapi/generated/gateway'
import type { ServerCheck, ServerContext } from '../../../kit/server/context.ts'
import { closeStream, endsRun, expectBegins, expectIncreasing, seqsOf, watermarkOf } from '../../../kit/steps/events.ts'
import { expectRunEnd } from '../../../kit/steps/runs.ts'
import { openWhenAvailable } from '../../../kit/steps/stream-limits.ts'

const PIECES = Array.from({ length: 12 }, (_, at) => `piece ${at}. `)
/** The pieces as deltas with pauses between them. */
const slowly = (pieces: readonly string[]) => pieces.flatMap((delta) => [{ delta }, { sleep_ms: 15 }])

/** Reads over many connections, each of which is closed after its first chunk of events. */
async function readWithReconnects(
  t: ServerContext,
  id: string,
  runId: string,
  start: number,
  by: 'after' | 'lastEventId',
) {
  const events: EventEnvelope[] = []
  while (!events.some(endsRun(runId))) {
    const position = events.at(-1)?.seq ?? start
    const stream = await openWhenAvailable(t, t.me, `/conversations/${id}/events`, { [by]: position })
    await stream.until(`the event after ${position}`, (open) => open.events.length > 0)
    // Depending on the number of events so far, only the first event of a chunk or all of them count as received.
    events.push(...(events.length % 2 === 0 ? stream.events.slice(0, 1) : [...stream.events]))
    await closeStream(stream)
  }
  return events
}

export const checks: readonly ServerCheck[] = [
  ...(['run', 'conversation'] as const).map(
    (route): ServerCheck => ({
      id: `streams/closing-${route}-stream-cancels-nothing`,
      title: `a run continues to its end after all readers of its ${route} stream have disconnected`,
      rules: ['SSE-18'],
      streams: 2,
      run: async (t) => {
        const conversation = await t.conversation()
        const start = await watermarkOf(t, conversation.conversation_id)
        const admission = await t.admit(
          conversation,
          t.script({ delta: 'before ' }, { sleep_ms: 250 }, { delta: 'after' }, { succeed: { text: 'before after' } }),
        )
        const open = () =>
          route === 'run'
            ? t.me.runEvents(admission.run_id, { after: start })
            : t.me.events(conversation.conversation_id, { after: start })
        for (const stream of await Promise.all([open(), open()])) {
          await stream.event('the first output', ({ type }) => type === 'assistant.delta')
          await closeStream(stream)
        }
        const run = await expectRunEnd(t, admission.run_id, 'succeeded')
        assert.equal(run.result?.text, 'before after')
      },
    }),
  ),
  {
    id: 'streams/closing-leaves-a-queued-run',
    title: 'a queued run is still executed after its only reader has disconnected',
    rules: ['SSE-18'],
    streams: 1,
    run: async (t) => {
      const conversation = await t.conversation()
      const first = await t.admit(conversation, t.script({ sleep_ms: 200 }, { succeed: {} }))
      const second = await t.admit(conversation, t.script({ succeed: { text: 'second' } }))
      await closeStream(await t.me.runEvents(second.run_id, { after: first.event_cursor }))
      await expectRunEnd(t, second.run_id, 'succeeded')
      await expectRunEnd(t, first.run_id, 'succeeded')
    },
  },
  ...(['after', 'lastEventId'] as const).map(
    (by): ServerCheck => ({
      id: `streams/cut-after-each-event-${by === 'after' ? 'after' : 'last-event-id'}`,
      title: `a reader that is disconnected repeatedly during a run gets every event once, resuming by ${by === 'after' ? 'after' : 'Last-Event-ID'}`,
      rules: ['SSE-36', 'SSE-06'],
      tags: ['race'],
      streams: 1,
      run: async (t) => {
        const conversation = await t.conversation()
        const start = await watermarkOf(t, conversation.conversation_id)
        const admission = await t.admit(conversation, t.script(...slowly(PIECES), { succeed: {} }))
        const pieced = await readWithReconnects(t, conversation.conversation_id, admission.run_id, start, by)
        await expectBegins(
          await t.me.events(conversation.conversation_id, { after: start }),
          pieced,
          'the run, read at once',
        )
      },
    }),
  ),
  {
    id: 'streams/joining-in-the-middle',
    title:
      'readers that join during a run get every event after their position once, with no gap between replay and live events',
    rules: ['SSE-36'],
    tags: ['race'],
    streams: 4,
    run: async (t) => {
      const conversation = await t.conversation()
      const id = conversation.conversation_id
      const start = await watermarkOf(t, id)
      const admission = await t.admit(conversation, t.script(...slowly([...PIECES, ...PIECES]), { succeed: {} }))
      const first = await t.me.events(id, { after: start })
      const joined = []
      for (const count of [2, 6, 10]) {
        await first.until(
          `${count} events or the end of the run`,
          ({ events }) => events.length >= count || events.some(endsRun(admission.run_id)),
        )
        const position = count === 6 ? start : (first.events.at(-1)?.seq ?? start)
        joined.push({ position, stream: await t.me.events(id, { after: position }) })
      }
      await first.event('the end of the run', endsRun(admission.run_id))
      const all = [...first.events]
      for (const { position, stream } of joined)
        await expectBegins(
          stream,
          all.filter(({ seq }) => seq > position),
          `the reader that joined after ${position}`,
        )
      expectIncreasing('seqs', seqsOf(first.events))
    },
  },
  {
    id: 'streams/neighbours-stay-apart',
    title: 'a stream has only events of its own conversation while other conversations of the subject work',
    rules: ['SSE-36', 'EVT-03'],
    tags: ['security'],
    streams: 3,
    run: async (t) => {
      const conversations = await Promise.all([0, 1, 2].map(() => t.conversation()))
      const streams = await Promise.all(
        conversations.map(async ({ conversation_id: id }) => ({
          id,
          stream: await t.me.events(id, { after: await watermarkOf(t, id) }),
        })),
      )
      const admissions = await Promise.all(
        conversations.map((conversation) =>
          t.admit(conversation, t.script(...slowly(PIECES.slice(0, 4)), { succeed: {} })),
        ),
      )
      for (const [at, { id, stream }] of streams.entries()) {
        await stream.event('the end of the run', endsRun(admissions[at]?.run_id ?? ''))
        assert.deepEqual([...new Set(stream.events.map(({ conversation_id }) => conversation_id))], [id])
      }
    },
  },
]
