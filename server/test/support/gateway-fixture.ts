import { randomUUID } from 'node:crypto'
import type { Clock } from '@conversation-gateway/openapi/behaviour/clock'
import type { Tenant } from '@conversation-gateway/openapi/behaviour/tenant'
import type { CallbackTargets } from '../../src/domain/callback-url.ts'
import { fingerprint } from '../../src/domain/fingerprint.ts'
import { createSecretBox } from '../../src/domain/secret-box.ts'
import type { GatewayContext, GatewaySettings } from '../../src/gateway/context.ts'
import { createConversation } from '../../src/gateway/create-conversation.ts'
import { claimWork } from '../../src/gateway/execution.ts'
import { sendMessage } from '../../src/gateway/send-message.ts'
import type { ServiceSchemas } from '../../src/gateway/service-schemas.ts'
import type { ClaimedRun } from '../../src/store/claims.ts'
import type { Db, Statement } from '../../src/store/db.ts'
import { beatProcess } from '../../src/store/maintenance/processes.ts'
import type { IdempotentRequest } from '../../src/writer/idempotency.ts'
import type { Wakeups } from '../../src/writer/wakeups.ts'
import { createWriter } from '../../src/writer/writer.ts'
import { scanned } from './json.ts'

/** The use cases on a test database, with a clock that only the test moves. */

export interface TestClock extends Clock {
  pass(ms: number): void
}

export const createTestClock = (start = '2026-01-01T00:00:00.000Z'): TestClock => {
  let now = Date.parse(start)
  return {
    now: () => new Date(now),
    pass: (ms) => {
      now += ms
    },
  }
}

export const SETTINGS: GatewaySettings = {
  queuedPerConversation: 20,
  pendingPerApp: 200,
  pendingPerDevice: 1000,
  deviceOfflineMs: 30_000,
  snapshotBytes: 1024 * 1024,
  stopMs: 60_000,
  reconcileMs: 60_000,
  leaseMs: 15_000,
}

/** Encrypts the secrets of the tests. */
export const SECRET_KEY = Buffer.alloc(32, 7)

const NO_TARGETS: CallbackTargets = { hosts: new Set(), devOrigins: new Set() }

export const SILENT: Wakeups = {
  conversationChanged: () => {},
  workAvailable: () => {},
  runChanged: () => {},
  runEnded: () => {},
  deliveriesAdded: () => {},
}

/** Every version accepts and returns any data, so no schema has to be read. */
const CHECKS = { input: null, output: null, contextActivities: false }
const ANY_DATA: ServiceSchemas = { peek: () => CHECKS, load: async () => CHECKS }

export const testContext = (db: Db, clock: Clock, settings: Partial<GatewaySettings> = {}): GatewayContext => ({
  db,
  writer: createWriter(db),
  clock,
  wakeups: SILENT,
  settings: { ...SETTINGS, ...settings },
  schemas: ANY_DATA,
  limits: { streams: { perDevice: 32, perApp: 16, perSubject: 4 }, requestsPerSecond: 500 },
  secrets: createSecretBox(SECRET_KEY),
  baseUrl: () => 'http://gateway.test',
  callbackTargets: NO_TARGETS,
})

export interface Service {
  readonly appId: string
  readonly endpointId: string
  readonly deviceId: string
  readonly maxRunSeconds: number
}

/** The default of a service (D-59). */
const MAX_RUN_SECONDS = 3600

const NEW_APP: Statement = {
  name: 'test_new_app',
  access: 'write',
  text: `insert into apps (app_id, owner_id, state, created_at) values ($1, 'owner', 'active', $2)`,
}
const NEW_DEVICE: Statement = {
  name: 'test_new_device',
  access: 'write',
  text: `insert into devices (device_id, state, heartbeat_at, created_at) values ($1, 'active', $2, $2)`,
}
const NEW_ENDPOINT: Statement = {
  name: 'test_new_endpoint',
  access: 'write',
  text: `insert into endpoints (app_id, endpoint_id, device_id, published_version, breaking_version, created_at)
    values ($1, $2, $3, 1, 1, $4)`,
}
const NEW_VERSION: Statement = {
  name: 'test_new_version',
  access: 'write',
  text: `insert into endpoint_versions (app_id, endpoint_id, version, compatibility, assistant, accepts, max_run_seconds, created_at)
    values ($1, $2, $3, $4, '{"type":"script"}', '[]', $6, $5)`,
}
const PUBLISH: Statement = {
  name: 'test_publish',
  access: 'write',
  text: `update endpoints set published_version = published_version + 1,
      breaking_version = case when $3 then published_version + 1 else breaking_version end
    where app_id = $1 and endpoint_id = $2 returning published_version`,
}
const MOVE: Statement = {
  name: 'test_move_service',
  access: 'write',
  text: 'update endpoints set device_id = $3 where app_id = $1 and endpoint_id = $2',
}
const BEAT: Statement = {
  name: 'test_beat',
  access: 'write',
  text: 'update devices set heartbeat_at = $2 where device_id = $1',
}

