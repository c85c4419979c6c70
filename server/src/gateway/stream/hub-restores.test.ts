import { describe, expect, it } from 'vitest'
import { filled } from '../../../test/support/memory-log.ts'
import { createMemorySink } from '../../../test/support/memory-sink.ts'
import { createTestHub, PING_MS, settle } from '../../../test/support/test-hub.ts'

describe("when the log ends before its readers' positions, because the database was restored or failed over", () => {
  it('streams are ended by the next poll, including those of one run [SSE-38]', async () => {
    const log = filled(9, 4, 'run_a')
    const { open, timers } = createTestHub(log)
    const streams = [open(), open({ after: 9 }), open({ runId: 'run_a' })]
    await settle()
    log.restore(5)
    log.append('run_b')
    timers.advance(PING_MS)
    await settle()
    expect(streams.map(({ state }) => state)).toEqual(['ended', 'ended', 'ended'])
  })

  it('streams are ended at once if the hint connection was lost with the database [SSE-38]', async () => {
    const log = filled(9, 4, 'run_a')
    const { open, loseHints } = createTestHub(log)
    const stream = open()
    await settle()
    log.restore(5)
    loseHints()
    await settle()
    expect(stream.state).toBe('ended')
  })

  it("a stream whose position is at the log's end continues [SSE-38]", async () => {
    const log = filled(9, 4, 'run_a')
    const { open, hint, loseHints } = createTestHub(log)
    const [atEnd, beyond] = [createMemorySink(), createMemorySink()]
    open({ sink: beyond })
    await settle()
    log.restore(5)
    open({ sink: atEnd })
    await settle()
    loseHints()
    await settle()
    expect([atEnd.state, beyond.state]).toEqual(['open', 'ended'])
    log.append('run_b')
    hint()
    await settle()
    expect(atEnd.seqs).toEqual([1, 2, 3, 4, 5, 6])
  })

  it('a stream that is catching up is ended, too [SSE-38]', async () => {
    const log = filled(9, 4, 'run_a')
    const { open } = createTestHub(log)
    const stream = open({ sink: createMemorySink({ highWaterMark: 1 }) })
    await settle()
    log.restore(2)
    for (let page = 0; page < 3; page += 1) {
      stream.take()
      await settle()
    }
    expect(stream.state).toBe('ended')
  })
})

it('a log that grows during a poll ends no stream', async () => {
  const log = filled(9, 4, 'run_a')
  const { open, hint, loseHints } = createTestHub(log)
  const stream = open()
  await settle()
  for (let seq = 10; seq <= 40; seq += 1) {
    log.append()
    hint()
    loseHints()
    log.append()
    await settle()
  }
  expect(stream.state).toBe('open')
  expect(stream.seqs).toEqual(Array.from({ length: 71 }, (_, index) => index + 1))
})
