import type { TestPostgres } from '../test/support/databases/postgres.ts'
import { createDatabase } from '../test/support/databases/postgres.ts'
import { cpuOfProcess } from './support/cpu-time.ts'
import type { Row } from './support/ratios.ts'
import { readMemory } from './support/read-memory.ts'
import { pause, startWorkerServer, startWorkers } from './support/remote-workers.ts'

const IDLE_WORKERS = 1000
const SETTLE_MS = 10_000
/** A whole number of idle heartbeats and claims, or their bursts would count now more, now less. */
const IDLE_MS = 60_000
const KIBIBYTE = 1024

/** CPU and memory of a gateway with idle workers, beyond what it needs without. */
export const benchIdleWorkers = async (postgres: TestPostgres, onProgress: (line: string) => void): Promise<Row[]> => {
  const { url } = await createDatabase(postgres.url)
  const server = await startWorkerServer(url)
  const watch = async () => {
    const before = cpuOfProcess(server.pid)
    await pause(IDLE_MS)
    const cpuShare = (cpuOfProcess(server.pid) - before) / IDLE_MS
    return { cpuShare, ...(await readMemory(server)) }
  }
  try {
    // What the process takes to serve so many stays with it, and would count as theirs.
    onProgress(`${IDLE_WORKERS} workers come and go`)
    const earlier = await startWorkers(server, { workers: IDLE_WORKERS, slots: 1 })
    await pause(IDLE_MS)
    await earlier.end()
    onProgress('a gateway without idle workers')
    const without = await watch()
    onProgress(`a gateway with ${IDLE_WORKERS} idle workers`)
    const idle = await startWorkers(server, { workers: IDLE_WORKERS, slots: 1 })
    try {
      await pause(SETTLE_MS)
      const withThem = await watch()
      const kibibytesEach = (member: 'keptBytes' | 'heapBytes' | 'residentBytes'): number =>
        (withThem[member] - without[member]) / IDLE_WORKERS / KIBIBYTE
      return [
        {
          name: `CPU of the gateway for ${IDLE_WORKERS} idle workers, share of a core`,
          ratio: withThem.cpuShare - without.cpuShare,
          bound: { atMost: 0.05 },
          detail: 'each beats every 5 s and asks for runs every 20 s',
        },
        {
          name: 'memory of the gateway for an idle worker, in KiB',
          ratio: kibibytesEach('keptBytes'),
          bound: { atMost: 30 },
          detail: `${kibibytesEach('heapBytes').toFixed(1)} of it on the heap; ${kibibytesEach('residentBytes').toFixed(1)} resident with what V8 holds free`,
        },
      ]
    } finally {
      await idle.end()
    }
  } finally {
    await server.stop()
  }
}
