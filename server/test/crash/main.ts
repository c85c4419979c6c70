/**
 * Kills gateway processes, and with --workers also workers and databases, at random moments; restarts them, and looks
 * for lost or duplicated work: `npm run crash -- [rounds] [embedded|postgres|callbacks] [--workers]`.
 */
import { createDatabase, startPostgres, type TestPostgres } from '../support/databases/postgres.ts'
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

const withPostgres = async (work: (postgres: TestPostgres) => Promise<void>): Promise<void> => {
  const postgres = await startPostgres({ durable: true })
  try {
    await work(postgres)
  } finally {
    await postgres.stop()
  }
}

/** Prints the counts and the first faults. Any fault makes the process exit with 1. */
const report = ({ faults, ...counts }: { readonly faults: readonly string[] }): void => {
  console.table(counts)
  for (const fault of faults.slice(0, 50)) console.log(`  ${fault}`)
  if (faults.length > 0) process.exitCode = 1
}

if (withWorkers) {
  if (only !== 'postgres') reports.push(await crashWorkers(null, rounds, progress))
  if (only !== 'embedded')
    await withPostgres(async (postgres) => void reports.push(await crashWorkers(postgres, rounds, progress)))
}
const isAsked = (part: string): boolean => !withWorkers && (only === undefined || only === part)
if (isAsked('embedded')) {
  const { setup, remove } = await onEmbedded()
  reports.push(await crashRepeatedly(setup, rounds, progress))
  await remove()
}
if (isAsked('postgres')) {
  await withPostgres(async (postgres) => {
    const { url } = await createDatabase(postgres.url)
    reports.push(await crashRepeatedly(await onPostgres(url), rounds, progress))
  })
}
if (isAsked('callbacks')) {
  await withPostgres(async (postgres) => {
    const { url } = await createDatabase(postgres.url)
    report(await crashDeliveries(url, rounds, progress))
  })
}
for (const { ends, ...counts } of reports) {
  report(counts)
  console.log('runs ended as', ends)
}
