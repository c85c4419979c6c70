import { type Answer, json, lengthOf, respond, split, stream, streamHeadLength } from '../../kit/client/answers.ts'
import type { ClientCheck, ClientContext } from '../../kit/client/client-context.ts'
import { CommandError, type JsonObject } from '../../kit/client/commands.ts'
import { expectEqual, expectThat } from '../../kit/client/expect.ts'
import { expectStreamsClosed, positionOf, updated } from '../../kit/client/observing.ts'
import { CONVERSATION, EVENTS, eventEnvelope, frame, RUN, runCompleted, runRecord } from '../../kit/client/records.ts'

const PING = ': ping\n\n'
const EVENTS_OF_ANY_RUN = /^\/api\/v1\/runs\/[^/]+\/events$/

/**
 * Returns a function that watches a run, whose record has this state, over the given connections to its last event. It
 * returns the events that the client delivers.
 */
const watchRunThatIs =
  (state: string) =>
  async ({ gateway, open }: ClientContext, ...answers: readonly [Answer, ...Answer[]]) => {
    gateway.on('GET', RUN, json(200, runRecord(state)))
    gateway.on('GET', `${RUN}/events`, ...answers)
    const watch = (await open()).start('watch_run', { run_id: 'run_1', after: 10 })
    await watch.result
    return watch.items.map(({ event }) => event)
  }
const watchRun = watchRunThatIs('running')
const watchEnded = watchRunThatIs('succeeded')

/** Watches the conversation over these connections until the client has delivered `count` events, and returns them. */
const watchConversation = async (
  { gateway, open }: ClientContext,
  count: number,
  ...answers: readonly [Answer, ...Answer[]]
) => {
  gateway.on('GET', EVENTS, ...answers)
  const watch = (await open()).start('watch_conversation', { conversation_id: 'conv_1', after: 10 })
  await watch.until(`The client must deliver ${count} events`, ({ length }) => length >= count || undefined)
  await watch.stop()
  return watch.items.map(({ event }) => event)
}

/** The frame of an event, with a keepalive comment between its fields and after its end. */
const commented = (event: JsonObject): string =>
  frame(event).replaceAll('\n', '\n: ping\n').replace('\n: ping\n\n', '\n\n')

