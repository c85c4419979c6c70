import { readFileSync } from 'node:fs'
import { createClient } from '../test/support/client.ts'
import type { TestPostgres } from '../test/support/databases/postgres.ts'
import { createDatabase } from '../test/support/databases/postgres.ts'
import { cpuOfProcess } from './support/cpu-time.ts'
import { startProcess } from './support/processes.ts'
import type { Row } from './support/ratios.ts'
import { median } from './support/ratios.ts'
import type { RunLoadResult } from './support/run-load.ts'
import type { WorkerPlan } from './support/worker-process.ts'
import { BOOTSTRAP, runLoad, startRunServer } from './whole-run.ts'

const ADMIN_TOKEN = 'admin-token-of-the-benchmarks-of-workers'
const SERVICE = 'ep_worker'
const IDLE_WORKERS = 1000
const SETTLE_MS = 10_000
/** A whole number of idle heartbeats and claims, or their bursts would count now more, now less. */
const IDLE_MS = 60_000
const KIBIBYTE = 1024

const WITH_WORKERS = {
  ...BOOTSTRAP,
  devices: [...BOOTSTRAP.devices, { device_id: 'dev_worker' }, { device_id: 'dev_idle' }],
  endpoints: [
    ...BOOTSTRAP.endpoints,
    {
      endpoint_id: SERVICE,
      app_id: 'app_bench',
      device_id: 'dev_worker',
      assistant: { type: 'worker' as const },
      accepts: [],
    },
  ],
}

const residentBytes = (pid: number): number =>
  Number(/VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) * KIBIBYTE

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))

/** Whole runs through a worker of the SDK over loopback, against the device role in the process; and workers with nothing to do. */
export const benchWorkers = async (
  postgres: TestPostgres,
  { rounds, measureMs }: { readonly rounds: number; readonly measureMs: number },
  onProgress: (line: string) => void,
): Promise<Row[]> => {
  const { url } = await createDatabase(postgres.url)
  const server = await startRunServer({ DATABASE_URL: url, GATEWAY_ADMIN_TOKEN: ADMIN_TOKEN }, WITH_WORKERS)
  const operator = createClient({ baseUrl: server.baseUrl, key: ADMIN_TOKEN })
  const startWorkers = async (deviceId: string, workers: number, slots: number) => {
    const { body } = await operator.request<{ key: string }>('POST', `/admin/v1/devices/${deviceId}/keys`, { body: {} })
    const plan: WorkerPlan = { url: server.baseUrl, key: body.key, workers, slots }
    return startProcess<object>('worker-process.ts', plan)
  }
  const untilConnected = async (workers: number): Promise<void> => {
    for (;;) {
      const metrics = await (await fetch(`${server.baseUrl}/metrics`)).text()
      if (Number(/^gateway_workers (\d+)$/m.exec(metrics)?.[1]) >= workers) return
      await pause(200)
    }
  }

  const measure = async (atOnce: number) => {
    const remote: RunLoadResult[] = []
    const inProcess: RunLoadResult[] = []
    for (let round = 0; round < rounds; round += 1) {
      onProgress(`workers, ${atOnce} at once, round ${round + 1} of ${rounds}`)
      inProcess.push(await runLoad(server, atOnce, measureMs))
      remote.push(await runLoad(server, atOnce, measureMs, SERVICE))
    }
    return { remote, inProcess }
  }

  /** CPU and memory of the gateway with so many idle workers, beyond what it needs without. */
  const measureIdle = async () => {
    const watch = async () => {
      const before = cpuOfProcess(server.pid)
      await pause(IDLE_MS)
      return { cpuShare: (cpuOfProcess(server.pid) - before) / IDLE_MS, bytes: residentBytes(server.pid) }
    }
    onProgress('a gateway without idle workers')
    const without = await watch()
    onProgress(`a gateway with ${IDLE_WORKERS} idle workers`)
    const idle = await startWorkers('dev_idle', IDLE_WORKERS, 1)
    try {
      await untilConnected(IDLE_WORKERS)
      await pause(SETTLE_MS)
      const withThem = await watch()
      return { cpuShare: withThem.cpuShare - without.cpuShare, bytes: withThem.bytes - without.bytes }
    } finally {
      await idle.end()
    }
  }

  try {
    const worker = await startWorkers('dev_worker', 1, 64)
    await untilConnected(1)
    const one = await measure(1)
    const many = await measure(64)
    await worker.end()
    const idle = await measureIdle()
    const of = (results: readonly RunLoadResult[], member: 'perSecond' | 'p50Ms' | 'firstDeltaP50Ms') =>
      median(results.map((result) => result[member]))
    const beyond = (member: 'p50Ms' | 'firstDeltaP50Ms', name: string, atMost: number): Row => ({
      name,
      ratio: of(one.remote, member) - of(one.inProcess, member),
      bound: { atMost },
      detail: `${of(one.remote, member).toFixed(2)} ms against ${of(one.inProcess, member).toFixed(2)} ms`,
    })
    return [
      {
        name: 'whole runs through a worker, 64 at once, against in the process',
        ratio: median(
          many.remote.map(({ perSecond }, round) => perSecond / (many.inProcess[round]?.perSecond ?? Number.NaN)),
        ),
        bound: { atLeast: 0.5 },
        detail: `${Math.round(of(many.remote, 'perSecond'))}/s against ${Math.round(of(many.inProcess, 'perSecond'))}/s`,
      },
      beyond('p50Ms', 'a run through a worker, one at a time, p50 beyond in the process, in ms', 5),
      beyond('firstDeltaP50Ms', 'first piece at the reader through a worker, p50 beyond in the process, in ms', 3),
      {
        name: `CPU of the gateway for ${IDLE_WORKERS} idle workers, share of a core`,
        ratio: idle.cpuShare,
        bound: { atMost: 0.05 },
        detail: 'each beats every 5 s and asks for runs every 20 s',
      },
      {
        name: 'memory of the gateway for an idle worker, in KiB',
        ratio: idle.bytes / IDLE_WORKERS / KIBIBYTE,
        bound: { atMost: 30 },
        detail: `${IDLE_WORKERS} workers`,
      },
    ]
  } finally {
    await server.stop()
  }
}
