/**
 * A server for the admission benchmarks, in a separate process: `node server-process.ts '<ServerPlan as JSON>'`. All
 * shapes are HTTP servers with the same authentication and validation. They differ only in how they admit a message.
 * Prints a ServerReady as JSON when it serves, and ends on SIGTERM.
 */

import { systemClock } from '@conversation-gateway/openapi/behaviour/clock'
import { newId } from '@conversation-gateway/openapi/behaviour/ids'
import { createAuthenticator } from '../../src/gateway/access/authenticate.ts'
import { createFailureLimit } from '../../src/gateway/access/limit-failures.ts'
import type { GatewayContext } from '../../src/gateway/context.ts'
import { createServiceSchemas } from '../../src/gateway/service-schemas.ts'
import { createEventReader } from '../../src/gateway/stream/event-reader.ts'
import { createHub } from '../../src/gateway/stream/hub.ts'
import { createStreamSlots } from '../../src/gateway/stream/stream-slots.ts'
import { createWakeupBus } from '../../src/gateway/wakeups/wakeup-bus.ts'
import { sseFrames } from '../../src/http/answers/sse-frame.ts'
import type { GatewayHandlers } from '../../src/http/handlers/gateway.ts'
import { createGatewayHandlers } from '../../src/http/handlers/gateway.ts'
import { createMetrics } from '../../src/http/metrics.ts'
import { createHttpServer } from '../../src/http/server.ts'
import { createLogger } from '../../src/runtime/log.ts'
import { systemTimers } from '../../src/runtime/timers.ts'
import type { Db, Statement } from '../../src/store/db.ts'
import { createPgDb } from '../../src/store/drivers/pg.ts'
import { createPgliteDb } from '../../src/store/drivers/pglite.ts'
import { migrate } from '../../src/store/migrate.ts'
import type { Wakeups } from '../../src/writer/wakeups.ts'
import { createWriter } from '../../src/writer/writer.ts'
import { admitBare } from '../bare-admission.ts'
import { admitInteractively } from '../interactive-admission.ts'
import { FAR_LIMITS } from './far-limits.ts'
import { populate } from './populate.ts'

export type Shape = 'gateway' | 'insert' | 'interactive'

export interface ServerPlan {
  readonly shape: Shape
  /** A PostgreSQL that has been populated, or a folder for an embedded database that this process populates. */
  readonly database: { readonly url: string } | { readonly folder: string }
  /** Whether changes are announced, in this process and to others. */
  readonly wakeOthers: boolean
  /** The number of conversations to create in an embedded database, which only this process can open. */
  readonly conversations: number
}

/**
 * Asks the process to execute bare admissions, without HTTP, for some time. It answers with the rate per second.
 */
export interface BareRequest {
  readonly concurrency: number
  readonly measureMs: number
}

export interface ServerReady {
  readonly port: number
  /** The records for the load, if this process populated the database. */
  readonly population: Awaited<ReturnType<typeof populate>> | null
}

const SILENT: Wakeups = {
  conversationChanged: () => {},
  workAvailable: () => {},
  runChanged: () => {},
  runEnded: () => {},
  deliveriesAdded: () => {},
}
const INSERT: Statement = {
  name: 'bench_insert',
  access: 'write',
  text: 'insert into bench_messages (message_id, conversation_id, text, created_at) values ($1, $2, $3, $4)',
}

type SendMessage = GatewayHandlers['sendMessage']

const sendWith = (shape: Shape, db: Db, standard: SendMessage): SendMessage => {
  if (shape === 'gateway') return standard
  if (shape === 'insert')
    return async ({ path: { conversation_id: conversationId }, body }) => {
      const messageId = newId('msg')
      await db.query(INSERT, [messageId, conversationId, body.input.text ?? null, new Date()])
      const run_id = newId('run')
      const state = 'queued' as const
      const answer = {
        conversation_id: conversationId,
        generation: 1,
        message_id: messageId,
        run_id,
        state,
        event_cursor: 1,
      }
      return { kind: 'admitted', status: 202, body: answer, replayed: false }
    }
  const limits = {
    queued: FAR_LIMITS.queuedPerConversation,
    app: FAR_LIMITS.pendingPerApp,
    device: FAR_LIMITS.pendingPerDevice,
  }
  return async ({ tenant, path, idempotency, body }) => ({
    kind: 'admitted',
    status: 202,
    body: await admitInteractively(db, tenant, path.conversation_id, idempotency, body, limits),
    replayed: false,
  })
}

