import { expect, test } from 'vitest'
import type { Timers } from '../../runtime/timers.ts'
import type { Db } from '../../store/db.ts'
import { followDatabaseClock } from './database-clock.ts'

/** A database and a machine with clocks that the test sets; the database may be unavailable. */
const scene = async (machineAheadMs = 0) => {
  const state = { databaseAheadMs: 0, machineAheadMs, isUnavailable: false }
  const db = {
    query: async () => {
      if (state.isUnavailable) throw new Error('unavailable')
      return [{ timeMs: Date.now() + state.databaseAheadMs }]
    },
  } as unknown as Db
  const rounds: (() => void)[] = []
  const timers: Timers = {
    after: () => () => {},
    every: (_, run) => {
      rounds.push(run)
      return () => rounds.splice(rounds.indexOf(run), 1)
    },
  }
  const logged: [string, string][] = []
  const time = await followDatabaseClock({
    db,
    timers,
    log: {
      info: (_: object, text: string) => logged.push(['info', text]),
      warn: (_: object, text: string) => logged.push(['warn', text]),
    } as never,
    machineClock: { now: () => new Date(Date.now() + state.machineAheadMs) },
  })
  return {
    state,
    time,
    logged: () => logged.map(([level]) => level),
    readClock: async () => {
      for (const run of rounds) run()
      for (let turn = 0; turn < 10; turn += 1) await Promise.resolve()
    },
    rounds,
    /** How far the clock is ahead of the true time, in seconds. */
    aheadSeconds: () => (time.clock.now().getTime() - Date.now()) / 1000,
  }
}

test('time is the database’s from the start, whatever this machine’s clock says [OPS-20]', async () => {
  const { time, logged, aheadSeconds } = await scene(3600_000)
  expect(aheadSeconds()).toBeCloseTo(0, 1)
  expect(time.offsetSeconds()).toBeCloseTo(3600, 1)
  expect(logged()).toEqual(['warn'])
})

test('setting this machine’s clock changes only the difference; its start and its end are logged [OPS-20]', async () => {
  const { state, time, readClock, logged, aheadSeconds } = await scene()
  expect(logged()).toEqual([])
  state.machineAheadMs = -600_000
  await readClock()
  await readClock()
  expect(time.offsetSeconds()).toBeCloseTo(-600, 1)
  expect(aheadSeconds()).toBeCloseTo(0, 1)
  state.machineAheadMs = 0
  await readClock()
  expect(logged()).toEqual(['warn', 'info'])
})

test('setting the database’s clock takes effect at the next read [OPS-20]', async () => {
  const { state, readClock, aheadSeconds } = await scene()
  state.databaseAheadMs = 60_000
  expect(aheadSeconds()).toBeCloseTo(0, 1)
  await readClock()
  expect(aheadSeconds()).toBeCloseTo(60, 1)
})

test('the clock continues while the database is unavailable, and reads end when it is stopped', async () => {
  const { state, time, readClock, rounds, aheadSeconds } = await scene()
  state.isUnavailable = true
  await readClock()
  expect(aheadSeconds()).toBeCloseTo(0, 1)
  time.stop()
  expect(rounds).toEqual([])
})
