import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ServerConfig } from '../../kit/config/server-config.ts'
import { createReferenceDriver } from './driver.ts'
import { prepareDatabases } from './empty-databases.ts'
import type { GatewayProcess } from './gateway-process.ts'
import { launchGateway } from './gateway-process.ts'
import { createLauncher } from './launch.ts'
import { createOperator } from './operator.ts'
import { createProcessControl } from './process-control.ts'
import { createReferenceSetup, MODEL_KEY_VARIABLE } from './setup.ts'
import { findStablePort } from './stable-port.ts'

export interface ReferenceOptions {
  /** Checkout of the reference gateway with its dependencies installed (run `npm start` once). */
  readonly gatewayDir: string
  /** URL of an empty PostgreSQL database. Absent: the embedded database in a temporary folder. */
  readonly databaseUrl?: string
  /** Further settings of the gateway, and arguments for Node. */
  readonly environment?: Readonly<Record<string, string>>
  readonly nodeArguments?: readonly string[]
  /**
   * False: the suite starts no further gateways like this one. Default: it may, if it can create databases for them.
   */
  readonly another?: false
}

const ALLOWED_HOST = 'receiver.conformance.example'

/**
 * Compiles WebAssembly with the fast compiler only. This halves the start time of a gateway with the embedded database,
 * and suits gateways that start often and get few requests. It does not change a gateway on PostgreSQL.
 */
const FAST_START = ['--liftoff-only']

/**
 * Starts the reference gateway on a free port with everything that the suite needs, and returns its configuration.
 * `stop()` ends all started processes.
 */
