import type { Socket } from 'node:net'
import { fileURLToPath } from 'node:url'
import adminDocument from '@conversation-gateway/openapi/admin.json' with { type: 'json' }
import type { Clock } from '@conversation-gateway/openapi/behaviour/clock'
import { refuse } from '@conversation-gateway/openapi/behaviour/refusal'
import gatewayDocument from '@conversation-gateway/openapi/gateway.json' with { type: 'json' }
import type { operations as AdminOperations } from '@conversation-gateway/openapi/generated/admin-closed'
import type { operations as GatewayOperations } from '@conversation-gateway/openapi/generated/gateway-closed'
import { ADMIN_OPERATIONS, OPERATIONS, WORKER_OPERATIONS } from '@conversation-gateway/openapi/generated/operations'
import type { operations as WorkerOperations } from '@conversation-gateway/openapi/generated/worker-closed'
import workerDocument from '@conversation-gateway/openapi/worker.json' with { type: 'json' }
import type { FastifyInstance, FastifyReply } from 'fastify'
import type { Rate } from '../domain/token-bucket.ts'
import type { Authenticator, Caller } from '../gateway/access/authenticate.ts'
import type { DeviceGate } from '../gateway/access/device-gate.ts'
import { createRateLimiter } from '../gateway/access/limit-rate.ts'
import type { StrangerLimit } from '../gateway/access/limit-strangers.ts'
import { createStrangerLimit } from '../gateway/access/limit-strangers.ts'
import type { FindOperator } from '../gateway/access/operator-gate.ts'
import { createOperatorGate } from '../gateway/access/operator-gate.ts'
import type { Audit } from '../gateway/admin/audit.ts'
import { createAtPace, createInTurn, createReadAtPace } from '../gateway/fairness/fairness.ts'
import type { Senders } from '../gateway/fairness/senders.ts'
import { createSenders } from '../gateway/fairness/senders.ts'
import type { EventSink } from '../gateway/stream/event-sink.ts'
import type { Timers } from '../runtime/timers.ts'
import { systemTimers } from '../runtime/timers.ts'
import { DEADLINE_MS } from '../store/drivers/limits.ts'
import { createResponseCheck } from './answers/check-responses.ts'
import { beginEventStream } from './answers/event-stream.ts'
import { installResponseCheck } from './answers/install-response-check.ts'
import type { FrameworkOptions } from './framework.ts'
import { createFramework } from './framework.ts'
import type { AdminHandlers } from './handlers/admin.ts'
import type { GatewayHandlers } from './handlers/gateway.ts'
import type { WorkerHandlers } from './handlers/worker.ts'
import { createKeyWatch } from './key-watch.ts'
import type { Readiness } from './probes.ts'
import { registerProbes } from './probes.ts'
import type { ServingContext } from './routes.ts'
import { registerOperations } from './routes.ts'
import { registerConsole } from './site/console.ts'
import type { DemoPage } from './site/demo.ts'
import { registerDemo } from './site/demo.ts'
import { registerAdminDocument, registerDocs } from './site/docs.ts'

/** What a server answers: all, or one of two that share it; the probes are on both. */
export type Surface = 'all' | 'public' | 'operator'

export interface OperatorSurface {
  /** The token of the settings. */
  readonly token: string
  /** Finds those who have tokens of their own. */
  readonly findOperator: FindOperator
  readonly audit: Audit
  readonly handlers: AdminHandlers
}

export interface HttpServerOptions extends FrameworkOptions {
  /** Default: all. */
  readonly surface?: Surface
  /** Null leaves `/api/v1` out: a process without the role `api` has its probes and the documentation. */
  readonly handlers: GatewayHandlers | null
  readonly authenticator: Authenticator
  /** The operator's surface; null leaves `/admin/v1` out of this process. */
  readonly operator: OperatorSurface | null
  /** The worker API (D-67). Default: this process does not have it. */
  readonly workers?: { readonly gate: DeviceGate; readonly handlers: WorkerHandlers } | null
  /** That of the gateway, as its probes tell it. */
  readonly version: string
  readonly readReadiness: () => Promise<Readiness>
  readonly clock: Clock
  readonly timers?: Timers
  /** Ends the event streams, and what workers wait for, when the server closes; it waits for this. */
  readonly endStreams?: () => Promise<void>
  /** How long an operation of the public API may take before it is answered with 503. Default 10 000. */
  readonly deadlineMs?: number
  /** What a key may do whose application has no rate of its own. Default: as much as it likes. */
  readonly rateLimit?: Rate | null
  /** Told of each caller whose key was accepted. Default: nobody. */
  readonly noteUse?: (caller: Caller) => void
  /** Told of each request of an application. Default: the server's own. */
  readonly senders?: Senders
  /** Counts wrong tokens of operators; the authenticator's, so that wrong keys count too. Default: one of its own. */
  readonly strangers?: StrangerLimit
  /** Whether the database has a single connection, on which large reads hold up everybody. Default false. */
  readonly hasOneConnection?: boolean
  /** How long `close` waits for requests under way before it cuts their connections. Default 5000. */
  readonly drainMs?: number
  /**
   * Holds every answer and event against the contract, undocumented members included; for tests. A violation is
   * answered with 500 INTERNAL, logged, and added to `contractViolations`. Default false.
   */
  readonly checkResponses?: boolean
  /** The program behind `/demo`, asked for at each request. Default: there is no such route. */
  readonly demoPage?: () => DemoPage | null
  /** The built documentation. Default: `docs/dist` of this repository, built or not. */
  readonly siteFolder?: string
  /** The built console. Default: `server/console/dist` of this repository, built or not. */
  readonly consoleFolder?: string
}

