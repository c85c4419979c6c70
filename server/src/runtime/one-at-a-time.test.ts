import { expect, it } from 'vitest'
import { settle } from '../../test/support/test-hub.ts'
import { oneAtATime } from './one-at-a-time.ts'

/** A job whose runs end when the test says so. */
const createJob = () => {
  const endings: (() => void)[] = []
  const errors: unknown[] = []
  let started = 0
  const request = oneAtATime(
    () => {
      started++
      return new Promise<void>((resolve) => endings.push(resolve))
    },
    (error) => errors.push(error),
  )
  return { request, errors, started: () => started, end: () => endings.shift()?.() }
}

it('a job begins at once if it is not running', () => {
  const job = createJob()
  void job.request()
  expect(job.started()).toBe(1)
})

it('a job runs once more, and only once, for all requests during a run', async () => {
  const job = createJob()
  for (let i = 0; i < 5; i++) void job.request()
  await settle()
  expect(job.started()).toBe(1)
  job.end()
  await settle()
  expect(job.started()).toBe(2)
  job.end()
  await settle()
  expect(job.started()).toBe(2)
})

it('a request is resolved only after a run that began after the request', async () => {
  const job = createJob()
  void job.request()
  let isDone = false
  void job.request().then(() => {
    isDone = true
  })
  job.end()
  await settle()
  expect(isDone).toBe(false)
  job.end()
  await settle()
  expect(isDone).toBe(true)
})

it('a request right after the end of a run is not lost', async () => {
  let runs = 0
  const request = oneAtATime(
    async () => {
      runs++
    },
    () => {},
  )
  const asked: number[] = []
  for (let i = 0; i < 50; i++) {
    // Each request follows 0 to 6 microtasks after the end of the last one.
    for (let turn = 0; turn < i % 7; turn++) await null
    const before = runs
    await request()
    asked.push(runs - before)
  }
  expect(Math.min(...asked)).toBeGreaterThanOrEqual(1)
})

it('a failed run is reported, and the job can run again', async () => {
  const errors: unknown[] = []
  let runs = 0
  const request = oneAtATime(
    async () => {
      runs++
      if (runs === 1) throw new Error('broken')
    },
    (error) => errors.push(error),
  )
  void request()
  await request()
  expect([errors, runs]).toEqual([[new Error('broken')], 2])
})