export async function startReferenceGateway(options: ReferenceOptions): Promise<ServerConfig> {
  const { gatewayDir, databaseUrl, nodeArguments = [] } = options
  // The compile cache saves some seconds at each start.
  const compiled = process.env.NODE_COMPILE_CACHE ?? join(gatewayDir, 'node_modules/.cache/compiled')
  const environment = { NODE_COMPILE_CACHE: compiled, ...options.environment }
  const isFurther = options.another === false
  const [node, main] = [join(gatewayDir, 'node_modules/.bin/node'), join(gatewayDir, 'server/src/main.ts')]
  for (const file of [main, node])
    if (!existsSync(file))
      throw new Error(`${file} is missing: name an installed checkout of the gateway (run \`npm start\` in it once)`)

  const folder = await mkdtemp(join(tmpdir(), 'gateway-conformance-'))
  const [port, callbackPort, modelPort] = [await findStablePort(), await findStablePort(), await findStablePort()]
  const callbackOrigin = `http://127.0.0.1:${callbackPort}`
  const callbackPath = '/callbacks'
  const setup = createReferenceSetup({
    callbackUrl: `${callbackOrigin}${callbackPath}`,
    modelUrl: `http://127.0.0.1:${modelPort}/v1`,
  })
  const bootstrapFile = join(folder, 'bootstrap.json')
  const writeBootstrap = (callbackSecret: string): Promise<void> =>
    writeFile(bootstrapFile, JSON.stringify(setup.bootstrap(callbackSecret)))
  await writeBootstrap(setup.callbackSecret)
  const adminToken = randomBytes(32).toString('hex')
  const secretKey = randomBytes(32).toString('hex')
  const control = await createProcessControl()
  const baseUrl = `http://127.0.0.1:${port}`

  let gateway: GatewayProcess | null = null
  const start = async (withoutDevice?: string): Promise<void> => {
    const served = [...new Set(setup.devices.values())].filter((device) => device !== withoutDevice)
    const started = await launchGateway({
      command: [node, ...(isFurther ? FAST_START : []), ...nodeArguments, ...control.nodeArguments, main],
      environment: {
        PATH: process.env.PATH ?? '',
        HOME: process.env.HOME ?? '',
        GATEWAY_PORT: String(port),
        GATEWAY_LOG_LEVEL: 'warn',
        GATEWAY_DATA_DIR: join(folder, 'data'),
        GATEWAY_BOOTSTRAP: bootstrapFile,
        GATEWAY_ADMIN_TOKEN: adminToken,
        GATEWAY_SECRET_KEY: secretKey,
        GATEWAY_CALLBACK_DEV_TARGETS: callbackOrigin,
        // Short, so that devices are online again soon after the clock was moved, but long enough that no device goes
        // offline if the machine stalls for some seconds. It does not divide a second, so that heartbeats and periodic
        // work run in varying order.
        GATEWAY_HEARTBEAT_MS: '700',
        // Short, because some checks leave runs that never end, and a shutdown waits for them this long.
        GATEWAY_DRAIN_MS: '4000',
        SERVICE_GATEWAY_CALLBACK_HOSTS: ALLOWED_HOST,
        // Checks move the process's own clock.
        GATEWAY_CLOCK: 'process',
        [MODEL_KEY_VARIABLE]: setup.model.key,
        ...(databaseUrl === undefined ? {} : { DATABASE_URL: databaseUrl }),
        ...(withoutDevice === undefined ? {} : { GATEWAY_DEVICES: served.join(',') }),
        ...control.environment(),
        ...environment,
      },
    })
    if (started.baseUrl === null)
      throw new Error(`the gateway ended before it was ready:\n${started.log().slice(-4000)}`)
    gateway = started
  }
  const launcher = createLauncher([node, ...FAST_START, ...nodeArguments, main], environment)
  const stop = async (): Promise<void> => {
    await launcher.close()
    await gateway?.end('SIGTERM')
    await control.close()
    await rm(folder, { recursive: true, force: true })
  }
  const prepare = async () => {
    await start()
    return isFurther ? null : prepareAnother(options)
  }
  const another = await prepare().catch(async (error: unknown) => {
    await stop()
    throw error
  })
  const operator = createOperator(baseUrl, adminToken)
  return {
    ...(another === null ? {} : { another }),
    name: `the reference gateway on ${options.databaseUrl === undefined ? 'its embedded database' : 'PostgreSQL'}`,
    baseUrl,
    apps: setup.apps,
    subjects: { first: 'customer-a', second: 'customer-b' },
    services: setup.services,
    webhooks: setup.webhooks,
    callbacks: {
      service: setup.callbackService,
      allowedHost: ALLOWED_HOST,
      receiver: { host: '127.0.0.1', port: callbackPort, path: callbackPath },
      secret: setup.callbackSecret,
    },
    model: { ...setup.model, receiver: { host: '127.0.0.1', port: modelPort } },
    admin: { url: `${baseUrl}/admin/v1`, token: adminToken },
    secrets: [secretKey],
    driver: createReferenceDriver({
      operator,
      setup,
      control,
      launch: launcher.launch,
      callbackSecretRotated: writeBootstrap,
      restart: async (withoutDevice) => {
        await gateway?.end('SIGKILL')
        await start(withoutDevice)
      },
      shutDown: async () => {
        await gateway?.end('SIGTERM')
        await start()
      },
    }),
    stop,
  }
}

/** Returns a function that starts another gateway like this one; null if no database can be created for it. */
async function prepareAnother(options: ReferenceOptions): Promise<(() => Promise<ServerConfig>) | null> {
  const { gatewayDir, databaseUrl } = options
  if (databaseUrl === undefined) return () => startReferenceGateway({ ...options, another: false })
  const databases = await prepareDatabases(gatewayDir, databaseUrl)
  if (databases === null) return null
  return async () => {
    const database = await databases.create()
    const gateway = await startReferenceGateway({ ...options, databaseUrl: database.url, another: false }).catch(
      async (error: unknown) => {
        await database.drop()
        throw error
      },
    )
    return {
      ...gateway,
      stop: async () => {
        await gateway.stop?.()
        await database.drop()
      },
    }
  }
}
