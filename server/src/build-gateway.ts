import { randomUUID } from 'node:crypto'
import type { Clock } from '@conversation-gateway/openapi/behaviour/clock'
import type { Logger } from 'pino'
import { createAssistants } from './assistants/registry.ts'
import { createAttempt } from './delivery/attempt.ts'
import { createGuardedConnect } from './delivery/guarded-connect.ts'
import { createPostEvent } from './delivery/post-event.ts'
import { createResolveHost } from './delivery/resolve-host.ts'
import type { DeliverySettings } from './delivery/settings.ts'
import { DEFAULT_DELIVERY_SETTINGS } from './delivery/settings.ts'
import type { DeliveryWorker } from './delivery/worker.ts'
import { createDeliveryWorker } from './delivery/worker.ts'
import { createExecutionPort } from './devices/execution-port.ts'
import type { WorkerSettings } from './devices/settings.ts'
import type { DeviceWorker } from './devices/worker.ts'
import { createDeviceWorker } from './devices/worker.ts'
import type { CallbackTargets } from './domain/callback-url.ts'
import type { SecretKeys } from './domain/secret-box.ts'
import { createSecretBox } from './domain/secret-box.ts'
import type { Rate } from './domain/token-bucket.ts'
import { createAudit } from './gateway/admin/audit.ts'
import { createAuthenticator } from './gateway/authenticate.ts'
import type { GatewayContext, GatewaySettings } from './gateway/context.ts'
import { endInterruptedWork } from './gateway/interrupted-work.ts'
import { createStrangerLimit } from './gateway/limit-strangers.ts'
import type { KeyUse } from './gateway/note-key-use.ts'
import { createKeyUse } from './gateway/note-key-use.ts'
import { createFindOperator } from './gateway/operator-gate.ts'
import { createPresence } from './gateway/presence.ts'
import type { Retention } from './gateway/retention.ts'
import { createEventReader } from './gateway/stream/event-reader.ts'
import type { Hub } from './gateway/stream/hub.ts'
import { createHub } from './gateway/stream/hub.ts'
import type { StreamSlots } from './gateway/stream/stream-slots.ts'
import { createStreamSlots } from './gateway/stream/stream-slots.ts'
import type { Timers } from './gateway/stream/timers.ts'
import type { Tracing } from './gateway/tracing.ts'
import { NO_TRACING } from './gateway/tracing.ts'
import { createWakeupBus } from './gateway/wakeup-bus.ts'
import { createWriter } from './gateway/writer/writer.ts'
import type { Tls } from './http/framework.ts'
import { createHttpServer } from './http/server.ts'
import { sseFrames } from './http/sse-frame.ts'
import { bindOperatorUseCases, bindUseCases } from './http/use-cases.ts'
import type { MaintenanceWorker } from './maintenance/worker.ts'
import { createMaintenanceWorker } from './maintenance/worker.ts'
import { observeGateway } from './observe-gateway.ts'
import { logRunEnd, observeWork } from './observe-work.ts'
import type { Role } from './settings.ts'
import type { DatabaseError } from './store/count-errors.ts'
import { countErrors } from './store/count-errors.ts'
import type { Db } from './store/db.ts'
import type { StreamLimits } from './store/streams.ts'
import { VERSION } from './version.ts'