declare module 'fastify' {
  interface FastifyInstance {
    /** What `checkResponses` has found, in words. */
    readonly contractViolations: readonly string[]
  }
}

/** How long requests under way may take to finish when the server closes. */
const DRAIN_MS = 5000

const SITE = fileURLToPath(new URL('../../../docs/dist', import.meta.url))
const CONSOLE = fileURLToPath(new URL('../../console/dist', import.meta.url))

/** The gateway's HTTP surface: both contracts, probes and documentation. It listens when the caller says so. */
export const createHttpServer = async (options: HttpServerOptions): Promise<FastifyInstance> => {
  const { surface = 'all', checkResponses = false, drainMs = DRAIN_MS, timers = systemTimers } = options
  const { authenticator, log, version, readReadiness, metrics } = options
  const app = createFramework(options)
  const check = checkResponses
    ? installResponseCheck(app, createResponseCheck(gatewayDocument, adminDocument, workerDocument), log)
    : null
  app.decorate('contractViolations', check?.violations ?? [])

  registerProbes(app, { version, readReadiness, metrics: surface === 'public' ? null : metrics })
  const keyWatch = createKeyWatch(authenticator, timers, (error) =>
    log.error({ err: error }, 'keys of streams not read'),
  )
  const beginStream = (reply: FastifyReply): EventSink => {
    const sink = beginEventStream(reply)
    return check === null ? sink : check.inspectStream(sink, reply)
  }
  const context = { ...createServingContext(options), keyWatch, beginStream }
  if (surface !== 'operator') await registerPublic(app, options, context)
  if (surface !== 'public') await registerOperator(app, options, context)

  const drain = createDrain(app, drainMs)
  app.addHook('preClose', async () => {
    keyWatch.close()
    await options.endStreams?.()
    drain()
  })
  return app
}

const createServingContext = (options: HttpServerOptions): Omit<ServingContext, 'keyWatch' | 'beginStream'> => {
  const { authenticator, operator, log, clock, deadlineMs = DEADLINE_MS, rateLimit = null } = options
  const { timers = systemTimers } = options
  // What is left of the deadline is for the work.
  const waiting = { senders: options.senders ?? createSenders(clock), waitMs: deadlineMs / 2, timers }
  const strangers = options.strangers ?? createStrangerLimit(clock)
  return {
    log,
    deadlineMs,
    inTurn: createInTurn(waiting),
    atPace: createAtPace({ ...waiting, clock }),
    readAtPace: options.hasOneConnection === true ? createReadAtPace({ ...waiting, clock }) : null,
    authenticator,
    noteUse: options.noteUse ?? (() => {}),
    limitRate: createRateLimiter(clock, rateLimit),
    deviceGate: options.workers?.gate ?? NO_DEVICES,
    operatorGate: createOperatorGate(operator?.token ?? null, operator?.findOperator ?? (async () => null), strangers),
    audit: operator?.audit ?? (async () => async () => {}),
  }
}

/** Where there is no worker API, no device asks. */
const NO_DEVICES: DeviceGate = {
  authenticate: async () => refuse('UNAUTHENTICATED', 'The key is not valid.'),
  forget: () => {},
}

const registerPublic = async (
  app: FastifyInstance,
  { handlers, workers = null, siteFolder = SITE, demoPage }: HttpServerOptions,
  context: ServingContext,
): Promise<void> => {
  if (handlers !== null) {
    const contract = { document: gatewayDocument, table: OPERATIONS, handlers }
    registerOperations<GatewayOperations, typeof OPERATIONS>(app, contract, context)
  }
  if (workers !== null) {
    const contract = { document: workerDocument, table: WORKER_OPERATIONS, handlers: workers.handlers }
    registerOperations<WorkerOperations, typeof WORKER_OPERATIONS>(app, contract, context)
  }
  if (demoPage !== undefined) registerDemo(app, demoPage)
  await registerDocs(app, { siteFolder })
}

const registerOperator = async (
  app: FastifyInstance,
  { operator, consoleFolder = CONSOLE }: HttpServerOptions,
  context: ServingContext,
): Promise<void> => {
  if (operator === null) return
  const contract = { document: adminDocument, table: ADMIN_OPERATIONS, handlers: operator.handlers }
  registerOperations<AdminOperations, typeof ADMIN_OPERATIONS>(app, contract, context)
  registerAdminDocument(app, adminDocument)
  await registerConsole(app, consoleFolder)
}

/** How often connections are looked at that became idle after the server began to close. */
const LOOK_MS = 20
/** How long a connection that has not sent a byte yet may go on doing so: its request may just be on its way. */
const SILENT_MS = 500

/**
 * Returns what lets requests under way finish while the server closes, and closes each connection as soon as it is idle:
 * kept alive, it would hold up the closing for as long as its client likes. Connections that were only opened, as clients
 * do in advance, count as busy for Node and are closed soon. What is not done after `drainMs` is cut off.
 */
const createDrain = (app: FastifyInstance, drainMs: number): (() => void) => {
  const { server } = app
  const open = new Set<Socket>()
  server.on('connection', (socket: Socket) => {
    open.add(socket)
    socket.once('close', () => open.delete(socket))
  })
  return () => {
    const timers = [
      setInterval(() => server.closeIdleConnections(), LOOK_MS),
      setTimeout(() => {
        for (const socket of open) if (socket.bytesRead === 0) socket.destroy()
      }, SILENT_MS),
      setTimeout(() => server.closeAllConnections(), drainMs),
    ]
    server.once('close', () => timers.forEach(clearTimeout))
  }
}
