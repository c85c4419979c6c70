/**
 * Runs the server suite against the reference gateway, on a PostgreSQL that it starts for the run and then removes:
 *   node conformance/scripts/suite-on-postgres.ts [options of gateway-conformance server]
 * Also fails for a violated SHOULD or MAY, because the reference gateway obeys all of them.
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
  // The terminal sends SIGINT to the suite too. This process waits for the suite, so that the database stops after it.
  process.on('SIGINT', () => {}).on('SIGTERM', pass)
  const [code]: unknown[] = await once(suite, 'close')
  process.exitCode = code === 0 && !isSettled() ? 1 : typeof code === 'number' ? code : 1
} finally {
  await postgres.stop()
  rmSync(folder, { recursive: true })
}

/** Whether every check has passed or is untestable here. Options such as --list write no report. */
function isSettled(): boolean {
  if (!existsSync(report)) return true
  const { checks }: Pick<SuiteReport, 'checks'> = JSON.parse(readFileSync(report, 'utf8'))
  return checks.every(({ status }) => status === 'passed' || status === 'untestable')
}
