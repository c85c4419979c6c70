import { expect, test } from 'vitest'
import type { Timers } from '../../runtime/timers.ts'
import type { Db } from '../../store/db.ts'
import { followDatabaseClock } from './database-clock.ts'

/** A database and a machine, each with a clock that the test sets; the database may be away. */
const scene = async (machineAheadMs = 0) => {
  const state = { databaseAheadMs: 0, machineAheadMs, isAway: false }
  const db = {
    query: async () => {
      if (state.isAway) throw new Error('away')
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
  const told: [string, string][] = []
  const time = await followDatabaseClock({
    db,
    timers,
    log: {
      info: (_: object, text: string) => told.push(['info', text]),
      warn: (_: object, text: string) => told.push(['warn', text]),
    } as never,
    machineClock: { now: () => new Date(Date.now() + state.machineAheadMs) },
  })
  return {
    state,
    time,
    told: () => told.map(([level]) => level),
    look: async () => {
      for (const run of rounds) run()
      for (let turn = 0; turn < 10; turn += 1) await Promise.resolve()
    },
    rounds,
    /** How far the clock is ahead of the true time, in seconds. */
    aheadSeconds: () => (time.clock.now().getTime() - Date.now()) / 1000,
  }
}

test('time is the database’s from the first moment on, whatever this machine’s clock says [OPS-20]', async () => {
  const { time, told, aheadSeconds } = await scene(3600_000)
  expect(aheadSeconds()).toBeCloseTo(0, 1)
  expect(time.offsetSeconds()).toBeCloseTo(3600, 1)
  expect(told()).toEqual(['warn'])
})

test('setting this machine’s clock changes nothing but the difference, which is told once each way [OPS-20]', async () => {
  const { state, time, look, told, aheadSeconds } = await scene()
  expect(told()).toEqual([])
  state.machineAheadMs = -600_000
  await look()
  await look()
  expect(time.offsetSeconds()).toBeCloseTo(-600, 1)
  expect(aheadSeconds()).toBeCloseTo(0, 1)
  state.machineAheadMs = 0
  await look()
  expect(told()).toEqual(['warn', 'info'])
})

test('setting the database’s clock is followed at the next look [OPS-20]', async () => {
  const { state, look, aheadSeconds } = await scene()
  state.databaseAheadMs = 60_000
  expect(aheadSeconds()).toBeCloseTo(0, 1)
  await look()
  expect(aheadSeconds()).toBeCloseTo(60, 1)
})

test('a database that is away leaves the clock going, and stopped nobody looks any more', async () => {
  const { state, time, look, rounds, aheadSeconds } = await scene()
  state.isAway = true
  await look()
  expect(aheadSeconds()).toBeCloseTo(0, 1)
  time.stop()
  expect(rounds).toEqual([])
})
