import assert from 'node:assert/strict'
import type { EventEnvelope } from '#openapi/generated/gateway'
import type { StreamPosition } from '../../../kit/server/caller.ts'
import { streamOf } from '../../../kit/server/caller.ts'
import type { ServerCheck, ServerContext } from '../../../kit/server/context.ts'
import { expectRefusal } from '../../../kit/server/expectations.ts'
import type { ScriptRun } from '../../../kit/steps/events.ts'
import {
  closeStream,
  expectBegins,
  expectIncreasing,
  refusedStream,
  runScript,
  seqsOf,
} from '../../../kit/steps/events.ts'
import { openWhenAvailable } from '../../../kit/steps/stream-limits.ts'

const STEPS = [{ delta: 'a ' }, { delta: 'b ' }, { message: 'aside' }, { delta: 'c' }, { succeed: {} }] as const

interface Route {
  readonly path: string
  /** The events that a stream of this route must send. */
  readonly events: readonly EventEnvelope[]
}

const routesOf = ({ conversation, admission, events }: ScriptRun): readonly Route[] => [
  { path: `/conversations/${conversation.conversation_id}/events`, events },
  { path: `/runs/${admission.run_id}/events`, events: events.filter(({ run_id }) => run_id === admission.run_id) },
]

/** The seqs that the stream sends from the position up to `last`. */
async function readFrom(t: ServerContext, path: string, position: StreamPosition, last: number): Promise<number[]> {
  // The server may count the previous stream for a moment after it was closed.
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
              `${path} with ${name} ${position} must send exactly the events after it`,
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
            `${path} with Last-Event-ID ${lastEventId} and after=${after} must send the events after ${lastEventId}`,
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
        expectIncreasing('seqs', seqsOf(stream.events))
        assert.ok(
          seqsOf(stream.events).every((seq) => seq > newest),
          `a stream after ${newest} sent an event that is not above it`,
        )
      }
      const [byQuery, byHeader] = streams
      await expectBegins(byHeader, [...byQuery.events], 'the stream by Last-Event-ID, compared with the one by after')
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
        assert.deepEqual(
          await readFrom(t, path, {}, events.at(-1)?.seq ?? 0),
          seqsOf(events),
          `${path} without a position must send all events`,
        )
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
            `${path} with ${JSON.stringify(position)} must send all events`,
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
        for (const position of [newest + 1, newest + 1000, NEVER_ISSUED, '9'.repeat(400)])
          for (const at of [{ after: position }, { lastEventId: position }])
            expectRefusal(await refusedStream(t.me, path, at), 410, 'CURSOR_EXPIRED')
        for (const at of [{ after: newest }, { lastEventId: newest }]) {
          t.note(`the newest seq ${newest}, as ${JSON.stringify(at)}`)
          await closeStream(streamOf(await t.me.tryEvents(path, at)))
        }
      }
      const { conversation_id: empty } = await t.conversation()
      const first = await refusedStream(t.me, `/conversations/${empty}/events`, { after: 1 })
      expectRefusal(first, 410, 'CURSOR_EXPIRED')
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
          for (const at of [{ after: position }, { lastEventId: position }])
            expectRefusal(await refusedStream(t.me, path, at), 400, 'INVALID_REQUEST')
    },
  },
]