/** A new application with a service on a device that is online. */
export const newService = async (db: Db, now: Date, maxRunSeconds = MAX_RUN_SECONDS): Promise<Service> => {
  const suffix = randomUUID().slice(0, 8)
  const service = { appId: `app_${suffix}`, endpointId: `ep_${suffix}`, deviceId: `dev_${suffix}`, maxRunSeconds }
  await db.query(NEW_APP, [service.appId, now])
  await db.query(NEW_DEVICE, [service.deviceId, now])
  await db.query(NEW_ENDPOINT, [service.appId, service.endpointId, service.deviceId, now])
  await db.query(NEW_VERSION, [service.appId, service.endpointId, 1, 'compatible', now, maxRunSeconds])
  return service
}

/** Moves a service to another device. */
export const moveService = async (db: Db, { appId, endpointId }: Service, deviceId: string): Promise<void> => {
  await db.query(MOVE, [appId, endpointId, deviceId])
}

export const publish = async (db: Db, service: Service, breaking: boolean, now: Date): Promise<void> => {
  const [row] = await db.query<{ published_version: number }>(PUBLISH, [service.appId, service.endpointId, breaking])
  if (row === undefined) throw new Error('no such service')
  const compatibility = breaking ? 'breaking' : 'compatible'
  await db.query(NEW_VERSION, [
    service.appId,
    service.endpointId,
    row.published_version,
    compatibility,
    now,
    service.maxRunSeconds,
  ])
}

export const beat = async (db: Db, deviceId: string, now: Date): Promise<void> => {
  await db.query(BEAT, [deviceId, now])
}

export interface PlayedProcess {
  readonly workerId: string
  readonly deviceId: string
  /** Default: enough for any test. */
  readonly runSlots?: number
}

/** Renews the lease of a process that serves the device. */
export const appear = (
  { db, clock, settings }: GatewayContext,
  { workerId, deviceId, runSlots = 1000 }: PlayedProcess,
): Promise<void> => {
  const expiresAt = new Date(clock.now().getTime() + settings.leaseMs)
  return beatProcess(db, { processId: workerId, expiresAt, runSlots, deviceIds: [deviceId] })
}

/** Takes work in a process with a current lease. */
export const takeWork = async (
  context: GatewayContext,
  { limit, ...process }: PlayedProcess & { readonly limit: number },
): Promise<ClaimedRun[]> => {
  await appear(context, process)
  return claimWork(context, { ...process, limit })
}

/** Takes the next run of the service's device. */
export const takeRun = async (
  context: GatewayContext,
  { deviceId }: Pick<Service, 'deviceId'>,
): Promise<ClaimedRun> => {
  const [run] = await takeWork(context, { deviceId, workerId: 'worker', limit: 1 })
  if (run === undefined) throw new Error('no run can start')
  return run
}

/** A request under a new key, unless one is given. */
export const intention = (what: unknown = null, key: string = randomUUID()): IdempotentRequest => ({
  key,
  fingerprint: fingerprint({ method: 'POST', route: '/test', pathIds: {}, body: scanned(JSON.stringify(what)) }),
  traceparent: null,
})

export const newConversationId = async (
  context: GatewayContext,
  tenant: Tenant,
  endpointId: string,
): Promise<string> => {
  const outcome = await createConversation(context, tenant, intention(), { endpoint_id: endpointId })
  if (outcome.kind === 'refused') throw new Error(`no conversation: ${outcome.detail}`)
  return outcome.body.conversation_id
}

/** A new application with a service and a conversation. */
export const newConversation = async (
  db: Db,
  { clock = createTestClock(), settings = {} }: { clock?: TestClock; settings?: Partial<GatewaySettings> } = {},
) => {
  const context = testContext(db, clock, settings)
  const service = await newService(db, clock.now())
  const tenant = { appId: service.appId, subject: 'subject' }
  return {
    clock,
    context,
    service,
    tenant,
    conversationId: await newConversationId(context, tenant, service.endpointId),
  }
}

export const sendText = (
  context: GatewayContext,
  tenant: Tenant,
  conversationId: string,
  {
    text = 'hello',
    generation = 1,
    request = intention(text),
  }: { text?: string; generation?: number; request?: IdempotentRequest } = {},
) =>
  sendMessage(context, tenant, request, {
    app: { pendingLimit: null },
    conversationId,
    body: { expected_generation: generation, input: { text } },
  })
