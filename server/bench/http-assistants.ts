import { randomBytes } from 'node:crypto'
import type { TestPostgres } from '../test/support/databases/postgres.ts'
import { createDatabase } from '../test/support/databases/postgres.ts'
import { addedLatency, compareAssistants } from './support/compare-assistants.ts'
import type { HttpAssistantReady } from './support/http-assistant-process.ts'
import { startProcess } from './support/processes.ts'
import type { Effort, Row } from './support/ratios.ts'
import { startRunServer, withServices } from './whole-run.ts'

const SERVICE = 'ep_http'

/**
 * Runs of an `http` assistant on loopback, one at a time, against the same assistant in the device role of the gateway.
 */
export const benchHttpAssistants = async (
  postgres: TestPostgres,
  effort: Effort,
  onProgress: (line: string) => void,
): Promise<Row[]> => {
  const { url: databaseUrl } = await createDatabase(postgres.url)
  const service = await startProcess<HttpAssistantReady>('http-assistant-process.ts', {})
  const endpoint = {
    endpoint_id: SERVICE,
    assistant: { type: 'http' as const, url: service.ready.url },
    secret: `whsec_${randomBytes(32).toString('base64url')}`,
  }
  try {
    const server = await startRunServer(
      { DATABASE_URL: databaseUrl, GATEWAY_SECRET_KEY: randomBytes(32).toString('hex') },
      withServices(endpoint),
    )
    try {
      const one = await compareAssistants(server, SERVICE, 1, effort, onProgress)
      return [addedLatency('first piece at the reader from a web service', one, 'firstDeltaP50Ms', { atMost: 3 })]
    } finally {
      await server.stop()
    }
  } finally {
    await service.end()
  }
}
