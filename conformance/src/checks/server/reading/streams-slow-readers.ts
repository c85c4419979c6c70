import assert from 'node:assert/strict'
import type { ServerCheck, ServerContext } from '../../../kit/server/context.ts'
import { closeStream, endsRun, seqsOf, watermarkOf } from '../../../kit/steps/events.ts'
import { openStalledReader } from '../../../kit/steps/stalled-reader.ts'

const PIECE = 'x'.repeat(56 * 1024)
const PIECES_PER_RUN = 15
/**
 * How many runs are tried one after the other. What the two ends of a connection hold in buffers of their own differs from machine
 * to machine: the first number is mostly enough, and the second is more than systems hold by default.
 */
const RUNS = [7, 24]

/** Has so many runs put out events that one reader takes and another does not; the seqs that each of the two got. */
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
      await reading.event(`the end of run ${run + 1}, for the reader that reads`, endsRun(runId))
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
    title: 'a stalled reader is disconnected instead of buffered for, blocks no other reader, and resumes without loss',
    rules: ['SSE-29'],
    tags: ['slow', 'limit'],
    streams: 3,
    run: async (t) => {
      for (const runs of RUNS) {
        const { id, start, all, received } = await outpace(t, runs)
        assert.deepEqual(received, all.slice(0, received.length), 'what the slow reader got is not the beginning')
        // The buffers of the connection may have held everything.
        if (received.length === all.length) continue
        const resumed = await t.me.events(id, { lastEventId: received.at(-1) ?? start })
        await resumed.until('rest of the events', ({ events }) => events.at(-1)?.seq === all.at(-1))
        assert.deepEqual(seqsOf(resumed.events), all.slice(received.length))
        return
      }
      assert.fail(`${Math.max(...RUNS) * PIECES_PER_RUN * PIECE.length} bytes were kept for a reader that did not read`)
    },
  },
]
