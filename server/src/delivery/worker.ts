import { setImmediate } from 'node:timers/promises'
import type { CallbackDeliveryState } from '@conversation-gateway/openapi/behaviour/callback-delivery-state'
import { settleAttempt } from '@conversation-gateway/openapi/behaviour/delivery-outcome'
import { MAX_ATTEMPTS } from '@conversation-gateway/openapi/behaviour/retry-schedule'
import { traceFields } from '../domain/trace-context.ts'
import type { GatewayContext } from '../gateway/context.ts'
import { createPersist } from '../gateway/database/persist.ts'
import type { StopListening, WakeupBus } from '../gateway/wakeups/wakeup-bus.ts'
import type { WorkerLog } from '../runtime/log.ts'
import { oneAtATime } from '../runtime/one-at-a-time.ts'
import { createSleep } from '../runtime/sleep.ts'
import type { CancelTimer, Timers } from '../runtime/timers.ts'
import { within } from '../runtime/within.ts'
import type { ClaimedDelivery } from '../store/deliveries.ts'
import { claimDeliveries, settleDeliveries } from '../store/deliveries.ts'
import type { Attempt } from './attempt.ts'
import { createOutcomeWriter } from './outcome-writer.ts'
import type { DeliverySettings } from './settings.ts'

export interface DeliveryWorkerOptions {
  readonly context: Pick<GatewayContext, 'db' | 'clock'>
  /** Identifies the worker in leases. A worker gets a new ID at each start. */
  readonly workerId: string
  readonly attempt: Attempt
  readonly timers: Timers
  readonly wakeups: Pick<WakeupBus, 'onDeliveries'>
  readonly log: WorkerLog
  readonly settings: DeliverySettings
  /** Returns a number from 0 to below 1, for the jitter of retries. */
  readonly random: () => number
  /** Called after every attempt with the resulting state and the duration. */
  readonly onAttempt: (state: CallbackDeliveryState, seconds: number) => void
  /** Called with the number of pending deliveries that a poll, not an attempt, has ended. */
  readonly onSettled: (state: 'expired' | 'cancelled_config_changed', count: number) => void
}

/** Sends callbacks: claims due deliveries, attempts them and records the outcomes (D-38 to D-42). */
export interface DeliveryWorker {
  /** Starts to send. Resolves after the first poll of the database, whether it succeeded or not. */
  start(): Promise<void>
  /**
   * Claims nothing more and lets running attempts end. After `shutdownGraceMs` they are aborted, recorded as failed and
   * retried on schedule. An attempt that could not be recorded is claimed again when its lease lapses.
   */
  stop(): Promise<void>
  status(): { readonly connected: boolean; readonly inFlight: number }
}

/** Maximum rows that one statement claims, or settles. */
const BATCH = 64
const SETTLE_BATCH = 500
const DIED = { message: 'The process that made the attempt ended before it could record an answer.', status: null }

export const createDeliveryWorker = (options: DeliveryWorkerOptions): DeliveryWorker => {
  const { context, workerId, attempt, timers, wakeups, log, settings, random, onAttempt, onSettled } = options
  const { db, clock } = context
  const inFlight = new Map<string, number>()
  const attempts = new Set<Promise<void>>()
  const ending = new AbortController()
  const giveUp = new AbortController()
  let connected = false
  let draining = false
  let cancelPoll: CancelTimer = () => {}
  let stopListening: StopListening = () => {}

  const onFailure = (error: unknown): void => {
    if (connected) log.warn({ err: error }, 'deliveries cannot be read or written; the next poll tries again')
    connected = false
  }
  const record = createOutcomeWriter({
    context,
    workerId,
    persist: createPersist(createSleep(timers)),
    signal: giveUp.signal,
    onError: onFailure,
  })

  const send = async (delivery: ClaimedDelivery): Promise<void> => {
    const startedAt = clock.now()
    const before = performance.now()
    const result = await attempt(delivery, ending.signal)
    const latencyMs = Math.round(performance.now() - before)
    const settled = settleAttempt(result, delivery, clock.now(), random())
    onAttempt(settled.state, latencyMs / 1000)
    const { deliveryId, callbackId, traceparent } = delivery
    if (settled.state === 'needs_action' || settled.state === 'expired')
      log.warn(
        { delivery_id: deliveryId, callback_id: callbackId, ...traceFields(traceparent), ...settled },
        'a callback was not delivered',
      )
    await record({
      delivery,
      ...settled,
      startedAt,
      latencyMs,
      status: result.kind === 'answered' ? result.status : null,
      excerpt: result.kind === 'answered' ? result.excerpt : null,
    })
  }

  const take = (delivery: ClaimedDelivery): void => {
    const { callbackId } = delivery
    inFlight.set(callbackId, (inFlight.get(callbackId) ?? 0) + 1)
    const done = send(delivery)
      .catch((error: unknown) =>
        log.error({ err: error, delivery_id: delivery.deliveryId }, 'an attempt ended with an unexpected error'),
      )
      .then(() => {
        attempts.delete(done)
        const left = (inFlight.get(callbackId) ?? 1) - 1
        if (left === 0) inFlight.delete(callbackId)
        else inFlight.set(callbackId, left)
        void pump()
      })
    attempts.add(done)
  }

  const pump = oneAtATime(async () => {
    // Wait for the next turn of the event loop, so that attempts that end together cause only one claim.
    await setImmediate()
    for (;;) {
      const room = settings.concurrency - attempts.size
      if (draining || room <= 0) return
      const now = clock.now()
      const limit = Math.min(room, BATCH)
      const claimed = await claimDeliveries(db, {
        workerId,
        now,
        leaseExpiresAt: new Date(now.getTime() + settings.leaseMs),
        limit,
        limitPerCallback: settings.concurrencyPerCallback,
        inFlight: [...inFlight].map(([callbackId, count]) => ({ callbackId, count })),
      })
      connected = true
      for (const delivery of claimed) take(delivery)
      if (claimed.length < limit) return
    }
  }, onFailure)

  const poll = oneAtATime(async () => {
    for (;;) {
      if (draining) return
      const { returned, cancelled, expired } = await settleDeliveries(db, {
        now: clock.now(),
        maxAttempts: MAX_ATTEMPTS,
        error: DIED,
        limit: SETTLE_BATCH,
      })
      onSettled('cancelled_config_changed', cancelled)
      onSettled('expired', expired)
      if (Math.max(returned, cancelled, expired) < SETTLE_BATCH) break
    }
    await pump()
  }, onFailure)

  const idle = async (): Promise<void> => {
    await pump()
    await Promise.all(attempts)
  }

  return {
    start: () => {
      stopListening = wakeups.onDeliveries(
        () => void pump(),
        () => void pump(),
      )
      cancelPoll = timers.every(settings.pollMs, () => void poll())
      return poll()
    },
    stop: async () => {
      draining = true
      stopListening()
      cancelPoll()
      if (!(await within(timers, settings.shutdownGraceMs, idle()))) {
        ending.abort()
        await within(timers, settings.shutdownStopMs, idle())
      }
      giveUp.abort()
    },
    status: () => ({ connected, inFlight: attempts.size }),
  }
}
