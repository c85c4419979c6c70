import { expect, it } from 'vitest'
import { createTestClock } from '../../../test/support/gateway-fixture.ts'
import { createManualTimers } from '../../../test/support/manual-timers.ts'
import { quiet } from '../../../test/support/test-worker.ts'
import type { Db } from '../../store/db.ts'
import { DatabaseUnavailable } from '../../store/db.ts'
import { createOverviewHistory } from './overview-history.ts'

/** A history over a database and a process whose open streams and admissions the test sets. */
const startHistory = async () => {
  const clock = createTestClock('2026-03-02T09:00:00.000Z')
  const timers = createManualTimers()
  const now = { openStreams: 0, admitted: 0, isUnavailable: false }
  const query = async () => {
    if (now.isUnavailable) throw new DatabaseUnavailable('unavailable')
    return [
      {
        runsByState: { queued: 2 },
        oldestQueuedAt: new Date('2026-03-02T08:59:50.000Z'),
        openStreams: now.openStreams,
        openStreamsByApp: {},
        workers: 0,
        deliveriesByState: {},
        admissionPaused: false,
      },
    ]
  }
  const history = createOverviewHistory({
    db: { query } as unknown as Db,
    clock,
    timers,
    processId: 'process-1',
    readCounts: async () => ({
      admitted: now.admitted,
      replayed: 0,
      refusals: [
        { code: 'QUEUE_FULL', count: 2 },
        { code: 'RATE_LIMITED', count: 1 },
      ],
    }),
  })
  history.start()
  await quiet()
  return {
    history,
    now,
    read: async () => (await history.read()).body,
    pass: async (seconds: number) => {
      for (let passed = 0; passed < seconds; passed += 15) {
        clock.pass(15_000)
        timers.advance(15_000)
        await quiet()
      }
    },
  }
}

it('the history takes a sample at the start, and every 15 seconds', async () => {
  const { read, pass, now } = await startHistory()
  now.openStreams = 4
  now.admitted = 30
  await pass(15)
  const { process_id, interval_seconds, samples } = await read()
  expect([process_id, interval_seconds]).toEqual(['process-1', 15])
  expect(samples.map(({ at, open_streams, admitted, refused }) => [at, open_streams, admitted, refused])).toEqual([
    ['2026-03-02T09:00:00.000Z', 0, 0, 3],
    ['2026-03-02T09:00:15.000Z', 4, 30, 3],
  ])
  expect(samples[1]).toMatchObject({ runs: { queued: 2, running: 0 }, oldest_queued_seconds: 25 })
})

it('the history keeps one hour', async () => {
  const { read, pass } = await startHistory()
  await pass(2 * 3600)
  const { samples } = await read()
  expect([samples.length, samples[0]?.at, samples.at(-1)?.at]).toEqual([
    240,
    '2026-03-02T10:00:15.000Z',
    '2026-03-02T11:00:00.000Z',
  ])
})

it('the history skips samples while the database is unavailable, and continues when it is back', async () => {
  const { read, pass, now } = await startHistory()
  now.isUnavailable = true
  await pass(30)
  now.isUnavailable = false
  await pass(15)
  expect((await read()).samples.map(({ at }) => at.slice(11, 19))).toEqual(['09:00:00', '09:00:45'])
})

it('the history takes no samples once it is stopped', async () => {
  const { history, read, pass } = await startHistory()
  history.stop()
  await pass(30)
  expect((await read()).samples).toHaveLength(1)
})
