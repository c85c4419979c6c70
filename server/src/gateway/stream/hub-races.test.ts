import fc from 'fast-check'
import { expect, it } from 'vitest'
import { createMemoryLog } from '../../../test/support/memory-log.ts'
import { createMemorySink, type MemorySink } from '../../../test/support/memory-sink.ts'
import { createTestHub, PING_MS } from '../../../test/support/test-hub.ts'

const run = fc.constantFrom('run_a', 'run_b', null)
const command = fc.oneof(
  { weight: 6, arbitrary: fc.record({ kind: fc.constant('append' as const), run, isHintLost: fc.boolean() }) },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('subscribe' as const),
      run,
      back: fc.nat(8),
      isSlow: fc.boolean(),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('look' as const) }) },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('prune' as const),
      back: fc.nat(6),
      keepEvery: fc.constantFrom(undefined, 2, 3),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('hang up' as const), which: fc.nat(5) }) },
)

interface Opened {
  readonly sink: MemorySink
  readonly position: number
  readonly runId: string | null
}

it('the hub sends every stream exactly the events after its position, in order, for any interleaving of reads, writes and readers', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.scheduler(),
      fc.array(command, { minLength: 5, maxLength: 40 }),
      fc.integer({ min: 1, max: 4 }),
      async (scheduler, commands, pageEvents) => {
        // A read begins some time after its call, sees the log at that moment, and is answered later.
        const log = createMemoryLog({
          pageEvents,
          during: async (look) => {
            await scheduler.schedule(Promise.resolve(), 'the read begins')
            const seen = look()
            await scheduler.schedule(Promise.resolve(), 'the read is answered')
            return seen
          },
        })
        const { hub, open, hint, timers, errors } = createTestHub(log)
        const streams: Opened[] = []
        let prunedSeq = 0

        const perform = (step: (typeof commands)[number]): void => {
          if (step.kind === 'append') {
            log.append(step.run)
            if (!step.isHintLost) hint()
          } else if (step.kind === 'subscribe') {
            const position = Math.max(prunedSeq, log.lastSeq - step.back)
            const sink = createMemorySink(step.isSlow ? { highWaterMark: 1 } : {})
            if (step.isSlow) takeLater(sink)
            open({ after: position, sink, ...(step.run === null ? {} : { runId: step.run }) })
            streams.push({ sink, position, runId: step.run })
          } else if (step.kind === 'look') {
            timers.advance(PING_MS)
          } else if (step.kind === 'prune') {
            prunedSeq = Math.max(prunedSeq, log.lastSeq - step.back)
            log.prune(prunedSeq, step.keepEvery)
          } else {
            streams[step.which]?.sink.hangUp()
          }
        }
        /** The reader consumes its buffered data at a few points of the schedule. */
        const takeLater = (sink: MemorySink): void => {
          for (let i = 0; i < 6; i++)
            void scheduler.schedule(Promise.resolve(), 'the reader takes').then(() => sink.take())
        }
        const untilAllIsTaken = async (): Promise<void> => {
          do {
            for (const { sink } of streams) sink.take()
            await scheduler.waitIdle()
          } while (streams.some(({ sink }) => sink.bufferedBytes > 0))
        }

        scheduler.scheduleSequence(commands.map((step) => ({ builder: async () => perform(step), label: step.kind })))
        await scheduler.waitIdle()
        timers.advance(PING_MS)
        await untilAllIsTaken()

        expect(errors).toEqual([])
        for (const { sink, position, runId } of streams) {
          const due = log.seqsAfter(position, runId)
          if (sink.state === 'open') expect(sink.seqs).toEqual(due)
          else expect(sink.seqs).toEqual(due.slice(0, sink.seqs.length))
        }
        // A stream ends only when its reader closes it or at a gap.
        if (!commands.some(({ kind }) => kind === 'prune' || kind === 'hang up'))
          expect(hub.openStreams()).toBe(streams.length)
      },
    ),
    { numRuns: 500 },
  )
})
