import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { tailOf } from './tail-of.ts'

const MAIN = fileURLToPath(new URL('../../../server/src/main.ts', import.meta.url))
const { PATH, HOME, NODE_COMPILE_CACHE } = process.env
/** Tests compile the embedded database's WebAssembly once instead of twice, for a faster start. Benchmarks do not. */
const ENGINE_FLAGS = process.env.VITEST === undefined ? [] : ['--liftoff-only']
const START_DEADLINE_MS = 110_000

export const API_KEY = `gk_sdk_${'sdk'.padEnd(43, 'x')}`
export const ADMIN_TOKEN = 'admin-token-of-the-tests-of-the-sdk'

/** Services: one that echoes the input word by word, and one that follows a script (D-45). */
export const ENDPOINTS = { echo: 'ep_echo', script: 'ep_script' } as const

/** A service whose runs are executed by workers, and its device. */
export const WORKER_SERVICE = { endpoint_id: 'ep_worker', device_id: 'dev_worker' } as const

const BOOTSTRAP = {
  apps: [
    {
      app_id: 'app_sdk',
      owner_id: 'owner_sdk',
      keys: [{ key: API_KEY, scopes: ['conversations:read', 'conversations:write', 'runs:read', 'runs:write'] }],
    },
  ],
  devices: [{ device_id: 'dev_sdk' }, { device_id: WORKER_SERVICE.device_id }],
  endpoints: [
    ...Object.entries(ENDPOINTS).map(([type, endpoint_id]) => ({
      endpoint_id,
      app_id: 'app_sdk',
      device_id: 'dev_sdk',
      assistant: { type },
      accepts: ['text/*'],
    })),
    { ...WORKER_SERVICE, app_id: 'app_sdk', assistant: { type: 'worker' }, accepts: ['text/*'] },
  ],
}

/** Access for operators, limits that tests do not reach by accident, and a fast recovery from a crash. */
const SETTINGS = {
  GATEWAY_PORT: '0',
  GATEWAY_LOG_LEVEL: 'warn',
  GATEWAY_ADMIN_TOKEN: ADMIN_TOKEN,
  GATEWAY_HEARTBEAT_MS: '250',
  GATEWAY_LEASE_MS: '1000',
  GATEWAY_RECONCILE_MS: '1000',
  GATEWAY_STREAMS_PER_DEVICE: '100000',
  GATEWAY_STREAMS_PER_APP: '100000',
  GATEWAY_STREAMS_PER_SUBJECT: '100000',
  GATEWAY_PENDING_PER_APP: '100000',
  GATEWAY_PENDING_PER_DEVICE: '100000',
  GATEWAY_QUEUED_PER_CONVERSATION: '10000',
} as const

type Settings = Readonly<Record<string, string | undefined>>

/** The reference gateway as a separate process, on an embedded database that survives restarts. */
export interface GatewayProcess {
  /** Changes with each restart. */
  readonly origin: string
  /** The end of its standard error output since its last start. */
  log(): string
  /** Sends SIGKILL; resolves when the process has ended. */
  kill(): Promise<void>
  /** Starts it again on the same database, on another port. */
  start(): Promise<void>
  /** Ends it and removes its database. */
  remove(): Promise<void>
}

/**
 * Starts the gateway and waits until it is ready.
 * @param settings Added to those of the tests; undefined removes one.
 */
export const startGateway = async (settings: Settings = {}): Promise<GatewayProcess> => {
  const folder = await mkdtemp(join(tmpdir(), 'sdk-gateway-'))
  const bootstrap = join(folder, 'bootstrap.json')
  await writeFile(bootstrap, JSON.stringify(BOOTSTRAP))
  const data = settings.GATEWAY_DATA_DIR ?? join(folder, 'data')
  const env = { ...SETTINGS, GATEWAY_BOOTSTRAP: bootstrap, ...settings, GATEWAY_DATA_DIR: data }
  let running = await run(env)
  const kill = async (): Promise<void> => {
    running.child.kill('SIGKILL')
    await running.exited
  }
  return {
    get origin() {
      return running.origin
    },
    log: () => running.log(),
    kill,
    start: async () => {
      running = await run(env)
    },
    remove: async () => {
      await kill()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

const run = async (settings: Settings) => {
  const child = spawn(process.execPath, [...ENGINE_FLAGS, MAIN], {
    env: { PATH, HOME, NODE_COMPILE_CACHE, ...settings },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const exited = once(child, 'exit')
  const log = tailOf(child.stderr)
  const { promise: ready, resolve, reject } = Promise.withResolvers<string>()
  let output = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    output += text
    const origin = /"event":"ready","base_url":"([^"]+)"/.exec(output)?.[1]
    if (origin !== undefined) resolve(origin)
  })
  exited.then(([code]: unknown[]) => reject(new Error(`the gateway ended with ${code} before it was ready:\n${log()}`)))
  const deadline = setTimeout(
    () => reject(new Error(`the gateway was not ready after ${START_DEADLINE_MS} ms:\n${log()}`)),
    START_DEADLINE_MS,
  )
  try {
    return { child, origin: await ready, exited, log }
  } catch (error) {
    child.kill('SIGKILL')
    throw error
  } finally {
    clearTimeout(deadline)
  }
}
