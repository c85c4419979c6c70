import { join } from 'node:path'
import type { TestPostgres } from '../test/support/databases/postgres.ts'
import { createDatabase } from '../test/support/databases/postgres.ts'
import { addedLatency, compareAssistants, pairedRate } from './support/compare-assistants.ts'
import type { Row } from './support/ratios.ts'
import { BOOTSTRAP, startRunServer } from './whole-run.ts'

const SERVICE = 'ep_module'
const MODULE = {
  endpoint_id: SERVICE,
  app_id: 'app_bench',
  device_id: 'dev_bench',
  assistant: { type: 'module' as const, path: join(import.meta.dirname, 'support/echo-module.js') },
  accepts: [],
}

/** Whole runs of a module in its own process, against the same assistant in the gateway's process. */
export const benchModules = async (
  postgres: TestPostgres,
  effort: { readonly rounds: number; readonly measureMs: number },
  onProgress: (line: string) => void,
): Promise<Row[]> => {
  const { url } = await createDatabase(postgres.url)
  const server = await startRunServer(
    { DATABASE_URL: url },
    { ...BOOTSTRAP, endpoints: [...BOOTSTRAP.endpoints, MODULE] },
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
