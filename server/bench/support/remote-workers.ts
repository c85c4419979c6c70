import { setTimeout as pause } from 'node:timers/promises'
import { createClient } from '../../test/support/client.ts'
import type { GatewayProcess } from '../../test/support/gateway-process.ts'
import { startRunServer, withServices } from '../whole-run.ts'
import type { BenchProcess } from './processes.ts'
import { startProcess } from './processes.ts'
import { REPORTS_MEMORY } from './read-memory.ts'
import type { WorkerPlan } from './worker-process.ts'

const ADMIN_TOKEN = 'admin-token-of-the-benchmarks-of-workers'
/** The service whose runs are executed by the workers of `dev_worker`. */
export const WORKER_SERVICE = 'ep_worker'

const WITH_WORKERS = {
  ...withServices({ endpoint_id: WORKER_SERVICE, device_id: 'dev_worker', assistant: { type: 'worker' } }),
  devices: [{ device_id: 'dev_bench' }, { device_id: 'dev_worker' }],
}

/** A gateway with a service that remote workers execute. */
export const startWorkerServer = (databaseUrl: string): Promise<GatewayProcess> =>
  startRunServer({ DATABASE_URL: databaseUrl, GATEWAY_ADMIN_TOKEN: ADMIN_TOKEN, ...REPORTS_MEMORY }, WITH_WORKERS)

const countWorkers = async (baseUrl: string): Promise<number> => {
  const metrics = await (await fetch(`${baseUrl}/metrics`)).text()
  return Number(/^gateway_workers (\d+)$/m.exec(metrics)?.[1] ?? 0)
}

/** Starts workers of the SDK in one separate process, and waits until all of them are connected. */
export const startWorkers = async (
  { baseUrl }: GatewayProcess,
  { workers, slots }: Pick<WorkerPlan, 'workers' | 'slots'>,
): Promise<BenchProcess<object>> => {
  const operator = createClient({ baseUrl, key: ADMIN_TOKEN })
  const { body } = await operator.request<{ key: string }>('POST', '/admin/v1/devices/dev_worker/keys', { body: {} })
  const plan: WorkerPlan = { url: baseUrl, key: body.key, workers, slots }
  const before = await countWorkers(baseUrl)
  const running = await startProcess<object>('worker-process.ts', plan)
  while ((await countWorkers(baseUrl)) < before + workers) await pause(200)
  return running
}
