import { join } from 'node:path'
import type { TestPostgres } from '../test/support/databases/postgres.ts'
import { createDatabase } from '../test/support/databases/postgres.ts'
import { addedLatency, compareAssistants, pairedRate } from './support/compare-assistants.ts'
import type { Effort, Row } from './support/ratios.ts'
import { startRunServer, withServices } from './whole-run.ts'

const SERVICE = 'ep_module'
const MODULE = join(import.meta.dirname, 'support/echo-module.js')

/** Whole runs of a module in its own process, against the same assistant in the gateway's process. */
export const benchModules = async (
  postgres: TestPostgres,
  effort: Effort,
  onProgress: (line: string) => void,
): Promise<Row[]> => {
  const { url } = await createDatabase(postgres.url)
  const server = await startRunServer(
    { DATABASE_URL: url },
    withServices({ endpoint_id: SERVICE, assistant: { type: 'module', path: MODULE } }),
  )
  try {
    const compare = (atOnce: number) => compareAssistants(server, SERVICE, atOnce, effort, onProgress)
    const [one, many] = [await compare(1), await compare(64)]
    return [
      pairedRate('isolated module, 64 at once, against runs in the process', many, { atLeast: 0.6 }),
      addedLatency('isolated module, one at a time', one, 'p50Ms', { atMost: 2 }),
    ]
  } finally {
    await server.stop()
  }
}
