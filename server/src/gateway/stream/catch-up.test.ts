import { expect, it } from 'vitest'
import { createManualTimers } from '../../../test/support/manual-timers.ts'
import type { MemoryLog } from '../../../test/support/memory-log.ts'
import { filled, LOG } from '../../../test/support/memory-log.ts'
import { createMemorySink } from '../../../test/support/memory-sink.ts'
import { settle } from '../../../test/support/test-hub.ts'
import { sseFrames } from '../../http/answers/sse-frame.ts'
import { catchUp } from './catch-up.ts'
import { createSubscriber } from './subscriber.ts'

const start = (log: MemoryLog, runId: string | null = null, sink = createMemorySink()) => {
  const timers = createManualTimers()
  const subscriber = createSubscriber({ sink, runId, position: 0, timers, graceMs: 0, onLeave: () => {} })
  return { sink, subscriber, level: catchUp(log, sseFrames, { ...LOG, runId }, subscriber, log.lastSeq) }
}

it('a stream catches up to the end of the log, over any number of pages', async () => {
  const { sink, subscriber, level } = start(filled(9, 2, 'run_a'))
  expect(await level).toBe(true)
  expect([subscriber.position, sink.seqs.length]).toEqual([9, 9])
})

it("a run's stream moves to the end of the conversation if the run has no further events", async () => {
  const { subscriber, level } = start(filled(9, 2, 'run_a'), 'run_b')
  expect(await level).toBe(true)
  expect(subscriber.position).toBe(9)
})

it('a stream gets the events that arrived during a slow read before it is marked as caught up', async () => {
  const log = filled(1, 2)
  const { sink, subscriber, level } = start(log, null, createMemorySink({ highWaterMark: 1 }))
  await settle()
  for (let i = 0; i < 4; i++) log.append()
  for (let i = 0; i < 4; i++) {
    sink.take()
    await settle()
  }
  expect(await level).toBe(true)
  expect([subscriber.position, sink.seqs]).toEqual([5, [1, 2, 3, 4, 5]])
})
