import { expect, test } from 'vitest'
import { debianPostgres } from '../../support/debian-packages.ts'
import { failOverRepeatedly } from '../failover-run.ts'
import { startPatroniCluster } from '../patroni/patroni-cluster.ts'

// A short version of `npm run failover -- --patroni`.
test('a leader whose machine is killed under load and replaced by Patroni loses nothing, duplicates nothing, and causes no 500 [OPS-10, OPS-18, OPS-22]', {
  timeout: 300_000,
}, async () => {
  const report = await failOverRepeatedly(await startPatroniCluster(debianPostgres()), 2, (line) => console.log(line))
  expect(report).toMatchObject({ lost: 0, doubled: 0, misreported: 0, streamFaults: 0, internalErrors: 0, faults: [] })
  expect(report.admitted).toBeGreaterThan(0)
  expect(report.outagesMs).toHaveLength(2)
})
