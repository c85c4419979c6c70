import assert from 'node:assert/strict'
import type { ServerCheck } from '../../../kit/server/context.ts'
import type { EventStream } from '../../../kit/server/event-stream.ts'
import { runScript, watermarkOf } from '../../../kit/steps/events.ts'
import { fillSubject, openOrRefusal } from '../../../kit/steps/stream-limits.ts'

export const checks: readonly ServerCheck[] = [
  {
    id: 'streams/ended-cleanly-on-shutdown',
    title: 'at shutdown streams end cleanly after a complete frame, and resume afterwards without loss',
    rules: ['SSE-30'],
    needs: ['driver.shutDownServer'],
    tags: ['durability'],
    alone: 'all',
    streams: 4,
    run: async (t) => {
      const idle = await runScript(t, { delta: 'a' }, { succeed: {} })
      const busy = await t.conversation()
      const start = await watermarkOf(t, busy.conversation_id)
      const admission = await t.admit(
        busy,
        t.script(...Array.from({ length: 40 }, (_, at) => [{ delta: `${at} ` }, { sleep_ms: 25 }]).flat(), {
          succeed: {},
        }),
      )
      const streams: EventStream[] = [
        await t.me.events(idle.conversation.conversation_id),
        await t.me.runEvents(idle.admission.run_id),
        await t.me.events(busy.conversation_id, { after: start }),
        await t.me.runEvents(admission.run_id, { after: start }),
      ]
      await streams[2]?.event('the first output', ({ type }) => type === 'assistant.delta')
      await t.driver.shutDownServer()
      for (const stream of streams) {
        assert.equal(
          await stream.ended(),
          'complete',
          'at shutdown the connection of a stream was cut instead of ended',
        )
        assert.match(
          stream.text(),
          /(\r\n|\n|\r)\1$/,
          `the stream ended in the middle of a frame: …${stream.text().slice(-200)}`,
        )
      }
      const last = streams[2]?.events.at(-1)?.seq ?? start
      const resumed = await t.me.events(busy.conversation_id, { lastEventId: last })
      const seen = () => [...(streams[2]?.events ?? []), ...resumed.events].map(({ seq }) => seq)
      await t.until(
        'every seq up to the watermark has arrived once',
        async () => (await t.me.snapshot(busy.conversation_id)).body.watermark,
        (newest) => seen().length === newest - start && seen().every((seq, at) => seq === start + at + 1),
      )
    },
  },
  {
    id: 'streams/crashed-streams-stop-counting',
    title: 'streams of a crashed gateway stop counting towards limits within 5 seconds',
    rules: ['SSE-32'],
    needs: ['driver.restartServer', 'driver.moveClock'],
    tags: ['durability', 'limit'],
    alone: 'all',
    streams: 5,
    run: async (t) => {
      const path = `/conversations/${(await t.conversation()).conversation_id}/events`
      const before = await fillSubject(t, path)
      await t.driver.restartServer()
      await Promise.all(before.map((stream) => stream.ended()))
      await t.driver.moveClock(5000)
      for (let count = 1; count <= before.length; count += 1) {
        const opened = await openOrRefusal(t, t.me, path)
        if (!('frames' in opened))
          assert.fail(`stream ${count} of ${before.length} was refused 5 seconds after the crash: ${opened.text}`)
      }
    },
  },
]
