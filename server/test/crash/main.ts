/**
 * Kills gateway processes, and with --workers also workers and databases, at random moments; restarts them, and looks
 * for lost or duplicated work: `npm run crash -- [rounds] [embedded|postgres|callbacks] [--workers]`.
 */
import { createDatabase, startPostgres } from '../support/databases/postgres.ts'
import type { CrashReport } from './crash-run.ts'
import { crashRepeatedly } from './crash-run.ts'
import { crashDeliveries } from './delivery-run.ts'
import { onEmbedded, onPostgres } from './setups.ts'
import { crashWorkers } from './worker-run.ts'

const HELP = `npm run crash -- [rounds] [embedded|postgres|callbacks] [--workers]

Each round is one kill. Default: 100 rounds on each database, and 100 on the process that delivers callbacks. With
--workers, remote workers execute the runs, and the rounds kill workers, gateway and database in turn, on each database
or only on the named one. Exits with 1 if admitted work was lost, duplicated or reported wrongly, or if a callback was
lost, changed, or repeated without a kill.`

const args = process.argv.slice(2)
const rounds = Number(args.find((arg) => /^\d+$/.test(arg)) ?? 100)
const only = args.find((arg) => arg === 'embedded' || arg === 'postgres' || arg === 'callbacks')
const withWorkers = args.includes('--workers')
const isKnown = (arg: string): boolean => /^\d+$/.test(arg) || arg === only || arg === '--workers'
if (!args.every(isKnown) || (withWorkers && only === 'callbacks')) {
  console.log(HELP)
  process.exit(args.includes('--help') ? 0 : 2)
}

const reports: CrashReport[] = []
const progress = (line: string): void => console.log(line)
if (withWorkers) {
  if (only !== 'postgres') reports.push(await crashWorkers(null, rounds, progress))
  if (only !== 'embedded') {
    const postgres = await startPostgres({ durable: true })
    try {
      reports.push(await crashWorkers(postgres, rounds, progress))
    } finally {
      await postgres.stop()
    }
  }
}
const isAsked = (part: string): boolean => !withWorkers && (only === undefined || only === part)
if (isAsked('embedded')) {
  const { setup, remove } = await onEmbedded()
  reports.push(await crashRepeatedly(setup, rounds, progress))
  await remove()
}
if (isAsked('postgres')) {
  const postgres = await startPostgres({ durable: true })
  try {
    const { url } = await createDatabase(postgres.url)
    reports.push(await crashRepeatedly(await onPostgres(url), rounds, progress))
  } finally {
    await postgres.stop()
  }
}
let deliveryFaults: readonly string[] = []
if (isAsked('callbacks')) {
  const postgres = await startPostgres({ durable: true })
  try {
    const { url } = await createDatabase(postgres.url)
    const { faults, ...counts } = await crashDeliveries(url, rounds, progress)
    console.table(counts)
    for (const fault of faults.slice(0, 50)) console.log(`  ${fault}`)
    deliveryFaults = faults
  } finally {
    await postgres.stop()
  }
}
for (const { faults, ends, ...counts } of reports) {
  console.table(counts)
  console.log('runs ended as', ends)
  for (const fault of faults.slice(0, 50)) console.log(`  ${fault}`)
}
process.exitCode = deliveryFaults.length === 0 && reports.every(({ faults }) => faults.length === 0) ? 0 : 1
