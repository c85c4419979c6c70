import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect } from 'vitest'
import type { Gateway } from '../../src/app/build-gateway.ts'
import { buildGateway } from '../../src/app/build-gateway.ts'
import type { GatewayOptions } from '../../src/app/gateway-options.ts'
import { ROLES } from '../../src/app/settings/settings.ts'
import { DEFAULT_DELIVERY_SETTINGS } from '../../src/delivery/settings.ts'
import { DEFAULT_WORKER_SETTINGS } from '../../src/devices/settings.ts'
import { advanceDueWork } from '../../src/gateway/advance-work.ts'
import { applyBootstrap } from '../../src/gateway/bootstrap/bootstrap.ts'
import { advanceErasures } from '../../src/gateway/erase.ts'
import { DEFAULT_RETENTION, removeDiscardedContent } from '../../src/gateway/retention.ts'
import { NO_TRACING } from '../../src/gateway/tracing.ts'
import { createLogger } from '../../src/runtime/log.ts'
import { systemTimers } from '../../src/runtime/timers.ts'
import type { Statement } from '../../src/store/db.ts'
import { KEYS, TEST_BOOTSTRAP } from './bootstrap-file.ts'
import type { Client } from './client.ts'
import { createClient } from './client.ts'
import type { TestDatabase } from './databases/databases.ts'
import { eachDatabase } from './databases/databases.ts'
import type { TestClock } from './gateway-fixture.ts'
import { createTestClock, SECRET_KEY, SETTINGS } from './gateway-fixture.ts'
import { untilHolds } from './until-holds.ts'

export const ADMIN_TOKEN = 'admin-token-of-the-tests'

/**
 * A gateway in this process, by default with every role except maintenance. It has a real socket, a clock that the test
 * moves, and the applications of `TEST_BOOTSTRAP`.
 */
export interface RunningGateway {
  readonly gateway: Gateway
  readonly baseUrl: string
  /** Only the test moves it; heartbeats follow within some milliseconds. */
  readonly clock: TestClock
  /** Creates a client, by default with all scopes of `app_test` and the subject `subject-1`. */
  client(options?: { readonly key?: string; readonly subject?: string }): Client
  /** A client of the operator's API; the subject header does not matter there. */
  readonly operator: Client
  /**
   * Moves the clock and executes due work and erasures, like the maintenance role, but removes no old records. When it
   * resolves, the devices of this process that were online before are online again.
   */
  passTime(ms: number): Promise<void>
}

const ONLINE_DEVICES: Statement = {
  name: 'test_online_devices',
  access: 'read',
  text: `select device_id as "deviceId" from devices where state <> 'disabled' and heartbeat_at > $1 order by device_id`,
}

/** Real time for workers, short so that no test waits. The time limits of the rules use the clock of the test. */
const HEARTBEAT_MS = 40
const NEVER = new AbortController().signal

export const startRunningGateway = async (
  database: TestDatabase,
  overrides: Partial<GatewayOptions> = {},
): Promise<RunningGateway & { stop(): Promise<void> }> => {
  const clock = createTestClock(new Date().toISOString())
  const gateway = await buildGateway({
    db: database.db,
    clock,
    clockOffsetSeconds: () => null,
    deadlineMs: 10_000,
    timers: systemTimers,
    log: createLogger({ level: 'fatal' }),
    droppedLogLines: () => 0,
    tracing: NO_TRACING,
    roles: new Set(ROLES.filter((role) => role !== 'maintenance')),
    settings: SETTINGS,
    retention: DEFAULT_RETENTION,
    worker: {
      ...DEFAULT_WORKER_SETTINGS,
      heartbeatMs: HEARTBEAT_MS,
      deltaMs: 5,
      shutdownGraceMs: 100,
      shutdownStopMs: 200,
    },
    workerLeaseMs: 15_000,
    deviceIds: null,
    streamLimits: { perDevice: 32, perApp: 16, perSubject: 4 },
    rateLimit: null,
    pingMs: 15_000,
    wakeMs: 5,
    adminToken: ADMIN_TOKEN,
    secretKeys: [SECRET_KEY],
    baseUrl: () => 'https://gateway.example.com',
    callbackTargets: { hosts: new Set(), devOrigins: new Set() },
    trustProxy: false,
    httpsOnly: false,
    environment: {},
    delivery: DEFAULT_DELIVERY_SETTINGS,
    moduleDirectory: import.meta.dirname,
    moduleMemoryMb: 512,
    reloadModules: false,
    checkResponses: true,
    ...overrides,
  })
  const { faults } = await applyBootstrap(gateway.context, TEST_BOOTSTRAP)
  if (faults.length > 0) throw new Error(JSON.stringify(faults))
  await gateway.start()
  await gateway.http.listen({ host: '127.0.0.1', port: 0 })
  const { port } = gateway.http.server.address() as AddressInfo
  const baseUrl = `http://127.0.0.1:${port}`
  const { db, settings } = gateway.context
  const hasWorker = overrides.roles?.has('device') ?? true
  const onlineDevices = () =>
    db.query<{ deviceId: string }>(ONLINE_DEVICES, [new Date(clock.now().getTime() - settings.deviceOfflineMs)])
  return {
    gateway,
    baseUrl,
    clock,
    client: ({ key = KEYS.all, subject } = {}) =>
      createClient({ baseUrl, key, ...(subject === undefined ? {} : { subject }) }),
    operator: createClient({ baseUrl, key: ADMIN_TOKEN }),
    passTime: async (ms) => {
      const online = hasWorker ? await onlineDevices() : []
      clock.pass(ms)
      while ((await advanceDueWork(gateway.context)) > 0);
      await advanceErasures(gateway.context, NEVER)
      await removeDiscardedContent(gateway.context, NEVER)
      if (online.length > 0)
        await untilHolds(async () => expect(await onlineDevices()).toEqual(expect.arrayContaining(online)))
    },
    stop: async () => {
      await gateway.stop()
      expect(gateway.http.contractViolations).toEqual([])
    },
  }
}

/** Runs the block against a gateway on each database. Every answer is validated against the contract. */
export const onGateways = (
  name: string,
  block: (running: RunningGateway) => void,
  overrides: Partial<GatewayOptions> = {},
): void =>
  eachDatabase(name, (database) => {
    let started: Awaited<ReturnType<typeof startRunningGateway>> | undefined
    const present = (): Awaited<ReturnType<typeof startRunningGateway>> => {
      if (started === undefined) throw new Error('the gateway is available in hooks and tests only')
      return started
    }
    beforeAll(async () => {
      started = await startRunningGateway(database, overrides)
    })
    afterAll(async () => {
      await started?.stop()
    })
    block({
      get gateway() {
        return present().gateway
      },
      get baseUrl() {
        return present().baseUrl
      },
      get clock() {
        return present().clock
      },
      get operator() {
        return present().operator
      },
      client: (options) => present().client(options),
      passTime: (ms) => present().passTime(ms),
    })
  })
