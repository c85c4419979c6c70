import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { TEST_BOOTSTRAP, writeBootstrap } from '../support/bootstrap-file.ts'
import { createClient } from '../support/client.ts'
import { createDatabase, type TestPostgres } from '../support/databases/postgres.ts'
import { findFreePort } from '../support/free-port.ts'
import type { GatewayProcess } from '../support/gateway-process.ts'
import { startGateway } from '../support/gateway-process.ts'
import type { CrashReport } from './crash-run.ts'
import { CRASH_SETTINGS, createTally, inspect, openConversations, sendUntilAnswered } from './crash-run.ts'
import type { WorkerPlan } from './worker-process.ts'

/** The results of killing workers, the gateway and its database. */
export interface WorkerCrashReport extends CrashReport {
  /** Must be zero. */
  readonly executedTwice: number
  readonly executed: number
  readonly workerKills: number
  readonly gatewayKills: number
  readonly databaseKills: number
}

type Victim = 'worker' | 'gateway' | 'database'

const WORKER = fileURLToPath(new URL('worker-process.ts', import.meta.url))
const ADMIN_TOKEN = 'the-admin-token-of-the-crash-test-of-workers'
const [DEVICE, SERVICE] = ['dev_crash', 'ep_crash']
const WORKERS = 2
const BOOTSTRAP = {
  ...TEST_BOOTSTRAP,
  devices: [...TEST_BOOTSTRAP.devices, { device_id: DEVICE }],
  endpoints: [
    ...TEST_BOOTSTRAP.endpoints,
    { endpoint_id: SERVICE, app_id: 'app_test', device_id: DEVICE, assistant: { type: 'worker' }, accepts: [] },
  ],
}

/**
 * Kills a worker, the gateway or its database in each round, while remote workers execute runs. Every admitted message
 * must exist exactly once and be executed at most once, and its run must have the true outcome.
 * @param postgres a server with durable commits, which is killed too; null for the embedded database, which is killed
 * with the gateway.
 */
export const crashWorkers = async (
  postgres: TestPostgres | null,
  rounds: number,
  onProgress: (line: string) => void,
): Promise<WorkerCrashReport> => {
  const name = postgres === null ? 'workers, embedded' : 'workers, postgres'
  const victims: readonly Victim[] = postgres === null ? ['worker', 'gateway'] : ['worker', 'gateway', 'database']
  const folder = await mkdtemp(join(tmpdir(), 'gateway-crash-'))
  const executions = join(folder, 'executions')
  await writeFile(executions, '')
  const settings = {
    ...CRASH_SETTINGS,
    // Workers reconnect to the address that the gateway had.
    GATEWAY_PORT: String(await findFreePort()),
    GATEWAY_WORKER_LEASE_MS: '1500',
    GATEWAY_ADMIN_TOKEN: ADMIN_TOKEN,
    GATEWAY_BOOTSTRAP: await writeBootstrap(BOOTSTRAP),
    GATEWAY_LOG_LEVEL: 'fatal',
    ...(postgres === null
      ? { GATEWAY_DATA_DIR: join(folder, 'data') }
      : { DATABASE_URL: (await createDatabase(postgres.url)).url }),
  }
  const setup = { name, processes: [settings], victim: () => 0, endpointId: SERVICE }
  const tally = createTally()
  const kills = { worker: 0, gateway: 0, database: 0 }
  let gateway: GatewayProcess = await startGateway(settings)
  const workers: StartedWorker[] = []
  try {
    const plan = { url: gateway.baseUrl, key: await createKey(gateway.baseUrl), executions }
    for (let index = 0; index < WORKERS; index += 1) workers.push(startWorker(plan))
    for (let round = 0; round < rounds; round += 1) {
      const victim = victims[round % victims.length] ?? 'worker'
      const senders = await openConversations(gateway, setup)
      const load = senders.map((sender) => sendUntilAnswered(sender, setup))
      await pause(100 + Math.random() * 600)
      kills[victim] += 1
      if (victim === 'worker') {
        await workers.shift()?.kill()
        workers.push(startWorker(plan))
      } else if (victim === 'gateway') {
        await gateway.kill()
        gateway = await startGateway(settings)
      } else {
        await postgres?.kill()
        await postgres?.start()
      }
      await pause(300)
      for (const sender of senders) sender.stopping = true
      await Promise.all(load)
      for (const sender of senders) await inspect(sender, tally)
      onProgress(`${name}: round ${round + 1} of ${rounds}, ${tally.admitted} admitted, ${tally.faults.length} faults`)
    }
    const executed = (await readFile(executions, 'utf8')).split('\n').filter((line) => line !== '')
    const twice = executed.filter((runId, index) => executed.indexOf(runId) !== index)
    for (const runId of twice) tally.faults.push(`executed twice: ${runId}`)
    return {
      rounds,
      workerKills: kills.worker,
      gatewayKills: kills.gateway,
      databaseKills: kills.database,
      ...tally,
      executed: executed.length,
      executedTwice: twice.length,
      ends: Object.fromEntries(tally.ends),
    }
  } finally {
    await Promise.all([gateway.kill(), ...workers.map(({ kill }) => kill())])
    await rm(folder, { recursive: true, force: true })
  }
}

interface StartedWorker {
  /** SIGKILL; resolves when the process has ended. */
  readonly kill: () => Promise<void>
}

const startWorker = (plan: WorkerPlan): StartedWorker => {
  const child = spawn(process.execPath, [WORKER, JSON.stringify(plan)], { stdio: ['ignore', 'ignore', 'inherit'] })
  const exited = once(child, 'exit')
  return {
    kill: async () => {
      child.kill('SIGKILL')
      await exited
    },
  }
}

const createKey = async (baseUrl: string): Promise<string> => {
  const operator = createClient({ baseUrl, key: ADMIN_TOKEN })
  const { body } = await operator.request<{ key: string }>('POST', `/admin/v1/devices/${DEVICE}/keys`, { body: {} })
  return body.key
}