export interface GatewayOptions {
  readonly db: Db
  readonly clock: Clock
  /** How far this machine's clock is ahead of the database's; null where they are one. Default: null. */
  readonly clockOffsetSeconds?: () => number | null
  /** How long a request may wait for the database. Default 10 000. */
  readonly deadlineMs?: number
  readonly timers: Timers
  readonly log: Logger
  /** Follows requests, runs and callbacks. Default: nobody does. */
  readonly tracing?: Tracing
  readonly roles: ReadonlySet<Role>
  readonly settings: GatewaySettings
  /** How long the maintenance role keeps things. Default: 7 days for events, 30 days for bodies. */
  readonly retention?: Retention
  readonly worker: WorkerSettings
  /** Devices that this process serves; null for all. */
  readonly deviceIds: readonly string[] | null
  readonly streamLimits: StreamLimits
  /** What a key may do whose application has no rate of its own (D-61). Default: as much as it likes. */
  readonly rateLimit?: Rate | null
  /** Between two signs of life on a stream, in milliseconds (D-30). */
  readonly pingMs: number
  /** Between two rounds of wake-ups to other processes, in milliseconds. */
  readonly wakeMs: number
  /** Null leaves the operator's API out of this process, as the absence of the api role does. */
  readonly adminToken: string | null
  readonly tls?: Tls
  readonly trustProxy: boolean
  /** Whether clients reach it by HTTPS alone. Default: with `tls`. */
  readonly httpsOnly?: boolean
  /** A server of its own for the admin API and the metrics. Absent: they are on the one of everything else. */
  readonly operator?: { readonly tls?: Tls }
  readonly environment: Readonly<Record<string, string | undefined>>
  /** The keys of GATEWAY_SECRET_KEY; null where no secret can be stored. */
  readonly secretKeys: SecretKeys | null
  /** The origin that the gateway is reached under; asked for once it listens. */
  readonly baseUrl: () => string
  /** Where callbacks may be sent to (D-41). */
  readonly callbackTargets: CallbackTargets
  /** Default: `DEFAULT_DELIVERY_SETTINGS`. */
  readonly delivery?: DeliverySettings
  /** What relative paths of assistant modules are relative to. */
  readonly moduleDirectory: string
  /** Holds every answer against the contract; for tests. Default false. */
  readonly checkResponses?: boolean
}

/** One process of the gateway, put together and not started. */
export interface Gateway {
  /** When application keys were last used, as this process knows it. */
  readonly keyUse: KeyUse
  readonly context: GatewayContext
  /** Answers the API, or only probes and documentation where the process has no api role. It listens when the caller says so. */
  readonly http: Awaited<ReturnType<typeof createHttpServer>>
  /** Answers operators; null where `http` does. It listens when the caller says so. */
  readonly operatorHttp: Awaited<ReturnType<typeof createHttpServer>> | null
  /** Starts the workers of the process's roles. */
  start(): Promise<void>
  /** Ends streams cleanly, lets requests and runs in hand finish within their times, and gives everything back. */
  stop(): Promise<void>
}

/** How long a reader may take over what is under way to it when its stream is ended. */
const STREAM_GRACE_MS = 2000
const READ_RETRY_MS = 500

