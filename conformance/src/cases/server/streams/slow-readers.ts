import assert from 'node:assert/strict'
import { endsRun, seqsOf, watermarkOf } from '../../../steps/server/events.ts'
import { openStalledReader } from '../../../steps/server/stalled-reader.ts'
import type { ServerCheck } from '../../../targets/server/system.ts'

const PIECE = 'x'.repeat(56 * 1024)
const PIECES_PER_RUN = 15
/** Together they make more events than the two ends of a connection hold in their own buffers. */
const RUNS = 7

export const checks: readonly ServerCheck[] = [
  {
    id: 'streams/slow-reader-is-cut-off',
    title: 'a reader that does not read is cut off rather than buffered for, holds up nobody, and resumes without loss',
    rules: ['SSE-29'],
    tags: ['slow', 'limit'],
    streams: 3,
    run: async (t) => {
      const conversation = await t.conversation()
      const id = conversation.conversation_id
      const start = await watermarkOf(t, id)
      const reading = await t.me.events(id, { after: start })
      const stalled = await openStalledReader(t, id, start)
      try {
        for (let run = 0; run < RUNS; run += 1) {
          const steps = Array.from({ length: PIECES_PER_RUN }, () => ({ delta: PIECE }))
          const { run_id: runId } = await t.admit(conversation, t.script(...steps))
          await reading.event(`the end of run ${run + 1}, for the reader that reads`, endsRun(runId))
        }
        const frames = await stalled.readToEnd()
        const received = frames.filter(({ data }) => data !== undefined).map(({ id: seq }) => Number(seq))
        const all = seqsOf(reading.events)
        assert.deepEqual(received, all.slice(0, received.length), 'what the slow reader got before it was cut off')
        assert.ok(received.length < all.length, 'everything was kept for a reader that did not read')
        const last = received.at(-1) ?? start
        const resumed = await t.me.events(id, { lastEventId: last })
        await resumed.until('rest of the events', ({ events }) => events.at(-1)?.seq === all.at(-1))
        assert.deepEqual(seqsOf(resumed.events), all.slice(received.length))
      } finally {
        stalled.close()
      }
    },
  },
]
