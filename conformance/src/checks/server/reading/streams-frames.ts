import assert from 'node:assert/strict'
import type { ServerCheck } from '../../../kit/server/context.ts'
import type { EventStream } from '../../../kit/server/event-stream.ts'
import { closeStream, endsRun, isEnd, payloadOf, runScript, streamedText } from '../../../kit/steps/events.ts'

/** Text that breaks a frame unless the server escapes it. */
const AWKWARD = [
  'line\nnext\r\nlast\rend',
  '\n\n: ping\n\n',
  '\nid: 999999\nevent: run.failed\ndata: {}\n\n',
  'ü 漢字 🙂 \u2028 \u2029 \u0085 \ufeff',
  '"quoted" \\ back',
]

const PING_MS = 15_000
/** Less than 15 seconds, because a delayed ping makes the next interval shorter. */
const PING_AT_LEAST_MS = 12_000

export const checks: readonly ServerCheck[] = [
  {
    id: 'streams/frame-fields',
    title: 'each message has the seq as id, the type as event and the JSON envelope as data, on both routes',
    rules: ['SSE-07'],
    streams: 2,
    run: async (t) => {
      const { conversation, admission, start } = await runScript(t, ...AWKWARD.map((delta) => ({ delta })), {
        succeed: {},
      })
      for (const stream of [
        await t.me.events(conversation.conversation_id, { after: start }),
        await t.me.runEvents(admission.run_id, { after: start }),
      ]) {
        await stream.event('the end of the run', endsRun(admission.run_id))
        const messages = stream.frames.filter(({ data }) => data !== undefined)
        assert.ok(messages.length > 0)
        for (const [at, { id, event, raw }] of messages.entries()) {
          assert.equal(
            id,
            String(stream.events[at]?.seq),
            `id is ${id}, expected the seq ${stream.events[at]?.seq}: ${raw.slice(0, 300)}`,
          )
          assert.equal(
            event,
            stream.events[at]?.type,
            `event is ${event}, expected ${stream.events[at]?.type}: ${raw.slice(0, 300)}`,
          )
        }
      }
    },
  },
  {
    id: 'streams/one-event-a-frame',
    title: 'each frame has one event with one id, event and data line, for any text in it',
    rules: ['SSE-27'],
    streams: 1,
    run: async (t) => {
      const { conversation, admission } = await runScript(
        t,
        ...AWKWARD.flatMap((text) => [{ delta: text }, { message: text }]),
        { succeed: {} },
      )
      const stream = await t.me.events(conversation.conversation_id)
      await stream.event('the end of the run', endsRun(admission.run_id))
      for (const { raw } of stream.frames.filter(({ data }) => data !== undefined)) {
        const fields = raw.split('\n').map((line) => line.slice(0, line.indexOf(':')))
        assert.deepEqual(
          fields.sort(),
          ['data', 'event', 'id'],
          `expected one id, event and data line, got ${raw.slice(0, 300)}`,
        )
      }
    },
  },
  {
    id: 'streams/text-cannot-make-lines',
    title: 'output text that contains line breaks, keepalives or frame fields arrives as text',
    rules: ['SSE-07', 'SSE-08'],
    streams: 1,
    run: async (t) => {
      const text = AWKWARD.join('')
      const { conversation, admission, start } = await runScript(t, ...AWKWARD.map((delta) => ({ delta })), {
        succeed: { text },
      })
      const stream = await t.me.events(conversation.conversation_id, { after: start })
      const end = await stream.event('the end of the run', endsRun(admission.run_id))
      assert.equal(Object(payloadOf(end).result).text, text)
      assert.ok(
        !stream.frames.some(({ id }) => id === '999999'),
        'output text was sent as a separate frame with the id 999999',
      )
      assert.equal(stream.events.filter(isEnd).length, 1, 'the stream must have one terminal event of the run')
    },
  },
  {
    id: 'streams/deltas-are-verbatim',
    title: 'the text of deltas arrives unchanged, line breaks and separators of every kind included',
    rules: ['SSE-27', 'EVT-23'],
    streams: 1,
    run: async (t) => {
      const { events } = await runScript(t, ...AWKWARD.map((delta) => ({ delta })), { succeed: {} })
      assert.equal(streamedText(events), AWKWARD.join(''))
    },
  },
  {
    id: 'streams/ping-every-15-seconds',
    title: 'a stream without events gets a : ping comment every 15 seconds, on both routes',
    rules: ['SSE-26'],
    tags: ['slow'],
    streams: 2,
    run: async (t) => {
      // The gateway measures the sleep of this run, so it sends two pings before the run ends even on a slow machine.
      const { admission: pace } = await t.start({ sleep_ms: 2 * PING_MS + 5000 }, { succeed: {} })
      const { conversation, admission, events } = await runScript(t, { succeed: { text: 'done' } })
      const newest = events.at(-1)?.seq ?? 0
      const watch = async (stream: EventStream): Promise<void> => {
        const pings = () =>
          stream.frames.filter(({ comments }) => comments.some((one) => one.startsWith(' ping'))).length
        let since = performance.now()
        for (const count of [1, 2]) {
          await stream.until(
            `ping ${count}, 15 seconds after the previous one or the start of the stream`,
            () => pings() >= count,
            { by: 'frame', moreMs: PING_MS },
          )
          assert.equal(pings(), count, `${pings()} pings arrived in the time of ${count}`)
          const now = performance.now()
          assert.ok(
            now - since >= PING_AT_LEAST_MS,
            `ping ${count} came after ${Math.round(now - since)} ms, expected 15000`,
          )
          since = now
        }
        const { state } = (await t.me.run(pace.run_id)).body
        assert.equal(state, 'running', `two pings took longer than ${2 * PING_MS + 5000} ms`)
        assert.equal(stream.events.length, 0)
        await closeStream(stream)
      }
      const streams = [
        await t.me.events(conversation.conversation_id, { after: newest }),
        await t.me.runEvents(admission.run_id, { after: newest }),
      ]
      await Promise.all(streams.map(watch))
    },
  },
]
