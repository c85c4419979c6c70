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
import type { FailureLimit } from '../gateway/access/limit-failures.ts'
import { createFailureLimit } from '../gateway/access/limit-failures.ts'
import { createRateLimiter } from '../gateway/access/limit-rate.ts'
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
import { registerDocs, serveJson } from './site/docs.ts'

/** The part of the surface that a server serves: all, or clients or operators only. All parts include the probes. */
export type Surface = 'all' | 'public' | 'operator'

export interface OperatorSurface {
  /** The configured admin token. */
  readonly token: string
  /** Looks up operators by their tokens. */
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
  /** The gateway's version, which the probes report. */
  readonly version: string
  readonly readReadiness: () => Promise<Readiness>
  readonly clock: Clock
  readonly timers?: Timers
  /** Ends event streams and workers' long polls when the server closes; the server waits for it. */
  readonly endStreams?: () => Promise<void>
  /** How long an operation of the public API may take before it is answered with 503. Default 10 000. */
  readonly deadlineMs?: number
  /** The request rate of keys whose application has no rate. Default: unlimited. */
  readonly rateLimit?: Rate | null
  /** Called for each caller with an accepted key. */
  readonly noteUse?: (caller: Caller) => void
  /** Records each application's requests. Default: the server's own. */
  readonly senders?: Senders
  /**
   * Counts wrong operator tokens. Shared with the authenticator, so that wrong keys count too. Default: a separate one.
   */
  readonly failureLimit?: FailureLimit
  /** Whether the database has a single connection, on which large reads delay all others. Default false. */
  readonly hasOneConnection?: boolean
  /** How long `close` waits for pending requests before it closes their connections. Default 5000. */
  readonly drainMs?: number
  /**
   * Validates every answer and event against the contract, including undocumented members; for tests. A violation is
   * answered with 500 INTERNAL, logged, and added to `contractViolations`. Default false.
   */
  readonly checkResponses?: boolean
  /** The handler of `/demo`, looked up for each request. Default: the route does not exist. */
  readonly demoPage?: () => DemoPage | null
  /** The built documentation. Default: `docs/dist` of this repository, built or not. */
  readonly siteFolder?: string
  /** The built console. Default: `server/console/dist` of this repository, built or not. */
  readonly consoleFolder?: string
}

declare module 'fastify' {
  interface FastifyInstance {
    /** The violations that `checkResponses` has found, as text. */
    readonly contractViolations: readonly string[]
  }
}

/** How long pending requests may take when the server closes. */
const DRAIN_MS = 5000

const SITE = fileURLToPath(new URL('../../../docs/dist', import.meta.url))
const CONSOLE = fileURLToPath(new URL('../../console/dist', import.meta.url))

/** The gateway's HTTP surface: its APIs, probes, documentation and console. The caller makes it listen. */
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
  // The rest of the deadline is for the work itself.
  const waiting = { senders: options.senders ?? createSenders(clock), waitMs: deadlineMs / 2, timers }
  const failureLimit = options.failureLimit ?? createFailureLimit(clock)
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
    operatorGate: createOperatorGate(
      operator?.token ?? null,
      operator?.findOperator ?? (async () => null),
      failureLimit,
    ),
    audit: operator?.audit ?? (async () => async () => {}),
  }
}

/** Without the worker API there are no device callers. */
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
  await registerDocs(app, siteFolder)
}

const registerOperator = async (
  app: FastifyInstance,
  { operator, consoleFolder = CONSOLE }: HttpServerOptions,
  context: ServingContext,
): Promise<void> => {
  if (operator === null) return
  const contract = { document: adminDocument, table: ADMIN_OPERATIONS, handlers: operator.handlers }
  registerOperations<AdminOperations, typeof ADMIN_OPERATIONS>(app, contract, context)
  serveJson(app, '/admin/openapi.json', adminDocument)
  await registerConsole(app, consoleFolder)
}

/** How often connections that became idle during the close are checked. */
const IDLE_CHECK_MS = 20
/** How long a connection without any received bytes may stay open: its request may be in transit. */
const SILENT_MS = 500

/**
 * Lets pending requests finish while the server closes, and closes each connection as soon as it is idle; a kept-alive
 * connection would delay the close indefinitely. Connections without a request, which clients open in advance, count as
 * busy in Node and are closed soon. Connections still open after `drainMs` are closed.
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
      setInterval(() => server.closeIdleConnections(), IDLE_CHECK_MS),
      setTimeout(() => {
        for (const socket of open) if (socket.bytesRead === 0) socket.destroy()
      }, SILENT_MS),
      setTimeout(() => server.closeAllConnections(), drainMs),
    ]
    server.once('close', () => timers.forEach(clearTimeout))
  }
}
