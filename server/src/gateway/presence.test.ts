import { expect, it } from 'vitest'
import { createTestClock } from '../../test/support/gateway-fixture.ts'
import { createManualTimers } from '../../test/support/manual-timers.ts'
import { quiet } from '../../test/support/test-worker.ts'
import type { Db } from '../store/db.ts'
import { DatabaseUnavailable } from '../store/db.ts'
import { createPresence } from './presence.ts'

const BEAT_MS = 1000
const LEASE_MS = 4000

/** A presence over a database that only records its calls and their times. */
const start = async () => {
  const clock = createTestClock('1970-01-01T00:00:00.000Z')
  let elapsed = 0
  const timers = createManualTimers()
  const asked: [string, number][] = []
  const errors: unknown[] = []
  const database = { unavailable: false }
  const db: Pick<Db, 'query'> = {
    query: async ({ name }) => {
      asked.push([name, clock.now().getTime()])
      if (database.unavailable) throw new DatabaseUnavailable('unavailable')
      return []
    },
  }
  const presence = createPresence({
    db: db as Db,
    clock,
    timers,
    elapsedMs: () => elapsed,
    processId: 'one',
    runSlots: 1,
    deviceIds: null,
    beatMs: BEAT_MS,
    leaseMs: LEASE_MS,
    onError: (error) => void errors.push(error),
  })
  await presence.start()
  const pauseProcess = (ms: number) => {
    clock.pass(ms)
    elapsed += ms
  }
  const pass = async (ms: number) => {
    for (let passed = 0; passed < ms; passed += BEAT_MS) {
      pauseProcess(BEAT_MS)
      timers.advance(BEAT_MS)
      await quiet()
    }
  }
  return { presence, clock, pauseProcess, timers, asked, errors, database, pass }
}

it('a process sends a heartbeat at once, and then periodically', async () => {
  const { asked, pass } = await start()
  await pass(3000)
  expect(asked).toEqual([0, 1000, 2000, 3000].map((at) => ['beat_process', at]))
})

it('a process can detect dead processes from the start, as long as it sends heartbeats', async () => {
  const { presence, pass } = await start()
  expect(presence.canJudge()).toBe(true)
  await pass(10_000)
  expect(presence.canJudge()).toBe(true)
})

it('a process cannot detect dead ones in an outage longer than a lease, and for one lease afterwards', async () => {
  const { presence, database, pass, errors } = await start()
  database.unavailable = true
  await pass(LEASE_MS)
  expect(presence.canJudge()).toBe(true)
  await pass(BEAT_MS)
  expect(presence.canJudge()).toBe(false)
  expect(errors).toHaveLength(5)
  database.unavailable = false
  await pass(BEAT_MS)
  expect(presence.canJudge()).toBe(false)
  await pass(LEASE_MS - BEAT_MS)
  expect(presence.canJudge()).toBe(false)
  await pass(BEAT_MS)
  expect(presence.canJudge()).toBe(true)
})

it('a process cannot detect dead ones until one lease after it was paused', async () => {
  const { presence, pauseProcess, pass } = await start()
  pauseProcess(60_000)
  expect(presence.canJudge()).toBe(false)
  await pass(BEAT_MS)
  expect(presence.canJudge()).toBe(false)
  await pass(LEASE_MS)
  expect(presence.canJudge()).toBe(true)
})

it('a process measures its heartbeats in monotonic time, not by the system clock', async () => {
  const { presence, clock } = await start()
  clock.pass(60_000)
  expect(presence.canJudge()).toBe(true)
})

it('a process removes its row when it stops, and does not write it again', async () => {
  const { presence, timers, asked, pass } = await start()
  await presence.stop()
  await pass(3000)
  expect(asked.map(([name]) => name)).toEqual(['beat_process', 'remove_process'])
  expect(timers.pending).toBe(0)
})

it('a process stops even if the database is unavailable; its row then expires', async () => {
  const { presence, database, errors } = await start()
  database.unavailable = true
  await presence.stop()
  expect(errors).toEqual([new DatabaseUnavailable('unavailable')])
})