/** The composition root: the only place that knows every part. */
export const buildGateway = async (options: GatewayOptions): Promise<Gateway> => {
  const { clock, timers, log, roles, settings, retention, tracing = NO_TRACING } = options
  // The metrics read the database, which tells them of its errors.
  let countDatabaseError: (kind: DatabaseError) => void = () => {}
  const db = countErrors(options.db, (kind) => countDatabaseError(kind))
  const processId = randomUUID()
  const report = (during: string) => (error: unknown) => log.error({ err: error }, during)
  const wakeups = await createWakeupBus({
    db,
    timers,
    processId,
    wakeMs: options.wakeMs,
    onError: report('a wake-up was lost'),
  })
  const context: GatewayContext = {
    db,
    writer: createWriter(db),
    clock,
    wakeups,
    settings,
    limits: { streams: options.streamLimits, requestsPerSecond: options.rateLimit?.perSecond ?? null },
    secrets: options.secretKeys === null ? null : createSecretBox(...options.secretKeys),
    baseUrl: options.baseUrl,
    callbackTargets: options.callbackTargets,
  }

  let lagMs = 0
  const hub: Hub = createHub({
    reader: createEventReader(db),
    frames: sseFrames,
    clock,
    timers,
    wakeups,
    pingMs: options.pingMs,
    graceMs: STREAM_GRACE_MS,
    retryMs: READ_RETRY_MS,
    onError: report('events could not be read'),
    onLag: (ms) => {
      lagMs = ms
    },
  })
  const slots: StreamSlots = createStreamSlots({
    db,
    clock,
    timers,
    processId,
    limits: options.streamLimits,
    onError: report('the places of streams could not be renewed'),
  })

  const presence = createPresence({
    db,
    clock,
    timers,
    elapsedMs: () => performance.now(),
    processId,
    runSlots: roles.has('device') ? options.worker.runConcurrency : 0,
    deviceIds: options.deviceIds,
    beatMs: options.worker.heartbeatMs,
    leaseMs: settings.leaseMs,
    onError: report('the process could not say that it is there'),
  })

  const worker: DeviceWorker | null = roles.has('device')
    ? createDeviceWorker({
        port: createExecutionPort(context, {
          workerId: processId,
          deviceIds: options.deviceIds,
        }),
        assistants: createAssistants({
          environment: options.environment,
          moduleDirectory: options.moduleDirectory,
          timers,
        }),
        timers,
        wakeups,
        log,
        observer: observeWork(log, clock, () => metrics),
        tracing,
        settings: options.worker,
      })
    : null
  const maintenance: MaintenanceWorker | null = roles.has('maintenance')
    ? createMaintenanceWorker({
        context,
        timers,
        log,
        canJudge: presence.canJudge,
        ...(retention === undefined ? {} : { retention }),
      })
    : null

  const deliverySettings = options.delivery ?? DEFAULT_DELIVERY_SETTINGS
  const delivery: DeliveryWorker | null = roles.has('delivery')
    ? createDeliveryWorker({
        context,
        workerId: processId,
        attempt: createAttempt(
          context,
          createPostEvent({
            connect: createGuardedConnect({ resolve: createResolveHost() }),
            timers,
            settings: deliverySettings,
          }),
          tracing,
        ),
        timers,
        wakeups,
        log,
        settings: deliverySettings,
        random: Math.random,
        onAttempt: (state, seconds) => {
          metrics.countDelivery(state, seconds)
          metrics.countDeliveryEnds(state, 1)
        },
        onSettled: (state, count) => metrics.countDeliveryEnds(state, count),
      })
    : null

  let started = false
  const { metrics, readReadiness } = observeGateway({
    db,
    clock,
    roles,
    isRunning: (role) => started && isRunning(role, worker, delivery),
    eventLagMs: () => lagMs,
    clockOffsetSeconds: options.clockOffsetSeconds ?? (() => null),
  })
  countDatabaseError = metrics.countDatabaseError
  wakeups.onRunEnd(
    (end) => {
      metrics.countRunEnd(end)
      logRunEnd(log, end)
    },
    () => {},
  )
  const strangers = createStrangerLimit(clock)
  const keyUse = createKeyUse(db, clock, timers, report('the last use of keys could not be written'))
  const shared = {
    useCases: roles.has('api') ? bindUseCases(context, { db, hub, slots }) : null,
    operator:
      roles.has('api') && options.adminToken !== null
        ? {
            token: options.adminToken,
            findOperator: createFindOperator(db, clock),
            audit: createAudit(context),
            useCases: bindOperatorUseCases(context, {
              processId,
              startedAt: clock.now(),
              readCounts: metrics.readCounts,
            }),
          }
        : null,
    authenticator: createAuthenticator(db, clock, strangers),
    noteUse: keyUse.note,
    strangers,
    version: VERSION,
    readReadiness,
    metrics,
    log,
    tracing,
    clock,
    timers,
    ...(options.deadlineMs === undefined ? {} : { deadlineMs: options.deadlineMs }),
    trustProxy: options.trustProxy,
    rateLimit: options.rateLimit ?? null,
    checkResponses: options.checkResponses ?? false,
  }
  const http = await createHttpServer({
    ...shared,
    surface: options.operator === undefined ? 'all' : 'public',
    ...(options.tls === undefined ? {} : { tls: options.tls }),
    ...(options.httpsOnly === undefined ? {} : { httpsOnly: options.httpsOnly }),
    endStreams: () => hub.close(),
  })
  const operatorHttp =
    options.operator === undefined
      ? null
      : await createHttpServer({ ...shared, surface: 'operator', ...options.operator })

  return {
    context,
    keyUse,
    http,
    operatorHttp,
    start: async () => {
      if (db.kind === 'embedded') await endInterruptedWork(context, log)
      await presence.start()
      maintenance?.start()
      await Promise.all([worker?.start(), delivery?.start()])
      started = true
    },
    stop: async () => {
      started = false
      await Promise.all([http.close(), operatorHttp?.close(), worker?.stop(), delivery?.stop(), maintenance?.stop()])
      await keyUse.close()
      await slots.close()
      await presence.stop()
      await wakeups.close()
      await tracing.close()
    },
  }
}

const isRunning = (role: Role, worker: DeviceWorker | null, delivery: DeliveryWorker | null): boolean => {
  if (role === 'device') return worker?.status().connected === true
  return role !== 'delivery' || delivery?.status().connected === true
}
