import { setTimeout as pause } from 'node:timers/promises'
import type { TestPostgres } from '../test/support/databases/postgres.ts'
import { createDatabase } from '../test/support/databases/postgres.ts'
import { cpuOfProcess } from './support/cpu-time.ts'
import type { BenchProcess } from './support/processes.ts'
import type { Row } from './support/ratios.ts'
import { readMemory } from './support/read-memory.ts'
import { startWorkerServer, startWorkers } from './support/remote-workers.ts'
import type { MemoryReport } from './support/report-memory.ts'

const IDLE_WORKERS = 1000
const SETTLE_MS = 10_000
/** A multiple of the intervals of idle heartbeats and claims, so that each measurement has the same number of them. */
const IDLE_MS = 60_000
const KIBIBYTE = 1024

/** The additional CPU and memory that a gateway needs for idle workers. */
export const benchIdleWorkers = async (postgres: TestPostgres, onProgress: (line: string) => void): Promise<Row[]> => {
  const { url } = await createDatabase(postgres.url)
  const server = await startWorkerServer(url)
  const readCpuShare = async (): Promise<number> => {
    const before = cpuOfProcess(server.pid)
    await pause(IDLE_MS)
    return (cpuOfProcess(server.pid) - before) / IDLE_MS
  }
  const started: BenchProcess<object>[] = []
  const startHalf = async (): Promise<void> => {
    onProgress(`${IDLE_WORKERS / 2} more idle workers`)
    started.push(await startWorkers(server, { workers: IDLE_WORKERS / 2, slots: 1 }))
    await pause(SETTLE_MS)
  }
  try {
    onProgress('a gateway without idle workers')
    const cpuWithout = await readCpuShare()
    await startHalf()
    await pause(IDLE_MS)
    // Measuring from here excludes the one-time memory that the process needs to serve this many workers.
    const half = await readMemory(server)
    await startHalf()
    const cpuWith = await readCpuShare()
    const all = await readMemory(server)
    const each = (bytesOf: (report: MemoryReport) => number): number =>
      (bytesOf(all) - bytesOf(half)) / (IDLE_WORKERS / 2) / KIBIBYTE
    const native = each(({ nativeHeapBytes }) => nativeHeapBytes).toFixed(1)
    const resident = each(({ residentBytes }) => residentBytes).toFixed(1)
    return [
      {
        name: `CPU of the gateway for ${IDLE_WORKERS} idle workers, share of a core`,
        ratio: cpuWith - cpuWithout,
        bound: { atMost: 0.05 },
        detail: 'each sends a heartbeat every 5 s and claims runs every 20 s',
      },
      {
        name: 'JavaScript memory of the gateway for an idle worker, in KiB',
        ratio: each(({ heapBytes, externalBytes }) => heapBytes + externalBytes),
        bound: { atMost: 30 },
        detail: `of the second ${IDLE_WORKERS / 2}; the native heap grew by ${native}, resident memory by ${resident}, including free memory of V8`,
      },
    ]
  } finally {
    for (const workers of started) await workers.end()
    await server.stop()
  }
}
