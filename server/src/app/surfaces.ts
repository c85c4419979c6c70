import { createAuthenticator } from '../gateway/access/authenticate.ts'
import { createDeviceGate } from '../gateway/access/device-gate.ts'
import { createFailureLimit } from '../gateway/access/limit-failures.ts'
import type { KeyUse } from '../gateway/access/note-key-use.ts'
import { createFindOperator } from '../gateway/access/operator-gate.ts'
import { createAudit } from '../gateway/admin/audit.ts'
import type { OverviewHistory } from '../gateway/admin/overview-history.ts'
import type { GatewayContext } from '../gateway/context.ts'
import type { Senders } from '../gateway/fairness/senders.ts'
import type { Hub } from '../gateway/stream/hub.ts'
import type { StreamSlots } from '../gateway/stream/stream-slots.ts'
import type { WorkerApi } from '../gateway/worker-api/worker-api.ts'
import { createAdminHandlers } from '../http/handlers/admin.ts'
import { createGatewayHandlers } from '../http/handlers/gateway.ts'
import { createWorkerHandlers } from '../http/handlers/worker.ts'
import type { Metrics } from '../http/metrics.ts'
import type { Readiness } from '../http/probes.ts'
import type { OperatorSurface } from '../http/server.ts'
import { createHttpServer } from '../http/server.ts'
import { VERSION } from '../runtime/version.ts'
import type { GatewayOptions } from './gateway-options.ts'

export type Surface = Awaited<ReturnType<typeof createHttpServer>>

interface SurfaceParts {
  readonly options: GatewayOptions
  readonly context: GatewayContext
  readonly processId: string
  readonly hub: Hub
  readonly slots: StreamSlots
  readonly senders: Senders
  readonly keyUse: KeyUse
  readonly metrics: Metrics
  readonly readReadiness: () => Promise<Readiness>
  /** Null in a process without the operator API. */
  readonly history: OverviewHistory | null
  /** Null in a process without the role api. */
  readonly workerApi: WorkerApi | null
}

/** The process's servers, not listening yet: one for everyone, or one for clients and one for operators. */
export const createSurfaces = async (
  parts: SurfaceParts,
): Promise<{ readonly http: Surface; readonly operatorHttp: Surface | null }> => {
  const { options, context, hub, slots, senders, keyUse, workerApi, metrics, readReadiness } = parts
  const { db, clock } = context
  const { roles, timers, log, tracing } = options
  const failureLimit = createFailureLimit(clock)
  const authenticator = createAuthenticator(db, clock, failureLimit)
  const workers =
    workerApi === null
      ? null
      : { gate: createDeviceGate(context, failureLimit), handlers: createWorkerHandlers(workerApi) }
  const forgetKeys = (): void => {
    authenticator.forget()
    workers?.gate.forget()
  }
  const shared = {
    handlers: roles.has('api') ? createGatewayHandlers(context, { db, hub, slots }) : null,
    operator: operatorSurface(parts, forgetKeys),
    authenticator,
    workers,
    noteUse: keyUse.note,
    failureLimit,
    senders,
    hasOneConnection: db.kind === 'embedded',
    version: VERSION,
    readReadiness,
    metrics,
    log,
    tracing,
    clock,
    timers,
    deadlineMs: options.deadlineMs,
    trustProxy: options.trustProxy,
    rateLimit: options.rateLimit,
    checkResponses: options.checkResponses ?? false,
  }
  const http = await createHttpServer({
    ...shared,
    surface: options.operator === undefined ? 'all' : 'public',
    ...(options.tls === undefined ? {} : { tls: options.tls }),
    httpsOnly: options.httpsOnly,
    ...(options.demoPage === undefined ? {} : { demoPage: options.demoPage }),
    endStreams: () => {
      workerApi?.close()
      return hub.close()
    },
  })
  const operatorHttp =
    options.operator === undefined
      ? null
      : await createHttpServer({ ...shared, surface: 'operator', ...options.operator })
  return { http, operatorHttp }
}

/** Null without an admin token or without the api role. */
const operatorSurface = (
  { options, context, processId, history, metrics }: SurfaceParts,
  forgetKeys: () => void,
): OperatorSurface | null => {
  const { adminToken, timers } = options
  if (history === null || adminToken === null) return null
  const process = { processId, startedAt: context.clock.now(), readCounts: metrics.readCounts }
  return {
    token: adminToken,
    findOperator: createFindOperator(context.db, context.clock),
    audit: createAudit(context),
    handlers: createAdminHandlers(context, { process, history, timers, forgetKeys }),
  }
}
