import { expect, inject, test } from 'vitest'
import { createDatabase } from '../support/databases/postgres.ts'
import { crashRepeatedly } from './crash-run.ts'
import { crashDeliveries } from './delivery-run.ts'
import { onEmbedded, onPostgres } from './setups.ts'

// A short version of `npm run crash`, which kills a hundred times on each database.
const CLEAN = { lost: 0, doubled: 0, misreported: 0, streamFaults: 0, faults: [] }

test('a process killed on the embedded database loses nothing and duplicates nothing [GEN-10, IDEM-18, OPS-12, SSE-36]', {
  timeout: 240_000,
}, async () => {
  const { setup, remove } = await onEmbedded()
  const report = await crashRepeatedly(setup, 1, () => {})
  await remove()
  expect(report).toMatchObject(CLEAN)
  expect(report.admitted).toBeGreaterThan(0)
})

test('API and device processes killed on PostgreSQL lose nothing and duplicate nothing [GEN-10, IDEM-18, OPS-10, SSE-36]', {
  timeout: 240_000,
}, async () => {
  const { url } = await createDatabase(inject('databases').postgresUrl)
  const report = await crashRepeatedly(await onPostgres(url), 2, () => {})
  expect(report).toMatchObject(CLEAN)
  expect(report.admitted).toBeGreaterThan(0)
})

test('a delivery process killed on PostgreSQL delivers every event with the same bytes, and repeats it at most once per kill [CB-47, CB-54, CB-55, OPS-10]', {
  timeout: 240_000,
}, async () => {
  const { url } = await createDatabase(inject('databases').postgresUrl)
  const report = await crashDeliveries(url, 3, () => {})
  expect(report).toMatchObject({ lost: 0, changed: 0, doubled: 0, faults: [] })
  expect(report.events).toBeGreaterThan(0)
})