const admitForAWhile = async ({ concurrency, measureMs }: BareRequest): Promise<number> => {
  if (population === null) throw new Error('only a process that populated its database issues bare statements')
  const { conversationIds } = population
  let admitted = 0
  const end = performance.now() + measureMs
  const loop = async (): Promise<void> => {
    while (performance.now() < end) {
      await admitBare(db, population, conversationIds[admitted % conversationIds.length] ?? '')
      admitted += 1
    }
  }
  await Promise.all(Array.from({ length: concurrency }, loop))
  return admitted / (measureMs / 1000)
}

const plan: ServerPlan = JSON.parse(process.argv[2] ?? '{}')
const log = createLogger({ level: 'warn' })
const onError = (error: unknown): void => log.error({ err: error }, 'bench server')
const db =
  'url' in plan.database
    ? createPgDb({ url: plan.database.url, log })
    : await createPgliteDb({ folder: plan.database.folder, log })
if ('folder' in plan.database) await migrate(db)
const population = 'folder' in plan.database ? await populate(db, plan.conversations) : null
const bus = await createWakeupBus({ db, timers: systemTimers, processId: newId('req'), wakeMs: 10, onError })
const context: GatewayContext = {
  db,
  writer: createWriter(db),
  clock: systemClock,
  wakeups: plan.wakeOthers ? bus : SILENT,
  settings: FAR_LIMITS,
  schemas: createServiceSchemas(),
  secrets: null,
  baseUrl: () => '',
  callbackTargets: { hosts: new Set<string>(), devOrigins: new Set<string>() },
  limits: { streams: { perDevice: 32, perApp: 16, perSubject: 4 }, requestsPerSecond: null },
}
const hub = createHub({
  reader: createEventReader(db),
  frames: sseFrames,
  clock: systemClock,
  timers: systemTimers,
  wakeups: bus,
  pingMs: 15_000,
  graceMs: 1000,
  retryMs: 500,
  onError,
  onLag: () => {},
})
const limits = { perDevice: 10_000, perApp: 10_000, perSubject: 10_000 }
const slots = createStreamSlots({
  db,
  clock: systemClock,
  timers: systemTimers,
  processId: newId('req'),
  limits,
  onError,
})
const handlers = createGatewayHandlers(context, { db, hub, slots })
const http = await createHttpServer({
  handlers: { ...handlers, sendMessage: sendWith(plan.shape, db, handlers.sendMessage) },
  operator: null,
  authenticator: createAuthenticator(db, systemClock, createFailureLimit(systemClock)),
  version: 'bench',
  readReadiness: async () => ({ ready: true, store: 'postgresql', durability: '', database: true, roles: {} }),
  metrics: createMetrics({
    version: 'bench',
    readGauges: async () => ({
      runsByState: {},
      oldestQueuedSeconds: 0,
      openStreams: 0,
      openStreamsByApp: {},
      workers: 0,
      deliveriesByState: {},
      eventLagSeconds: 0,
      databaseSeconds: 0,
      admissionPaused: false,
    }),
  }),
  log,
  clock: systemClock,
})
await http.listen({ host: '127.0.0.1', port: 0 })
const address = http.server.address()
const ready: ServerReady = { port: typeof address === 'object' && address !== null ? address.port : 0, population }
console.log(JSON.stringify(ready))
process.on('message', (request: BareRequest) => {
  admitForAWhile(request)
    .then((perSecond) => process.send?.(perSecond))
    .catch(onError)
})
const stop = async (): Promise<void> => {
  await http.close()
  await Promise.all([slots.close(), bus.close()])
  await db.close()
}
process.on('SIGTERM', () => {
  stop()
    .catch(onError)
    .then(() => process.exit(0), onError)
})
