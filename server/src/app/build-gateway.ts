import { randomUUID } from 'node:crypto'
import { createHttpSource } from '../assistants/http/source.ts'
import { createAssistants } from '../assistants/registry.ts'
import { createAttempt } from '../delivery/attempt.ts'
import { createGuardedConnect } from '../delivery/guarded-connect.ts'
import { createPostEvent } from '../delivery/post-event.ts'
import { createResolveHost } from '../delivery/resolve-host.ts'
import type { DeliveryWorker } from '../delivery/worker.ts'
import { createDeliveryWorker } from '../delivery/worker.ts'
import { createExecutionPort } from '../devices/execution-port.ts'
import { createModuleHost } from '../devices/isolation/module-host.ts'
import type { DeviceWorker } from '../devices/worker.ts'
import { createDeviceWorker } from '../devices/worker.ts'
import { createSecretBox } from '../domain/secret-box.ts'
import type { KeyUse } from '../gateway/access/note-key-use.ts'
import { createKeyUse } from '../gateway/access/note-key-use.ts'
import { createOverviewHistory } from '../gateway/admin/overview-history.ts'
import type { GatewayContext } from '../gateway/context.ts'
import type { RunRef } from '../gateway/execution.ts'
import { createPacedWriter } from '../gateway/fairness/paced-writer.ts'
import { createSenders } from '../gateway/fairness/senders.ts'
import { endInterruptedWork } from '../gateway/interrupted-work.ts'
import { createPresence } from '../gateway/presence.ts'
import { createServiceSchemas } from '../gateway/service-schemas.ts'
import { createEventReader } from '../gateway/stream/event-reader.ts'
import { createHub } from '../gateway/stream/hub.ts'
import { createStreamSlots } from '../gateway/stream/stream-slots.ts'
import { createWakeupBus } from '../gateway/wakeups/wakeup-bus.ts'
import { createWorkerApi } from '../gateway/worker-api/worker-api.ts'
import { sseFrames } from '../http/answers/sse-frame.ts'
import { createMaintenanceWorker } from '../maintenance/worker.ts'
import { watchErrors } from '../store/maintenance/watch-errors.ts'
import type { FreeSlots } from '../writer/starts.ts'
import { joinFreeSlots } from '../writer/starts.ts'
import { createWriter } from '../writer/writer.ts'
import type { GatewayOptions } from './gateway-options.ts'
import { createProcessMetrics, createReadReadiness } from './observe/observe-gateway.ts'
import { logRunEnd, observeWork } from './observe/observe-work.ts'
import type { Role } from './settings/settings.ts'
import type { Surface } from './surfaces.ts'
import { createSurfaces } from './surfaces.ts'

/** One process of the gateway, assembled but not started. */
export interface Gateway {
  /** When application keys were last used, as far as this process knows. */
  readonly keyUse: KeyUse
  readonly context: GatewayContext
  /** Serves the API, or only probes and documentation without the api role. The caller makes it listen. */
  readonly http: Surface
  /** A separate server for the admin API and the metrics; null if none is configured. The caller makes it listen. */
  readonly operatorHttp: Surface | null
  /** Starts the workers of the process's roles. */
  start(): Promise<void>
  /**
   * Drains: takes no more runs and lets executing runs continue for the drain time, while everything else continues
   * (D-73). Then ends streams cleanly, lets requests finish within their time limit, and releases all resources except
   * the database.
   */
  stop(): Promise<void>
  /** The runs that this process executes. */
  heldRuns(): RunRef[]
}

/** How long a reader may take to receive pending data when its stream is ended. */
const STREAM_GRACE_MS = 2000
const READ_RETRY_MS = 500

