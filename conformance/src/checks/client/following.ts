import { cut, json, lengthOf, problem, stream, streamHeadLength } from '../../kit/client/answers.ts'
import type { ClientCheck } from '../../kit/client/client-context.ts'
import { CommandError } from '../../kit/client/commands.ts'
import { expectEqual, expectThat } from '../../kit/client/expect.ts'
import { followTo, frames, QUESTION, replyRecord, snapshotAt, textsOf } from '../../kit/client/follow.ts'
import { positionOf } from '../../kit/client/observing.ts'
import {
  assistantDelta,
  assistantMessage,
  CONVERSATION,
  EVENTS,
  eventEnvelope,
  frame,
  messageRecord,
  runCompleted,
  snapshotRecord,
} from '../../kit/client/records.ts'

const PING = ': ping\n\n'

const follow = (check: Omit<ClientCheck, 'needs'>): ClientCheck => ({ ...check, needs: ['follow_conversation'] })

export const checks: readonly ClientCheck[] = [
  follow({
    id: 'following/snapshot-first',
    title: 'a view begins with the snapshot and subscribes from its watermark',
    rules: ['SSE-13'],
    run: async (context) => {
      const { gateway } = context
      gateway.on('GET', CONVERSATION, snapshotAt(37, 'running'))
      gateway.on('GET', EVENTS, stream(frames(runCompleted(38))))
      await followTo(context, 38)
      const [subscription] = gateway.to('GET', EVENTS)
      const [snapshot] = gateway.to('GET', CONVERSATION)
      expectThat(snapshot && subscription, 'The client must read the snapshot and the events')
      expectThat(
        gateway.requests.indexOf(snapshot) < gateway.requests.indexOf(subscription),
        'The snapshot must be read before the events',
      )
      expectEqual('The position of the subscription', positionOf(subscription), '37')
    },
  }),
  follow({
    id: 'following/expired',
    title: 'after 410 the client reads the snapshot again and resumes from its new watermark',
    rules: ['SSE-12'],
    run: async (context) => {
      const { gateway } = context
      // A client may read the snapshot any number of times. After the 410, each read returns the new snapshot.
      gateway.on('GET', CONVERSATION, () =>
        gateway.to('GET', EVENTS).length < 2
          ? snapshotAt(10, 'running')
          : snapshotAt(500, 'running', replyRecord(2, 'Good ', { partial: true })),
      )
      gateway.on(
        'GET',
        EVENTS,
        stream(frames(assistantDelta(11, 0, 'Go')), 'close'),
        problem(410, 'CURSOR_EXPIRED'),
        stream(frames(assistantDelta(501, 7, 'day'))),
      )
      const view = await followTo(context, 501)
      expectEqual('The messages', textsOf(view), [QUESTION, ['msg_reply', 'Good day']])
      const subscriptions = gateway.to('GET', EVENTS)
      expectEqual('The first positions', subscriptions.slice(0, 2).map(positionOf), ['10', '11'])
      expectEqual('The position after the 410', positionOf(subscriptions[2]), '500')
      const [, refused, next] = subscriptions.map((request) => gateway.requests.indexOf(request))
      expectThat(
        gateway.requests.slice(refused, next).some(({ method, path }) => method === 'GET' && path === CONVERSATION),
        'The snapshot must be read between the 410 and the next subscription',
      )
    },
  }),
  follow({
    id: 'following/expired-at-once',
    title: 'a 410 for the first position leads to a new snapshot as well',
    rules: ['SSE-12'],
    run: async (context) => {
      const { gateway } = context
      gateway.on('GET', CONVERSATION, snapshotAt(10, 'running'), snapshotAt(90, 'running'))
      gateway.on('GET', EVENTS, problem(410, 'CURSOR_EXPIRED'), stream(frames(runCompleted(91))))
      await followTo(context, 91)
      expectEqual('The positions', gateway.to('GET', EVENTS).map(positionOf), ['10', '90'])
    },
  }),
  {
    id: 'following/expired-is-told',
    title: 'after 410 an event stream ends with the error `expired`, or resumes from the watermark of a new snapshot',
    rules: ['SSE-12'],
    needs: ['watch_conversation'],
    run: async ({ gateway, open }) => {
      gateway.on('GET', EVENTS, problem(410, 'CURSOR_EXPIRED'))
      gateway.on('GET', CONVERSATION, snapshotAt(90, 'running'))
      const watch = (await open()).start('watch_conversation', { conversation_id: 'conv_1', after: 10 })
      // The client either reports the error to its caller, or reloads and resumes from the new watermark.
      const reported = watch.result.then(
        () => ({ error: null }),
        (error: unknown) => ({ error }),
      )
      const resumed = gateway.until('The client must report the error or resume', () => gateway.to('GET', EVENTS)[1])
      resumed.catch(() => {})
      const outcome = await Promise.race([reported, resumed.then((request) => ({ request }))])
      if ('request' in outcome) return expectEqual('The new position', positionOf(outcome.request), '90')
      expectThat(
        outcome.error instanceof CommandError,
        `A stream that has expired must end with an error: ${outcome.error}`,
      )
      expectEqual('The kind of the error', outcome.error.kind, 'expired')
    },
  },
  follow({
    id: 'following/message-by-id',
    title: 'interleaved deltas of two messages go to the right message',
    rules: ['EVT-12'],
    run: async (context) => {
      const other = { message_id: 'msg_other' }
      context.gateway.on('GET', CONVERSATION, snapshotAt(10, 'running'))
      context.gateway.on(
        'GET',
        EVENTS,
        stream(
          frames(
            assistantDelta(11, 0, 'One '),
            assistantDelta(12, 0, 'Two ', other),
            assistantDelta(13, 1, 'goes'),
            assistantDelta(14, 1, 'comes', other),
          ),
        ),
      )
      const view = await followTo(context, 14)
      expectEqual('The messages', textsOf(view), [QUESTION, ['msg_reply', 'One goes'], ['msg_other', 'Two comes']])
    },
  }),
  follow({
    id: 'following/complete-message',
    title: 'a complete message replaces its deltas and the partial message of the snapshot',
    rules: ['EVT-12', 'EVT-13'],
    run: async (context) => {
      context.gateway.on('GET', CONVERSATION, snapshotAt(10, 'running', replyRecord(2, 'Good ', { partial: true })))
      context.gateway.on('GET', EVENTS, stream(frames(assistantDelta(11, 1, 'da'), assistantMessage(12, 'Good day'))))
      expectEqual('The messages', textsOf(await followTo(context, 12)), [QUESTION, ['msg_reply', 'Good day']])
    },
  }),
  follow({
    id: 'following/repeats',
    title: 'events that a new connection repeats have no effect',
    rules: ['EVT-12'],
    run: async (context) => {
      const [one, two] = [assistantDelta(11, 0, 'Good '), assistantDelta(12, 1, 'day')]
      context.gateway.on('GET', CONVERSATION, snapshotAt(10, 'running'))
      context.gateway.on(
        'GET',
        EVENTS,
        stream(frames(one, one, two), 'reset'),
        stream(frames(one, two, runCompleted(13))),
      )
      expectEqual('The messages', textsOf(await followTo(context, 13)), [QUESTION, ['msg_reply', 'Good day']])
    },
  }),
  follow({
    id: 'following/garbled-event',
    title: 'a damaged event is not skipped: the client fetches it again, or the view ends',
    rules: ['EVT-12'],
    run: async (context) => {
      const { gateway } = context
      const [one, two] = [assistantDelta(11, 0, 'Good '), assistantDelta(12, 1, 'day')]
      const damaged = [
        frame(two).replace('"payload":', '"payl'),
        frame(two).replace('day', '\u0000').slice(0, -20),
        PING,
      ]
      gateway.on('GET', CONVERSATION, snapshotAt(10, 'running'))
      gateway.on(
        'GET',
        EVENTS,
        stream([frame(one), ...damaged], 'close'),
        stream([Buffer.from(frame(two)).map((byte) => (byte === 0x79 ? 0xff : byte))], 'close'),
        stream(frames(two, runCompleted(13))),
      )
      const view = await followTo(context, 13).catch((error: unknown) => {
        if (error instanceof CommandError) return null
        throw error
      })
      if (view !== null) expectEqual('The messages', textsOf(view), [QUESTION, ['msg_reply', 'Good day']])
    },
  }),
  follow({
    id: 'following/unknown-types',
    title: 'an event of an unknown type does not change the messages',
    rules: ['EVT-27'],
    run: async (context) => {
      const unknown = eventEnvelope(11, 'assistant.retracted', {
        text: 'x',
        index: 0,
        message: { message_id: 'msg_1' },
      })
      context.gateway.on('GET', CONVERSATION, snapshotAt(10, 'running', replyRecord(2, 'Good ', { partial: true })))
      context.gateway.on('GET', EVENTS, stream(frames(unknown, assistantDelta(12, 1, 'day'))))
      expectEqual('The messages', textsOf(await followTo(context, 12)), [QUESTION, ['msg_reply', 'Good day']])
    },
  }),
  follow({
    id: 'following/cut-anywhere',
    title: 'a stream that is cut off at any byte is resumed without lost or duplicate text',
    rules: ['EVT-12'],
    run: async (context) => {
      const { gateway, open } = context
      const events = [assistantDelta(11, 0, 'Grö'), assistantDelta(12, 1, 'ße 漢🚀'), runCompleted(13)]
      const whole = stream(frames(...events), 'close')
      // Every byte of the second event, and some of the others.
      const [first, second] = events.map((event) => Buffer.byteLength(frame(event)))
      const isSecond = (at: number) => at >= Number(first) && at <= Number(first) + Number(second)
      const places = Array.from({ length: lengthOf(whole) - streamHeadLength }, (_, at) => at)
        .filter((at) => isSecond(at) || at % 9 === 0)
        .map((at) => streamHeadLength + at)
      gateway.on('GET', /^\/api\/v1\/conversations\/[^/]+$/, snapshotAt(10, 'running'))
      const seen = new Set<string>()
      gateway.on('GET', /^\/api\/v1\/conversations\/[^/]+\/events$/, (request) => {
        const at = Number(/at(\d+)/.exec(request.path)?.[1])
        if (!seen.has(request.path)) {
          seen.add(request.path)
          return cut(whole, at, at % 2 ? 'reset' : 'close')
        }
        const position = Number(positionOf(request))
        return stream(frames(...events.filter(({ seq }) => Number(seq) > position)))
      })
      gateway.on('GET', /^\/api\/v1\/conversations\/[^/]+\/messages$/, json(200, { messages: [] }))
      const client = await open()
      for (let from = 0; from < places.length; from += 8)
        await Promise.all(
          places.slice(from, from + 8).map(async (at) => {
            const followed = client.start('follow_conversation', { conversation_id: `at${at}` })
            const view = await followed.until(`Cut at byte ${at}, the view must reach position 13`, (items) =>
              items.find(({ position }) => position === 13),
            )
            await followed.stop()
            expectEqual(`The messages after a cut at byte ${at}`, textsOf(view), [
              QUESTION,
              ['msg_reply', 'Größe 漢🚀'],
            ])
          }),
        )
    },
  }),
  follow({
    id: 'following/reset',
    title: 'after a reset a view has the new generation and keeps the earlier messages',
    rules: ['RESET-20'],
    run: async (context) => {
      const { gateway } = context
      const again = { message_id: 'msg_again', generation: 2, run_id: 'run_2' }
      const reset = eventEnvelope(
        12,
        'conversation.reset',
        { operation_id: 'op_1', generation: 2, previous_generation: 1, binding_version: 3 },
        { generation: 2, run_id: null, message_id: null },
      )
      // A client may read the snapshot again after the reset event.
      gateway.on('GET', CONVERSATION, () =>
        gateway.to('GET', EVENTS).length === 0
          ? snapshotAt(10, 'running', replyRecord(2, 'Good ', { partial: true }))
          : json(
              200,
              snapshotRecord({
                generation: 2,
                watermark: 12,
                messages: [messageRecord(1, 'Hello', { message_id: 'msg_1' }), replyRecord(2, 'Good day')],
              }),
            ),
      )
      gateway.on('GET', EVENTS, (request) => {
        const events = [assistantMessage(11, 'Good day'), reset, assistantDelta(13, 0, 'Anew', again)]
        return stream(frames(...events.filter(({ seq }) => Number(seq) > Number(positionOf(request)))))
      })
      const view = await followTo(context, 13)
      expectEqual('The generation', view.generation, 2)
      expectEqual('The messages', textsOf(view), [QUESTION, ['msg_reply', 'Good day'], ['msg_again', 'Anew']])
    },
  }),
]
