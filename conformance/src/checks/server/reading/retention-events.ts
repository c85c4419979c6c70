import assert from 'node:assert/strict'
import type { ServerCheck, ServerContext } from '../../../kit/server/context.ts'
import { expectRefusal } from '../../../kit/server/expectations.ts'
import { closeStream, endsRun, readUntilEnd, seqsOf, watermarkOf } from '../../../kit/steps/events.ts'
import { DAY_MS, sendAndEnd, untilGone } from '../../../kit/steps/retention.ts'

const STEPS = [{ delta: 'text' }, { succeed: {} }] as const

const isExpired = async (t: ServerContext, path: string, after: number): Promise<boolean> => {
  const answer = await t.me.tryEvents(path, { after })
  if ('frames' in answer) await closeStream(answer)
  else expectRefusal(answer, 410, 'CURSOR_EXPIRED')
  return !('frames' in answer)
}

export const checks: readonly ServerCheck[] = [
  {
    id: 'retention/events-for-7-days',
    title: 'events are delivered for 7 days after they were recorded; after that, a position before them gets 410',
    rules: ['RET-01', 'RET-04', 'RET-05'],
    needs: ['driver.moveClock'],
    tags: ['limit'],
    alone: 'all',
    streams: 1,
    run: async (t) => {
      // Only the first conversation has events from before the move of half a day.
      const [old, young] = [await t.conversation(), await t.conversation()]
      const oldPath = `/conversations/${old.conversation_id}/events`
      const youngPath = `/conversations/${young.conversation_id}/events`
      const start = await watermarkOf(t, young.conversation_id)
      const oldStart = await watermarkOf(t, old.conversation_id)
      const first = await sendAndEnd(t, old, ...STEPS)
      const expiring = seqsOf(await readUntilEnd(t, first, oldStart))
      const betweenRuns = await watermarkOf(t, old.conversation_id)

      await t.driver.moveClock(DAY_MS / 2)
      const second = await sendAndEnd(t, old, ...STEPS)
      const kept = await sendAndEnd(t, young, ...STEPS)
      const events = await readUntilEnd(t, kept, start)
      const later = await readUntilEnd(t, second, betweenRuns)

      // After this move the older events are more than 7 days old, and the younger ones are not.
      await t.driver.moveClock(7 * DAY_MS - DAY_MS / 4)
      for (const path of [oldPath, `/runs/${first.run_id}/events`])
        for (const after of [oldStart, expiring.at(-2) ?? oldStart])
          await untilGone(t, `position ${after} of ${path}, before events older than 7 days, is refused`, () =>
            isExpired(t, path, after),
          )
      assert.deepEqual(
        await readUntilEnd(t, kept, start),
        events,
        'events younger than 7 days were not delivered completely',
      )
      const [retained] = later
      const after = retained?.seq ?? betweenRuns
      assert.deepEqual(
        await readUntilEnd(t, second, after),
        later.slice(1),
        'the events after a retained position were not delivered completely',
      )
      // The specification leaves open whether the position of the last expired event is still valid; D-29 decides it.
      if (t.profile === 'reference')
        assert.deepEqual(
          await readUntilEnd(t, second, betweenRuns),
          later,
          'not all events after the last expired one were delivered',
        )

      await t.driver.moveClock(DAY_MS / 4)
      await untilGone(t, 'the position before the younger events, now older than 7 days, is refused', () =>
        isExpired(t, youngPath, start),
      )
      const watermark = await watermarkOf(t, young.conversation_id)
      const next = await sendAndEnd(t, young, ...STEPS)
      const stream = await t.me.events(young.conversation_id, { after: watermark })
      await stream.event('the end of the next run', endsRun(next.run_id))
      assert.ok(
        seqsOf(stream.events).every((seq) => seq > watermark),
        'an expired event was sent',
      )
    },
  },
]
