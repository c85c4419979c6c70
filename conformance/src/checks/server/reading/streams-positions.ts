import assert from 'node:assert/strict'
import type { EventEnvelope } from '#openapi/generated/gateway'
import type { StreamPosition } from '../../../kit/server/caller.ts'
import type { ServerCheck, ServerContext } from '../../../kit/server/context.ts'
import { expectRefusal } from '../../../kit/server/expectations.ts'
import type { ScriptRun } from '../../../kit/steps/events.ts'
import { closeStream, expectBegins, runScript, seqsOf } from '../../../kit/steps/events.ts'
import { openWhenAvailable } from '../../../kit/steps/stream-limits.ts'

const STEPS = [{ delta: 'a ' }, { delta: 'b ' }, { message: 'aside' }, { delta: 'c' }, { succeed: {} }] as const

interface Route {
  readonly path: string
  /** What a stream of that route has, of the events after the position before the message. */
  readonly events: readonly EventEnvelope[]
}

const routesOf = ({ conversation, admission, events }: ScriptRun): readonly Route[] => [
  { path: `/conversations/${conversation.conversation_id}/events`, events },
  { path: `/runs/${admission.run_id}/events`, events: events.filter(({ run_id }) => run_id === admission.run_id) },
]

/** What the stream sends up to its newest event. */
async function readFrom(t: ServerContext, path: string, position: StreamPosition, last: number): Promise<number[]> {
  // The place of the stream before may be given back a little after that was closed.
  const opened = await openWhenAvailable(t, t.me, path, position)
  await opened.until(`event ${last} at ${path} ${JSON.stringify(position)}`, ({ events }) =>
    events.some(({ seq }) => seq >= last),
  )
  const seen = seqsOf(opened.events).filter((seq) => seq <= last)
  await closeStream(opened)
  return seen
}

const NEVER_ISSUED = '9007199254740993'

