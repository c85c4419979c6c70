/**
 * Runs the server suite against the reference gateway on a PostgreSQL of its own, which goes away with it:
 *   node conformance/scripts/suite-on-postgres.ts [options of gateway-conformance server]
 * Fails for a broken SHOULD or MAY as well: the reference gateway keeps them all.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createDatabase, startPostgres } from '../../server/test/support/databases/postgres.ts'
import type { SuiteReport } from '../src/report/suite-report.ts'

const CLI = fileURLToPath(new URL('../src/cli.ts', import.meta.url))

const folder = mkdtempSync(join(tmpdir(), 'suite-on-postgres-'))
const report = join(folder, 'report.json')
const postgres = await startPostgres({ durable: true })
try {
  const database = await createDatabase(postgres.url)
  const options = ['--report-json', report, ...process.argv.slice(2)]
  const suite = spawn(process.execPath, [CLI, 'server', '--config', 'reference', ...options], {
    env: { ...process.env, DATABASE_URL: database.url },
    stdio: 'inherit',
  })
  const pass = (signal: NodeJS.Signals): void => {
    suite.kill(signal)
  }
  // The terminal tells the suite as well; this process waits for it, so that the database outlives its user.
  process.on('SIGINT', () => {}).on('SIGTERM', pass)
  const [code]: unknown[] = await once(suite, 'close')
  process.exitCode = code === 0 && !isSettled() ? 1 : typeof code === 'number' ? code : 1
} finally {
  await postgres.stop()
  rmSync(folder, { recursive: true })
}

/** Every check has passed, or cannot be carried out here. Options such as --list leave no report. */
function isSettled(): boolean {
  if (!existsSync(report)) return true
  const { checks }: Pick<SuiteReport, 'checks'> = JSON.parse(readFileSync(report, 'utf8'))
  return checks.every(({ status }) => status === 'passed' || status === 'untestable')
}
