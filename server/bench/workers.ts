import type { TestPostgres } from '../test/support/databases/postgres.ts'
import { createDatabase } from '../test/support/databases/postgres.ts'
import { addedLatency, compareAssistants, pairedRate } from './support/compare-assistants.ts'
import type { Effort, Row } from './support/ratios.ts'
import { startWorkerServer, startWorkers, WORKER_SERVICE } from './support/remote-workers.ts'

/**
 * Whole runs through a worker of the SDK over loopback, against the same assistant in the device role of the gateway.
 */
export const benchWorkers = async (
  postgres: TestPostgres,
  effort: Effort,
  onProgress: (line: string) => void,
): Promise<Row[]> => {
  const { url } = await createDatabase(postgres.url)
  const server = await startWorkerServer(url)
  try {
    const worker = await startWorkers(server, { workers: 1, slots: 64 })
    const compare = (atOnce: number) => compareAssistants(server, WORKER_SERVICE, atOnce, effort, onProgress)
    const [one, many] = [await compare(1), await compare(64)]
    await worker.end()
    return [
      pairedRate('whole runs through a worker, 64 at once, against runs in the process', many, { atLeast: 0.5 }),
      addedLatency('a run through a worker, one at a time', one, 'p50Ms', { atMost: 5 }),
      addedLatency('first piece at the reader through a worker', one, 'firstDeltaP50Ms', { atMost: 3 }),
    ]
  } finally {
    await server.stop()
  }
}
