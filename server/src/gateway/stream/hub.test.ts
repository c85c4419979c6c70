import { describe, expect, it } from 'vitest'
import { createMemoryLog, filled, LOG } from '../../../test/support/memory-log.ts'
import { createMemorySink } from '../../../test/support/memory-sink.ts'
import { createTestHub, GRACE_MS, PING_MS, RETRY_MS, settle } from '../../../test/support/test-hub.ts'

const MIB = 1024 * 1024

describe('a new stream', () => {
  it('is sent everything after its position, page by page, and then new events', async () => {
    const log = filled(7, 3)
    const { open, hint } = createTestHub(log)
    const sink = open({ after: 2 })
    await settle()
    expect(sink.seqs).toEqual([3, 4, 5, 6, 7])
    log.append()
    hint()
    await settle()
    expect(sink.seqs).toEqual([3, 4, 5, 6, 7, 8])
  })

  it('that starts at the newest event is sent events that were committed after its position was checked', async () => {
    const log = filled(3)
    const { open } = createTestHub(log)
    log.append()
    const sink = open({ after: 3, lastSeq: 3 })
    await settle()
    expect(sink.seqs).toEqual([4])
  })

  it('is sent a page only when its reader has taken the previous one', async () => {
    const log = filled(6, 2)
    const { open } = createTestHub(log)
    const sink = open({ sink: createMemorySink({ highWaterMark: 1 }) })
    await settle()
    expect(sink.seqs).toEqual([1, 2])
    sink.take()
    await settle()
    expect(sink.seqs).toEqual([1, 2, 3, 4])
  })

  it('of a slow reader does not slow down readers that have caught up', async () => {
    const log = filled(4, 2)
    const { open, hint } = createTestHub(log)
    const fast = open({ after: 4 })
    const slow = open({ sink: createMemorySink({ highWaterMark: 1 }) })
    await settle()
    for (let i = 0; i < 10; i++) log.append()
    const readsBefore = log.pageReads
    hint()
    await settle()
    expect(fast.seqs).toEqual(log.seqsAfter(4, null))
    expect(log.pageReads - readsBefore).toBeLessThanOrEqual(10 / 2 + 1)
    expect(slow.seqs).toEqual([1, 2])
  })
})

describe('a burst of events', () => {
  it('is read once and reaches every subscriber as the same bytes in one write', async () => {
    const log = filled(1)
    const { open, hint } = createTestHub(log)
    const sinks = Array.from({ length: 5 }, () => open({ after: 1 }))
    await settle()
    const readsBefore = log.pageReads
    for (let i = 0; i < 10; i++) log.append()
    hint()
    await settle()
    expect(log.pageReads - readsBefore).toBe(1)
    const [first] = sinks
    expect(first?.seqs).toEqual(log.seqsAfter(1, null))
    expect(first?.writes).toHaveLength(1)
    for (const sink of sinks) expect(sink.writes[0]).toBe(first?.writes[0])
  })

  it('is reported to the lag observer with the age of its newest event', async () => {
    const log = filled(1)
    const { open, hint, lags, timers } = createTestHub(log)
    open({ after: 1 })
    await settle()
    timers.advance(500)
    log.append()
    hint()
    await settle()
    expect(lags).toEqual([498])
  })
})

describe('a stream of one run', () => {
  it('has only the events of that run, with their seqs, while catching up and live [SSE-14, SSE-15]', async () => {
    const log = createMemoryLog({ pageEvents: 2 })
    for (const run of ['run_a', 'run_b', null, 'run_a', 'run_b', 'run_a']) log.append(run)
    const { open, hint } = createTestHub(log)
    const sink = open({ runId: 'run_a' })
    await settle()
    expect(sink.seqs).toEqual([1, 4, 6])
    for (const run of ['run_b', 'run_a', null]) log.append(run)
    hint()
    await settle()
    expect(sink.seqs).toEqual([1, 4, 6, 8])
  })
})

describe('a reader that is too slow', () => {
  const text = 'x'.repeat(300 * 1024)

  it('is disconnected before more than 1 MiB is buffered for it, and the others continue [SSE-29]', async () => {
    const log = filled(1)
    const { hub, open, hint } = createTestHub(log)
    const slow = open({ after: 1, sink: createMemorySink({ highWaterMark: 1 }) })
    const fast = open({ after: 1 })
    await settle()
    let most = 0
    for (let i = 0; i < 5; i++) {
      log.append(null, text)
      hint()
      await settle()
      most = Math.max(most, slow.bufferedBytes)
    }
    expect(slow.state).toBe('destroyed')
    expect(most).toBeLessThanOrEqual(MIB)
    expect(fast.seqs).toEqual([2, 3, 4, 5, 6])
    expect(hub.openStreams()).toBe(1)
  })

  it('still gets a larger frame if nothing else is buffered for it', async () => {
    const log = filled(1)
    const { open, hint } = createTestHub(log)
    const sink = open({ after: 1, sink: createMemorySink({ highWaterMark: 1 }) })
    await settle()
    log.append(null, 'x'.repeat(2 * MIB))
    hint()
    await settle()
    expect(sink.state).toBe('open')
    expect(sink.seqs).toEqual([2])
  })

  it('is not disconnected by a ping while it receives a large frame', async () => {
    const log = filled(0)
    log.append(null, 'x'.repeat(2 * MIB))
    const { open, timers } = createTestHub(log)
    const sink = open({ sink: createMemorySink({ highWaterMark: 1 }) })
    await settle()
    timers.advance(PING_MS)
    expect(sink.state).toBe('open')
    expect(sink.text).not.toContain('ping')
  })
})

