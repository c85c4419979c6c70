import { expect, test } from 'vitest'
import { startPostgres } from '../support/databases/postgres.ts'
import { crashWorkers } from './worker-run.ts'

// A short version of `npm run crash -- --workers`, which kills a hundred times on each database.
const CLEAN = { lost: 0, doubled: 0, misreported: 0, streamFaults: 0, executedTwice: 0, faults: [] }

test('a killed worker, gateway and PostgreSQL lose no run and execute no run twice [WORK-05, WORK-09]', {
  timeout: 240_000,
}, async () => {
  const postgres = await startPostgres({ durable: true })
  try {
    const report = await crashWorkers(postgres, 3, () => {})
    expect(report).toMatchObject({ ...CLEAN, workerKills: 1, gatewayKills: 1, databaseKills: 1 })
    expect(report.executed).toBeGreaterThan(0)
  } finally {
    await postgres.stop()
  }
})

test('a killed worker and a gateway killed with its embedded database lose no run and execute no run twice [WORK-05, WORK-09]', {
  timeout: 240_000,
}, async () => {
  const report = await crashWorkers(null, 2, () => {})
  expect(report).toMatchObject({ ...CLEAN, workerKills: 1, gatewayKills: 1 })
  expect(report.executed).toBeGreaterThan(0)
})
