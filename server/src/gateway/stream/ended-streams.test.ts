import { describe, expect, it } from 'vitest'
import { filled } from '../../../test/support/memory-log.ts'
import { createMemorySink } from '../../../test/support/memory-sink.ts'
import { createTestHub, PING_MS, settle } from '../../../test/support/test-hub.ts'

describe('when events are pruned before a stream has received them', () => {
  it('a live stream ends at the gap, and one beyond it continues', async () => {
    const log = filled(5)
    const { open, hint } = createTestHub(log)
    const behind = open({ after: 5 })
    await settle()
    log.append()
    log.append()
    log.prune(6)
    const beyond = open({ after: 6, lastSeq: 7 })
    hint()
    await settle()
    expect([behind.state, behind.seqs]).toEqual(['ended', []])
    expect([beyond.state, beyond.seqs]).toEqual(['open', [7]])
  })

  it('a live stream ends before a gap in the remaining events', async () => {
    const log = filled(5)
    const { open, hint } = createTestHub(log)
    const sink = open({ after: 5 })
    await settle()
    for (let i = 0; i < 4; i++) log.append()
    log.prune(8, 2)
    hint()
    await settle()
    expect([sink.state, sink.seqs]).toEqual(['ended', []])
  })

  it('a live stream ends even without new events', async () => {
    const log = filled(5)
    const { open, timers } = createTestHub(log)
    const sink = open({ after: 5 })
    await settle()
    log.append()
    log.prune(6)
    timers.advance(PING_MS)
    await settle()
    expect(sink.state).toBe('ended')
  })

  it.each([{}, { runId: 'run_a' }])('a stream that is catching up ends (%o)', async (target) => {
    const log = filled(6, 2, 'run_a')
    const { open } = createTestHub(log)
    const sink = open({ ...target, sink: createMemorySink({ highWaterMark: 1 }) })
    await settle()
    log.prune(4)
    sink.take()
    await settle()
    expect([sink.state, sink.seqs]).toEqual(['ended', [1, 2]])
  })
})

describe('a stream that its reader closes', () => {
  it('is released at once, with its timers, and causes no further reads', async () => {
    const log = filled(1)
    const { hub, open, hint, timers } = createTestHub(log)
    const timersBefore = timers.pending
    const sink = open({ after: 1 })
    await settle()
    expect(hub.openStreams()).toBe(1)
    sink.hangUp()
    expect(hub.openStreams()).toBe(0)
    expect(timers.pending).toBe(timersBefore)
    const readsBefore = log.pageReads
    log.append()
    hint()
    await settle()
    expect(log.pageReads).toBe(readsBefore)
  })

  it('causes no further reads while it catches up', async () => {
    const log = filled(10, 2)
    const { open } = createTestHub(log)
    const sink = open({ sink: createMemorySink({ highWaterMark: 1 }) })
    await settle()
    const readsBefore = log.pageReads
    sink.hangUp()
    await settle()
    expect(log.pageReads).toBe(readsBefore)
  })
})
