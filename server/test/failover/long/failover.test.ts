import { expect, test } from 'vitest'
import { debianPostgres } from '../../support/debian-packages.ts'
import { failOverRepeatedly } from '../failover-run.ts'
import { startServerPair } from '../server-pair.ts'

// A short version of `npm run failover`, which does ten rounds.
test('a primary killed under load and replaced by its synchronous standby loses nothing, duplicates nothing, and causes no 500 [OPS-10, OPS-18, OPS-22, IDEM-25]', {
  timeout: 300_000,
}, async () => {
  const report = await failOverRepeatedly(await startServerPair(debianPostgres()), 2, (line) => console.log(line))
  expect(report).toMatchObject({ lost: 0, doubled: 0, misreported: 0, streamFaults: 0, internalErrors: 0, faults: [] })
  expect(report.admitted).toBeGreaterThan(0)
  expect(report.outagesMs).toHaveLength(2)
})
