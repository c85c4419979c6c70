import assert from 'node:assert/strict'
import type { ServerCheck, ServerContext } from '../../../kit/server/context.ts'
import { closeStream, endsRun, seqsOf, watermarkOf } from '../../../kit/steps/events.ts'
import { openStalledReader } from '../../../kit/steps/stalled-reader.ts'

const PIECE = 'x'.repeat(56 * 1024)
const PIECES_PER_RUN = 15
/**
 * Numbers of runs to try in turn, until their output exceeds the buffers of the connection. The size of these buffers
 * depends on the machine: the output of the first number usually exceeds them, and that of the second exceeds the
 * default sizes.
 */
const RUNS = [7, 24]

/** Executes runs while one reader reads their events and another does not. Returns the seqs that each received. */
async function outpace(t: ServerContext, runs: number) {
  const conversation = await t.conversation()
  const id = conversation.conversation_id
  const start = await watermarkOf(t, id)
  const reading = await t.me.events(id, { after: start })
  const stalled = await openStalledReader(t, id, start)
  try {
    for (let run = 0; run < runs; run += 1) {
      const steps = Array.from({ length: PIECES_PER_RUN }, () => ({ delta: PIECE }))
      const { run_id: runId } = await t.admit(conversation, t.script(...steps))
      await reading.event(`the end of run ${run + 1}, for the active reader`, endsRun(runId))
    }
    const all = seqsOf(reading.events)
    const frames = await stalled.readUpTo(all.at(-1) ?? start)
    const received = frames.filter(({ data }) => data !== undefined).map(({ id: seq }) => Number(seq))
    return { id, start, all, received }
  } finally {
    stalled.close()
    await closeStream(reading)
  }
}

export const checks: readonly ServerCheck[] = [
  {
    id: 'streams/slow-reader-is-cut-off',
    title:
      'the gateway disconnects a stalled reader instead of buffering all its events; the reader blocks no other, and resumes without loss',
    rules: ['SSE-29'],
    tags: ['slow', 'limit'],
    streams: 3,
    run: async (t) => {
      for (const runs of RUNS) {
        const { id, start, all, received } = await outpace(t, runs)
        assert.deepEqual(
          received,
          all.slice(0, received.length),
          'the events of the stalled reader are not the first ones, in order',
        )
        // The buffers of the connection were large enough for all events, so try more runs.
        if (received.length === all.length) continue
        const resumed = await t.me.events(id, { lastEventId: received.at(-1) ?? start })
        await resumed.until('the remaining events', ({ events }) => events.at(-1)?.seq === all.at(-1))
        assert.deepEqual(seqsOf(resumed.events), all.slice(received.length))
        return
      }
      assert.fail(`${Math.max(...RUNS) * PIECES_PER_RUN * PIECE.length} bytes were buffered for a stalled reader`)
    },
  },
]