describe('as time passes', () => {
  it('each stream gets a ping every interval from its own start [SSE-26]', async () => {
    const { open, timers } = createTestHub(filled(1))
    const early = open({ after: 1 })
    timers.advance(PING_MS / 2)
    const late = open({ after: 1 })
    timers.advance(PING_MS / 2)
    expect([early.text, late.text]).toEqual([': ping\n\n', ''])
    timers.advance(PING_MS)
    expect([early.text, late.text]).toEqual([': ping\n\n: ping\n\n', ': ping\n\n'])
  })

  it('events whose hint was lost are found by one query for all streams', async () => {
    const log = filled(1)
    const { open, timers } = createTestHub(log)
    const sinks = [open({ after: 1 }), open({ after: 1 })]
    await settle()
    log.append()
    timers.advance(PING_MS)
    await settle()
    for (const sink of sinks) expect(sink.seqs).toEqual([2])
    expect(log.looks).toBe(1)
  })

  it('no page is read without new events', async () => {
    const log = filled(1)
    const { open, timers } = createTestHub(log)
    open({ after: 1 })
    await settle()
    const readsBefore = log.pageReads
    timers.advance(10 * PING_MS)
    await settle()
    expect(log.pageReads).toBe(readsBefore)
  })
})

it('the hub polls its logs at once after lost hints', async () => {
  const log = filled(1)
  const { open, loseHints } = createTestHub(log)
  const sink = open({ after: 1 })
  await settle()
  log.append()
  loseHints()
  await settle()
  expect(sink.seqs).toEqual([2])
})

it('the hub reads a log again after a while if a read has failed', async () => {
  const log = filled(1)
  const { open, hint, timers, errors } = createTestHub(log)
  const sink = open({ after: 1 })
  await settle()
  log.append()
  log.failNextRead(new Error('no connection'))
  hint()
  await settle()
  expect(errors).toEqual([new Error('no connection')])
  expect(sink.seqs).toEqual([])
  timers.advance(RETRY_MS)
  await settle()
  expect(sink.seqs).toEqual([2])
  expect(sink.state).toBe('open')
})

it('the hub ends a stream that cannot catch up because the log cannot be read', async () => {
  const log = filled(3)
  const { open, errors } = createTestHub(log)
  log.failNextRead(new Error('no connection'))
  const sink = open()
  await settle()
  expect(sink.state).toBe('ended')
  expect(errors).toHaveLength(1)
})

describe('a hub that is closed', () => {
  it('ends all streams after whole frames, and new ones too [SSE-30]', async () => {
    const log = filled(3)
    const { hub, open, timers } = createTestHub(log)
    const sinks = [open(), open({ after: 3 })]
    await settle()
    await hub.close()
    for (const sink of sinks) expect([sink.state, sink.text.slice(-2)]).toEqual(['ended', sink.text && '\n\n'])
    expect(timers.pending).toBe(0)
    const late = open()
    await settle()
    expect([late.state, late.text]).toEqual(['ended', ''])
  })

  it('waits for readers with a backlog, but not longer than the grace time', async () => {
    const log = filled(3)
    const { hub, open, timers } = createTestHub(log)
    const slow = open({ sink: createMemorySink({ highWaterMark: 1 }) })
    const stuck = open({ sink: createMemorySink({ highWaterMark: 1 }) })
    await settle()
    const closed = hub.close()
    slow.take()
    await settle()
    expect([slow.state, stuck.state, hub.openStreams()]).toEqual(['ended', 'ended', 1])
    timers.advance(GRACE_MS)
    await closed
    expect(stuck.state).toBe('destroyed')
  })
})

it('the hub does not mix conversations of two applications that have the same ID', async () => {
  const log = filled(1)
  const { hub, hint } = createTestHub(log)
  const sink = createMemorySink()
  hub.subscribe({ log: { ...LOG, appId: 'app_2', runId: null }, position: 1, lastSeq: 1, sink })
  await settle()
  const readsBefore = log.pageReads
  log.append()
  hint()
  await settle()
  expect(log.pageReads).toBe(readsBefore)
  expect(sink.seqs).toEqual([])
})
