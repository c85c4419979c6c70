/**
 * Runs the server suite against the reference gateway on a PostgreSQL of its own, which goes away with it:
 *   node conformance/scripts/suite-on-postgres.ts [options of gateway-conformance server]
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { createDatabase, startPostgres } from '../../server/test/support/databases/postgres.ts'

const CLI = fileURLToPath(new URL('../src/cli.ts', import.meta.url))

const postgres = await startPostgres({ durable: true })
try {
  const database = await createDatabase(postgres.url)
  const suite = spawn(process.execPath, [CLI, 'server', '--config', 'reference', ...process.argv.slice(2)], {
    env: { ...process.env, DATABASE_URL: database.url },
    stdio: 'inherit',
  })
  const pass = (signal: NodeJS.Signals): void => {
    suite.kill(signal)
  }
  // The terminal tells the suite as well; this process waits for it, so that the database outlives its user.
  process.on('SIGINT', () => {}).on('SIGTERM', pass)
  const [code]: unknown[] = await once(suite, 'close')
  process.exitCode = typeof code === 'number' ? code : 1
} finally {
  await postgres.stop()
}