export const checks: readonly ServerCheck[] = [
  ...(
    [
      ['last-event-id', 'Last-Event-ID', 'SSE-03', (lastEventId: number) => ({ lastEventId })],
      ['after', 'after', 'SSE-04', (after: number) => ({ after })],
    ] as const
  ).map(
    ([id, name, rule, toPosition]): ServerCheck => ({
      id: `streams/resumes-by-${id}`,
      title: `${name} sends exactly the events with a greater seq, in order, from every position and on both routes`,
      rules: [rule, 'SSE-06', 'SSE-36'],
      streams: 1,
      run: async (t) => {
        const scriptRun = await runScript(t, ...STEPS)
        for (const { path, events } of routesOf(scriptRun)) {
          const last = events.at(-1)?.seq ?? 0
          const positions = [scriptRun.start, ...seqsOf(scriptRun.events).filter((seq) => seq < last)]
          for (const position of positions)
            assert.deepEqual(
              await readFrom(t, path, toPosition(position), last),
              seqsOf(events).filter((seq) => seq > position),
              `events after ${name} ${position} of ${path}`,
            )
        }
      },
    }),
  ),
  {
    id: 'streams/header-wins',
    title: 'Last-Event-ID takes precedence over after, whichever is greater, on both routes',
    rules: ['SSE-05'],
    streams: 1,
    run: async (t) => {
      const scriptRun = await runScript(t, ...STEPS)
      for (const { path, events } of routesOf(scriptRun)) {
        const seqs = seqsOf(events)
        const [early = 0, late = 0, last = 0] = [seqs[0], seqs.at(-3), seqs.at(-1)]
        for (const [lastEventId, after] of [
          [early, late],
          [late, early],
        ] as const)
          assert.deepEqual(
            await readFrom(t, path, { lastEventId, after }, last),
            seqs.filter((seq) => seq > lastEventId),
            `events with Last-Event-ID ${lastEventId} and after=${after} of ${path}`,
          )
      }
    },
  },
  {
    id: 'streams/resumes-after-the-newest',
    title: 'a stream that starts at the newest event sends only later events',
    rules: ['SSE-03', 'SSE-04', 'SSE-06', 'SSE-36'],
    streams: 2,
    run: async (t) => {
      const { conversation, events } = await runScript(t, ...STEPS)
      const newest = events.at(-1)?.seq ?? 0
      const streams = await Promise.all([
        t.me.events(conversation.conversation_id, { after: newest }),
        t.me.events(conversation.conversation_id, { lastEventId: newest }),
      ])
      const next = await t.admit(conversation, t.script({ delta: 'next' }, { succeed: {} }))
      for (const stream of streams) {
        await stream.event(
          'run.completed of the next run',
          ({ type, run_id }) => type === 'run.completed' && run_id === next.run_id,
        )
        assert.deepEqual(
          seqsOf(stream.events),
          [...new Set(seqsOf(stream.events))].sort((a, b) => a - b),
        )
        assert.ok(
          seqsOf(stream.events).every((seq) => seq > newest),
          'a seq that is not greater than the position',
        )
      }
      const [byQuery, byHeader] = streams
      await expectBegins(byHeader, [...byQuery.events], 'the one stream, on the other')
    },
  },
  {
    id: 'streams/starts-at-the-oldest',
    title: 'without a position a stream starts at the oldest event, on both routes',
    rules: ['SSE-19'],
    streams: 1,
    run: async (t) => {
      const scriptRun = await runScript(t, ...STEPS)
      assert.equal(scriptRun.start, 0)
      for (const { path, events } of routesOf(scriptRun))
        assert.deepEqual(await readFrom(t, path, {}, events.at(-1)?.seq ?? 0), seqsOf(events), `events of ${path}`)
    },
  },
  {
    id: 'streams/position-zero',
    title: 'position 0 is before the first event, by header and by query, on both routes',
    rules: ['SSE-19', 'SSE-23'],
    streams: 1,
    run: async (t) => {
      const scriptRun = await runScript(t, ...STEPS)
      for (const { path, events } of routesOf(scriptRun))
        for (const position of [{ after: 0 }, { lastEventId: 0 }])
          assert.deepEqual(
            await readFrom(t, path, position, events.at(-1)?.seq ?? 0),
            seqsOf(events),
            `events of ${path} after ${JSON.stringify(position)}`,
          )
    },
  },
  {
    id: 'streams/position-above-the-newest',
    title:
      'a position above the newest seq is refused with 410 CURSOR_EXPIRED, and the newest itself is accepted, on both routes',
    rules: ['SSE-21'],
    streams: 1,
    run: async (t) => {
      const scriptRun = await runScript(t, ...STEPS)
      const newest = scriptRun.events.at(-1)?.seq ?? 0
      for (const { path } of routesOf(scriptRun)) {
        for (const position of [newest + 1, newest + 1000, NEVER_ISSUED])
          for (const at of [{ after: position }, { lastEventId: position }]) {
            const answer = await t.me.tryEvents(path, at)
            if ('frames' in answer) assert.fail(`${JSON.stringify(at)} of ${path} is above ${newest} and got a stream`)
            expectRefusal(answer, 410, 'CURSOR_EXPIRED')
          }
        for (const at of [{ after: newest }, { lastEventId: newest }]) {
          const opened = await t.me.tryEvents(path, at)
          if (!('frames' in opened))
            assert.fail(`the newest seq ${newest} is a position of ${path}, got ${opened.status}`)
          await closeStream(opened)
        }
      }
      const { conversation_id: empty } = await t.conversation()
      const answer = await t.me.tryEvents(`/conversations/${empty}/events`, { after: 1 })
      if ('frames' in answer) assert.fail('a conversation without events has no position 1')
      expectRefusal(answer, 410, 'CURSOR_EXPIRED')
    },
  },
  {
    id: 'streams/malformed-position',
    title: 'a position that is not a non-negative integer is refused with 400, in header and query, on both routes',
    rules: ['SSE-23'],
    streams: 1,
    run: async (t) => {
      const scriptRun = await runScript(t, ...STEPS)
      const eventId = scriptRun.events[0]?.event_id ?? ''
      for (const { path } of routesOf(scriptRun))
        for (const position of ['-1', '1.5', 'abc', '0x1', '1 2', '1,2', 'NaN', 'null', '1e3', '+1', '1.0', eventId])
          for (const at of [{ after: position }, { lastEventId: position }]) {
            const answer = await t.me.tryEvents(path, at)
            if ('frames' in answer) assert.fail(`${JSON.stringify(at)} is no position, and ${path} opened a stream`)
            expectRefusal(answer, 400, 'INVALID_REQUEST')
          }
    },
  },
]