/** The composition root: the only place that knows every part. */
export const buildGateway = async (options: GatewayOptions): Promise<Gateway> => {
  const { clock, timers, log, roles, settings, tracing } = options
  const { db, onError: onDatabaseError } = watchErrors(options.db)
  let lagMs = 0
  const metrics = createProcessMetrics({
    db,
    clock,
    eventLagMs: () => lagMs,
    clockOffsetSeconds: options.clockOffsetSeconds,
    droppedLogLines: options.droppedLogLines,
  })
  onDatabaseError(metrics.countDatabaseError)
  const processId = randomUUID()
  const report = (during: string) => (error: unknown) => log.error({ err: error }, during)
  const wakeups = await createWakeupBus({
    db,
    timers,
    processId,
    wakeMs: options.wakeMs,
    onError: report('a wake-up was lost'),
  })
  const senders = createSenders(clock)
  // Filled later: the device workers need the writer, because they also change conversations.
  const freeSlots: FreeSlots[] = []
  const writer = createWriter(db, joinFreeSlots(freeSlots))
  const context: GatewayContext = {
    db,
    writer: db.kind === 'embedded' ? createPacedWriter(writer, { senders, clock, timers }) : writer,
    clock,
    wakeups,
    settings,
    schemas: createServiceSchemas(),
    limits: { streams: options.streamLimits, requestsPerSecond: options.rateLimit?.perSecond ?? null },
    secrets: options.secretKeys === null ? null : createSecretBox(...options.secretKeys),
    baseUrl: options.baseUrl,
    callbackTargets: options.callbackTargets,
  }

  const hub = createHub({
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
  const slots = createStreamSlots({
    db,
    clock,
    timers,
    processId,
    limits: options.streamLimits,
    onError: report('the slots of streams could not be renewed'),
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
    onError: report('the presence of the process could not be recorded'),
  })

  const modules = createModuleHost({
    directory: options.moduleDirectory,
    environment: options.environment,
    memoryMb: options.moduleMemoryMb,
    reloads: options.reloadModules,
    leaseMs: settings.leaseMs,
    timers,
    log,
  })
  const observer = observeWork(log, clock, metrics)
  const worker = roles.has('device')
    ? createDeviceWorker({
        port: createExecutionPort(context, {
          workerId: processId,
          deviceIds: options.deviceIds,
        }),
        assistants: createAssistants({
          environment: options.environment,
          moduleAssistant: modules.assistant,
          httpAssistant: createHttpSource(context, { timers, log }),
          timers,
        }),
        timers,
        wakeups,
        log,
        observer,
        tracing,
        settings: options.worker,
      })
    : null
  if (worker !== null) freeSlots.push(slotsOf(worker, processId))
  const maintenance = roles.has('maintenance')
    ? createMaintenanceWorker({
        context,
        timers,
        log,
        canJudge: presence.canJudge,
        retention: options.retention,
      })
    : null

  const delivery = roles.has('delivery')
    ? createDeliveryWorker({
        context,
        workerId: processId,
        attempt: createAttempt(
          context,
          createPostEvent({
            connect: createGuardedConnect({ resolve: createResolveHost() }),
            timers,
            settings: options.delivery,
          }),
          tracing,
        ),
        timers,
        wakeups,
        log,
        settings: options.delivery,
        random: Math.random,
        onAttempt: (state, seconds) => {
          metrics.countDelivery(state, seconds)
          metrics.countDeliveryEnds(state, 1)
        },
        onSettled: (state, count) => metrics.countDeliveryEnds(state, count),
      })
    : null

  let started = false
  let isDraining = false
  const heldRuns = () => worker?.held() ?? []
  const readReadiness = createReadReadiness({
    db,
    clock,
    roles,
    isRunning: (role) => started && isRunning(role, worker, delivery),
    drainingRuns: () => (isDraining ? heldRuns().length : null),
  })
  wakeups.onRunEnd(
    (end) => {
      metrics.countRunEnd(end)
      logRunEnd(log, end)
    },
    () => {},
  )
  const keyUse = createKeyUse(db, clock, timers, report('the last use of keys could not be written'))
  const workerApi = roles.has('api')
    ? createWorkerApi({
        context,
        timers,
        wakeups,
        leaseMs: options.workerLeaseMs,
        outputBytes: options.worker.outputBytes,
        began: observer.began,
      })
    : null
  if (workerApi !== null) freeSlots.push(workerApi.slots)
  const history =
    roles.has('api') && options.adminToken !== null
      ? createOverviewHistory({ db, clock, timers, processId, readCounts: metrics.readCounts })
      : null
  const { http, operatorHttp } = await createSurfaces({
    options,
    context,
    processId,
    hub,
    slots,
    senders,
    keyUse,
    history,
    workerApi,
    metrics,
    readReadiness,
  })

  return {
    context,
    keyUse,
    http,
    operatorHttp,
    heldRuns,
    start: async () => {
      if (db.kind === 'embedded') await endInterruptedWork(context, log)
      await presence.start()
      history?.start()
      maintenance?.start()
      await Promise.all([worker?.start(), delivery?.start()])
      started = true
    },
    stop: async () => {
      started = false
      isDraining = true
      await worker?.drain()
      await Promise.all([http.close(), operatorHttp?.close(), worker?.stop(), delivery?.stop(), maintenance?.stop()])
      await modules.close()
      history?.stop()
      await keyUse.close()
      await slots.close()
      await presence.stop()
      await wakeups.close()
      await tracing.close()
    },
  }
}

/** The free slots of this process, for runs that start at their admission. */
const slotsOf = (worker: DeviceWorker, processId: string): FreeSlots => ({
  workerIds: () => (worker.hasFreeSlots() ? [processId] : []),
  reserve: (deviceId, count, present) => {
    const reservation = present.includes(processId) ? worker.reserve(deviceId, count) : null
    return reservation && { ...reservation, workerId: processId }
  },
})

const isRunning = (role: Role, worker: DeviceWorker | null, delivery: DeliveryWorker | null): boolean => {
  if (role === 'device') return worker?.isConnected() === true
  return role !== 'delivery' || delivery?.status().connected === true
}