export const checks: readonly ClientCheck[] = [
  {
    id: 'streams/keepalive-between',
    title: 'keepalive comments between events are ignored',
    rules: ['SSE-09'],
    needs: ['watch_conversation'],
    run: async (context) => {
      const frames = [
        PING,
        frame(updated(11)),
        PING,
        PING,
        frame(updated(12)),
        ': ping 2026\n\n',
        ':\n\n',
        frame(updated(13)),
      ]
      expectEqual('The events', await watchConversation(context, 3, stream(frames)), [
        updated(11),
        updated(12),
        updated(13),
      ])
    },
  },
  {
    id: 'streams/keepalive-within',
    title: 'a keepalive comment between the lines of an event does not split it',
    rules: ['SSE-09'],
    needs: ['watch_conversation'],
    run: async (context) => {
      const frames = [commented(updated(11)), commented(updated(12))]
      expectEqual('The events', await watchConversation(context, 2, stream(frames)), [updated(11), updated(12)])
    },
  },
  {
    id: 'streams/keepalive-line-ends',
    title: 'keepalive comments are ignored whichever line ends the stream uses',
    rules: ['SSE-09'],
    needs: ['watch_conversation'],
    run: async (context) => {
      const frames = ['\r\n', '\r', '\n'].flatMap((end, index) => [
        `: ping${end}${end}`,
        frame(updated(11 + index), end),
      ])
      // A line that ends in CR is complete only once the next byte shows that no LF follows.
      expectEqual('The events', await watchConversation(context, 3, stream([...frames, PING])), [
        updated(11),
        updated(12),
        updated(13),
      ])
    },
  },
  {
    id: 'streams/split-anywhere',
    title: 'events and keepalive comments are read correctly across any packet boundaries',
    rules: ['SSE-09'],
    needs: ['watch_run'],
    run: async ({ gateway, open }) => {
      const frames = [PING, frame(updated(11), '\r\n'), PING, frame(runCompleted(12))]
      const whole = stream(frames)
      const places = Array.from({ length: lengthOf(whole) - streamHeadLength }, (_, at) => streamHeadLength + at)
      const client = await open()
      gateway.on('GET', /^\/api\/v1\/runs\/[^/]+$/, json(200, runRecord('running')))
      gateway.on('GET', EVENTS_OF_ANY_RUN, ({ path }) => split(whole, Number(/at(\d+)/.exec(path)?.[1])))
      for (let from = 0; from < places.length; from += 8)
        await Promise.all(
          places.slice(from, from + 8).map(async (at) => {
            const watch = client.start('watch_run', { run_id: `at${at}`, after: 10 })
            await watch.result
            expectEqual(
              `The events split at byte ${at}`,
              watch.items.map(({ event }) => event),
              [updated(11), runCompleted(12)],
            )
          }),
        )
      // A second connection would hide that the client misread the first one.
      expectEqual('The number of connections', gateway.to('GET', EVENTS_OF_ANY_RUN).length, places.length)
    },
  },
  {
    id: 'streams/ends-with-what-it-waits-for',
    title: 'an observation of a run ends after its last event although the gateway keeps the stream open',
    rules: ['SSE-10'],
    needs: ['watch_run'],
    run: async (context) => {
      const frames = [frame(updated(11)), frame(runCompleted(12)), PING]
      expectEqual('The events', await watchRun(context, stream(frames)), [updated(11), runCompleted(12)])
      await expectStreamsClosed(context, `${RUN}/events`)
    },
  },
  {
    id: 'streams/stop-leaves',
    title: 'a client that leaves the stream early cancels nothing',
    rules: ['SSE-10'],
    needs: ['watch_conversation'],
    run: async (context) => {
      await watchConversation(context, 1, stream([frame(updated(11))]))
      await expectStreamsClosed(context, EVENTS)
      expectEqual(
        'The requests that change something',
        context.gateway.requests.filter(({ method }) => method !== 'GET').length,
        0,
      )
    },
  },
  {
    id: 'streams/end-is-no-end',
    title: 'after a stream closes without the run’s last event, the client reconnects from the last seen event',
    rules: ['SSE-10'],
    needs: ['watch_run'],
    run: async (context) => {
      const events = await watchRun(context, stream([frame(updated(11))], 'close'), stream([frame(runCompleted(12))]))
      expectEqual('The events', events, [updated(11), runCompleted(12)])
      const [, second] = context.gateway.to('GET', `${RUN}/events`)
      expectEqual('The position of the second connection', positionOf(second), '11')
    },
  },
  {
    id: 'streams/comment-before-the-events',
    title: 'a comment before the events of an ended run does not end the observation',
    rules: ['SSE-39'],
    needs: ['watch_run'],
    run: async (context) => {
      const events = stream([': connected\n\n', PING, frame(updated(11)), frame(runCompleted(12))])
      expectEqual('The events', await watchEnded(context, { ...events, gapMs: 500 }), [updated(11), runCompleted(12)])
    },
  },
  {
    id: 'streams/empty-connections-before-the-events',
    title: 'connections that close without an event do not end the observation of an ended run',
    rules: ['SSE-39'],
    needs: ['watch_run'],
    run: async (context) => {
      const [empty, quiet] = [stream([], 'close'), stream([PING], 'close')]
      const events = stream([frame(updated(11)), frame(runCompleted(12))])
      expectEqual('The events', await watchEnded(context, empty, quiet, empty, quiet, events), [
        updated(11),
        runCompleted(12),
      ])
    },
  },
  {
    id: 'streams/retry-is-the-least',
    title: 'a client does not reconnect before the delay that `retry` specifies',
    rules: ['SSE-40'],
    needs: ['watch_run'],
    run: async (context) => {
      const retryMs = 1500
      await watchRun(
        context,
        stream([`retry: ${retryMs}\n\n`, frame(updated(11))], 'close'),
        stream([`retry: ${retryMs}\n\n`, frame(updated(12))], 'close'),
        stream([frame(runCompleted(13))]),
      )
      const times = context.gateway.to('GET', `${RUN}/events`).map(({ arrivedAtMs }) => arrivedAtMs)
      expectEqual('The number of connections', times.length, 3)
      const gaps = times.slice(1).map((atMs, index) => atMs - (times[index] ?? 0))
      for (const gapMs of gaps) expectThat(gapMs >= retryMs, `The client reconnected after ${gapMs} ms`)
    },
  },
  {
    id: 'streams/no-content-is-final',
    title: 'after 204 to a stream request, the client reports an error and does not reconnect',
    rules: ['SSE-41'],
    needs: ['watch_run'],
    run: async (context) => {
      const failure = await watchRun(
        context,
        stream([frame(updated(11))], 'close'),
        respond(204, {}),
        stream([frame(runCompleted(12))]),
      ).catch((error: unknown) => error)
      expectThat(failure instanceof CommandError, 'The observation must end with an error')
      expectEqual('The number of connections', context.gateway.to('GET', `${RUN}/events`).length, 2)
    },
  },
  {
    id: 'streams/gaps-of-a-run',
    title:
      'gaps in the seq of a run’s stream are not treated as loss: the client neither reconnects nor reads the snapshot',
    rules: ['SSE-16', 'EVT-15'],
    needs: ['watch_run'],
    run: async (context) => {
      const frames = [11, 13, 40, 1041].map((seq) => frame(updated(seq)))
      const events = await watchRun(context, stream([...frames, frame(runCompleted(5_000_000_000))]))
      expectEqual('The events', events, [
        updated(11),
        updated(13),
        updated(40),
        updated(1041),
        runCompleted(5_000_000_000),
      ])
      expectEqual('The number of connections', context.gateway.to('GET', `${RUN}/events`).length, 1)
      expectEqual('The snapshots read', context.gateway.to('GET', CONVERSATION).length, 0)
    },
  },
  {
    id: 'streams/gap-before-the-first',
    title: 'a run’s stream may begin at a much later seq than requested, and resumes from the last seen event',
    rules: ['SSE-16', 'EVT-15'],
    needs: ['watch_run'],
    run: async (context) => {
      const events = await watchRun(
        context,
        stream([frame(updated(900))], 'close'),
        stream([frame(runCompleted(2000))]),
      )
      expectEqual('The events', events, [updated(900), runCompleted(2000)])
      const requests = context.gateway.to('GET', `${RUN}/events`)
      expectEqual('The positions', requests.map(positionOf), ['10', '900'])
    },
  },
  {
    id: 'streams/unknown-types',
    title: 'events of unknown types do not end or disturb a stream',
    rules: ['EVT-27'],
    needs: ['watch_run'],
    run: async (context) => {
      const unknown = [
        eventEnvelope(11, 'tool.called', { tool: 'x', nested: { deep: [1, null] } }),
        eventEnvelope(12, 'run.annotated', {}, { message_id: null }),
        eventEnvelope(13, 'run', {}),
        eventEnvelope(14, 'error', { state: 'succeeded' }),
        eventEnvelope(15, 'message', {}),
      ]
      const events = await watchRun(
        context,
        stream([...unknown, updated(16), runCompleted(17)].map((event) => frame(event))),
      )
      const known = events.filter((event) => [16, 17].includes(Number(Object(event).seq)))
      expectEqual('The events of known types', known, [updated(16), runCompleted(17)])
    },
  },
]
