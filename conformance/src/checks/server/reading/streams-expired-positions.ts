import assert from 'node:assert/strict'
import type { Caller, StreamPosition } from '../../../kit/server/caller.ts'
import { streamOf } from '../../../kit/server/caller.ts'
import type { ServerCheck } from '../../../kit/server/context.ts'
import { expectRefusal } from '../../../kit/server/expectations.ts'
import { closeStream, endsRun, refusedStream, runScript, seqsOf, watermarkOf } from '../../../kit/steps/events.ts'
import { runToEnd } from '../../../kit/steps/runs.ts'

const STEPS = [{ delta: 'a ' }, { delta: 'b' }, { succeed: {} }] as const

async function expectExpired(by: Caller, path: string, position: StreamPosition): Promise<void> {
  expectRefusal(await refusedStream(by, path, position), 410, 'CURSOR_EXPIRED')
}

export const checks: readonly ServerCheck[] = [
  {
    id: 'streams/expired-position',
    title:
      'a position that is no longer retained is refused with 410 on both routes, and a fresh watermark is accepted',
    rules: ['SSE-11'],
    needs: ['driver.expireEvents'],
    streams: 1,
    run: async (t) => {
      const { conversation, admission, start, events } = await runScript(t, ...STEPS)
      const id = conversation.conversation_id
      const newest = events.at(-1)?.seq ?? 0
      await t.driver.expireEvents(id, newest)
      for (const path of [`/conversations/${id}/events`, `/runs/${admission.run_id}/events`])
        for (const position of [
          { after: start },
          { lastEventId: start },
          { after: newest - 1 },
          { lastEventId: newest - 1 },
        ])
          await expectExpired(t.me, path, position)
      const stream = await t.me.events(id, { after: await watermarkOf(t, id) })
      const next = await t.admit(conversation, t.script(...STEPS))
      await stream.event('the end of the next run', endsRun(next.run_id))
      assert.ok(
        seqsOf(stream.events).every((seq) => seq > newest),
        'an expired event was sent',
      )
    },
  },
  {
    id: 'streams/pruned-in-the-middle',
    title:
      'positions before the newest pruned event are refused with 410, that event itself and later ones are accepted, on both routes',
    rules: ['SSE-20', 'SSE-19'],
    needs: ['driver.expireEvents'],
    tags: ['limit'],
    streams: 1,
    run: async (t) => {
      const { conversation, admission, events } = await runScript(t, ...STEPS)
      const id = conversation.conversation_id
      const [newest, pruned] = [events.at(-1)?.seq ?? 0, events.at(-3)?.seq ?? 0]
      await t.driver.expireEvents(id, pruned)
      for (const path of [`/conversations/${id}/events`, `/runs/${admission.run_id}/events`]) {
        for (const position of [0, 1, pruned - 1])
          for (const at of [{ after: position }, { lastEventId: position }]) await expectExpired(t.me, path, at)
        for (const at of [{}, { after: pruned }, { lastEventId: pruned }, { after: pruned + 1 }]) {
          t.note(`the retained position ${JSON.stringify(at)}`)
          const opened = streamOf(await t.me.tryEvents(path, at))
          await opened.until(`event ${newest}`, (stream) => stream.events.some(({ seq }) => seq >= newest))
          const after = at.after ?? pruned
          assert.deepEqual(
            seqsOf(opened.events),
            seqsOf(events).filter((seq) => seq > after),
            `${path} with ${JSON.stringify(at)} must send the events after ${after}`,
          )
          await closeStream(opened)
        }
      }
    },
  },
  {
    id: 'streams/neighbour-is-not-pruned',
    title: 'events of one conversation remain readable after events of another have expired',
    rules: ['SSE-20'],
    needs: ['driver.expireEvents'],
    streams: 1,
    run: async (t) => {
      const [expired, kept] = [await runScript(t, ...STEPS), await runScript(t, ...STEPS)]
      await t.driver.expireEvents(expired.conversation.conversation_id, expired.events.at(-1)?.seq ?? 0)
      const stream = await t.me.events(kept.conversation.conversation_id, { after: 0 })
      await stream.event('the end of the run', endsRun(kept.admission.run_id))
      assert.deepEqual(stream.events, kept.events)
    },
  },
  {
    id: 'streams/watermark-is-always-good',
    title: 'a watermark stays a valid position after pruning up to it, until a later event is pruned, on both routes',
    rules: ['SSE-22'],
    needs: ['driver.expireEvents'],
    streams: 1,
    run: async (t) => {
      const { conversation, admission } = await runScript(t, ...STEPS)
      const id = conversation.conversation_id
      const watermark = await watermarkOf(t, id)
      await t.driver.expireEvents(id, watermark)
      const paths = [`/conversations/${id}/events`, `/runs/${admission.run_id}/events`]
      for (const path of paths)
        for (const at of [{ after: watermark }, { lastEventId: watermark }, {}]) {
          t.note(`the watermark ${watermark}, as ${JSON.stringify(at)}`)
          await closeStream(streamOf(await t.me.tryEvents(path, at)))
        }
      assert.equal(await watermarkOf(t, id), watermark, 'pruning changed the watermark')
      const next = await runToEnd(t, conversation, t.script(...STEPS))
      const stream = await t.me.events(id, { after: watermark })
      await stream.event('the end of the next run', endsRun(next.run_id))
      assert.equal(
        stream.events[0]?.seq,
        watermark + 1,
        `the first event has the seq ${stream.events[0]?.seq}, expected ${watermark + 1}, the one after the watermark`,
      )
      await closeStream(stream)
      await t.driver.expireEvents(id, watermark + 1)
      for (const path of paths) await expectExpired(t.me, path, { after: watermark })
    },
  },
]
