import { systemClock } from '@conversation-gateway/openapi/behaviour/clock'
import { beforeEach, expect, test, vi } from 'vitest'
import type { LackOfRoom } from '../../store/db.ts'
import { createDatabaseState } from './database-state.ts'

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['performance'] })
  return () => {
    vi.useRealTimers()
  }
})

/** A database that counts the proofs; the test changes how it answers. */
const countingDb = () => {
  const answers = { proofs: 0, fault: null as Error | null, lack: null as LackOfRoom | null }
  const query = async <Row>(): Promise<Row[]> => {
    answers.proofs += 1
    if (answers.fault !== null) throw answers.fault
    return []
  }
  return { answers, db: { query, lastWithoutRoom: () => answers.lack } }
}

test('the database is asked to prove a write at most once a second [OPS-15]', async () => {
  const { answers, db } = countingDb()
  const read = createDatabaseState(db, systemClock)
  for (const [passedMs, proofs] of [
    [0, 1],
    [999, 1],
    [1, 2],
    [0, 2],
  ] as const) {
    vi.advanceTimersByTime(passedMs)
    await read()
    expect(answers.proofs).toBe(proofs)
  }
})

test('a failed proof is reported with its reason, for a second as well [OPS-15]', async () => {
  const { answers, db } = countingDb()
  const read = createDatabaseState(db, systemClock)
  answers.fault = new Error('cannot execute UPDATE in a read-only transaction')
  expect(await read()).toEqual({ takesWrites: false, reason: answers.fault.message })
  answers.fault = null
  expect(await read()).toMatchObject({ takesWrites: false })
  vi.advanceTimersByTime(1000)
  expect(await read()).toEqual({ takesWrites: true, admissionPaused: false })
})

test('a write that failed for lack of room makes the database read-only for 5 seconds [OPS-15]', async () => {
  const { answers, db } = countingDb()
  const read = createDatabaseState(db, systemClock)
  answers.lack = { at: performance.now(), message: 'could not extend file: No space left on device' }
  expect(await read()).toEqual({ takesWrites: false, reason: answers.lack.message })
  vi.advanceTimersByTime(4999)
  expect(await read()).toMatchObject({ takesWrites: false })
  vi.advanceTimersByTime(1001)
  expect(await read()).toMatchObject({ takesWrites: true })
})
