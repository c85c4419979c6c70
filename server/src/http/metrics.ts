import type { CallbackDeliveryState } from '@conversation-gateway/openapi/behaviour/callback-delivery-state'
import type { RunState } from '@conversation-gateway/openapi/behaviour/run-state'
import { isTerminal, RUN_STATES } from '@conversation-gateway/openapi/behaviour/run-state'
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import { DATABASE_ERRORS } from '../store/maintenance/watch-errors.ts'
import type { Exchange } from './exchange.ts'
import type { WorkMetrics } from './work-metrics.ts'
import { createWorkMetrics, OTHER } from './work-metrics.ts'

/** The state of the gateway at a scrape, read from the database. */
export interface GaugeReadings {
  /** Unfinished runs by state; states without any may be left out. */
  readonly runsByState: Readonly<Partial<Record<RunState, number>>>
  /** How long the oldest queued run has been waiting; 0 when none waits. */
  readonly oldestQueuedSeconds: number
  /** Event streams that are open on all processes. */
  readonly openStreams: number
  /** Open streams of the applications with the most streams. */
  readonly openStreamsByApp: Readonly<Record<string, number>>
  /** Workers that reach the gateway over HTTP and are connected. */
  readonly workers: number
  /** Callbacks that have not reached their receiver, by state; states without any may be left out. */
  readonly deliveriesByState: Readonly<Partial<Record<CallbackDeliveryState, number>>>
  /** Latency of the newest events from commit to this process's subscribers. */
  readonly eventLagSeconds: number
  /** Duration of a trivial statement, including its queueing. */
  readonly databaseSeconds: number
  /** Whether admission is paused as a whole. */
  readonly admissionPaused: boolean
}

export interface Metrics extends WorkMetrics {
  /** Counts an answered request. */
  count(exchange: Exchange, status: number, seconds: number): void
  /** Counts an attempt at a callback by the state that it led to. */
  countDelivery(state: CallbackDeliveryState, seconds: number): void
  /** What this process has admitted and refused since it started. */
  readCounts(): Promise<RequestCounts>
  /** Everything in the Prometheus text format. Gauges that cannot be read are left out, and `gateway_up` is 0. */
  render(): Promise<string>
  readonly contentType: string
}

export interface RequestCounts {
  readonly admitted: number
  readonly replayed: number
  /** By error code, the most frequent first. */
  readonly refusals: readonly { readonly code: string; readonly count: number }[]
}

export interface MetricsOptions {
  /** The gateway's version. */
  readonly version: string
  /** Rejects in less than two seconds where the state cannot be read. */
  readonly readGauges: () => Promise<GaugeReadings>
  /**
   * How far this machine's clock is ahead of the database's, in seconds; null if the database uses this machine's
   * clock. Default: null.
   */
  readonly readClockOffset?: () => number | null
  /** Counters of the log and the listener since the start of the process. Default: none. */
  readonly readTotals?: () => ProcessTotals
  /** Whether memory, event loop and garbage collection of the process are shown as well. Default false. */
  readonly process?: boolean
}

export interface ProcessTotals {
  /** Dropped log lines. */
  readonly droppedLogLines: number
  /** Number of losses of the listening connection. */
  readonly lostListeners: number
}

const NO_TOTALS: ProcessTotals = { droppedLogLines: 0, lostListeners: 0 }

/** States that gauges always show, even if empty. */
const UNFINISHED = RUN_STATES.filter((state) => !isTerminal(state))
const UNDELIVERED = ['pending', 'sending', 'needs_action', 'expired', 'cancelled_config_changed'] as const

/** Histogram bounds, from a statement on a fast disk to a typical client timeout. */
const DURATION_BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

export const createMetrics = ({
  version,
  readGauges,
  readClockOffset = () => null,
  readTotals = () => NO_TOTALS,
  process: showProcess = false,
}: MetricsOptions): Metrics => {
  const register = new Registry()
  const registers = [register]
  if (showProcess) collectDefaultMetrics({ register })

  const admissions = new Counter({
    name: 'gateway_admissions_total',
    help: 'Requests admitted under an Idempotency-Key, by operation; replayed: the stored answer was sent again.',
    labelNames: ['operation', 'replayed'],
    registers,
  })
  const refusals = new Counter({
    name: 'gateway_refusals_total',
    help: 'Refused requests by error code.',
    labelNames: ['code'],
    registers,
  })
  const durations = new Histogram({
    name: 'gateway_http_request_seconds',
    help: 'Time from the head of a request to the end of its answer, by operation and status.',
    labelNames: ['operation', 'status'],
    buckets: DURATION_BUCKETS,
    registers,
  })
  const attempts = new Histogram({
    name: 'gateway_callback_attempt_seconds',
    help: 'Time of attempts at callbacks, by the resulting state of the delivery; pending: it will be retried.',
    labelNames: ['state'],
    buckets: DURATION_BUCKETS,
    registers,
  })
  new Gauge({
    name: 'gateway_build_info',
    help: 'Always 1; the label is the version of the gateway.',
    labelNames: ['version'],
    registers,
  }).set({ version }, 1)
  const total = (name: string, help: string, member: keyof ProcessTotals) =>
    new Counter({
      name,
      help,
      registers,
      collect() {
        this.reset()
        this.inc(readTotals()[member])
      },
    })
  total(
    'gateway_log_lines_dropped_total',
    'Lines of the log that were dropped, because their disk is full or their reader is gone or too slow.',
    'droppedLogLines',
  )
  total(
    'gateway_listener_losses_total',
    'Number of times that the connection that listens for database notifications was lost.',
    'lostListeners',
  )
  const gauge = (name: string, help: string) => new Gauge({ name, help, registers })
  const up = gauge('gateway_up', 'Whether the state of the gateway could be read (1) or not (0).')
  const runs = new Gauge({ name: 'gateway_runs', help: 'Unfinished runs by state.', labelNames: ['state'], registers })
  const deliveries = new Gauge({
    name: 'gateway_deliveries',
    help: 'Callbacks that have not reached their receiver, by state.',
    labelNames: ['state'],
    registers,
  })
  const queueAge = gauge('gateway_queue_age_seconds', 'How long the oldest queued run has been waiting.')
  const openStreams = gauge('gateway_open_streams', 'Open event streams of all processes.')
  const appStreams = new Gauge({
    name: 'gateway_app_open_streams',
    help: 'Open event streams of all processes by application: those with the most, and together all others.',
    labelNames: ['app'],
    registers,
  })
  const workers = gauge('gateway_workers', 'Connected workers, which reach the gateway over HTTP.')
  const eventLag = gauge('gateway_event_lag_seconds', 'Time from the commit of events to their sending.')
  const databaseLatency = gauge('gateway_database_seconds', 'Time of a trivial statement on the database.')
  const paused = gauge('gateway_admission_paused', 'Whether admission is paused as a whole (1) or not (0).')
  const clockOffset = gauge(
    'gateway_clock_offset_seconds',
    'How far the clock of this machine is ahead of the database clock.',
  )

  const showGauges = (readings: GaugeReadings | null): void => {
    up.set(readings === null ? 0 : 1)
    runs.reset()
    deliveries.reset()
    appStreams.reset()
    for (const each of [queueAge, openStreams, workers, eventLag, databaseLatency, paused, clockOffset]) each.remove()
    const offset = readClockOffset()
    if (offset !== null) clockOffset.set(offset)
    if (readings === null) return
    for (const state of UNFINISHED) runs.set({ state }, readings.runsByState[state] ?? 0)
    for (const state of UNDELIVERED) deliveries.set({ state }, readings.deliveriesByState[state] ?? 0)
    queueAge.set(readings.oldestQueuedSeconds)
    openStreams.set(readings.openStreams)
    const busiest = Object.entries(readings.openStreamsByApp)
    for (const [app, streams] of busiest) appStreams.set({ app }, streams)
    appStreams.inc({ app: OTHER }, readings.openStreams - busiest.reduce((sum, [, streams]) => sum + streams, 0))
    workers.set(readings.workers)
    eventLag.set(readings.eventLagSeconds)
    databaseLatency.set(readings.databaseSeconds)
    paused.set(readings.admissionPaused ? 1 : 0)
  }

  return {
    ...createWorkMetrics(register, DATABASE_ERRORS),
    contentType: register.contentType,
    count: ({ operationId, admission, code }, status, seconds) => {
      const operation = operationId ?? 'none'
      durations.observe({ operation, status }, seconds)
      if (admission !== null) admissions.inc({ operation, replayed: String(admission === 'replayed') })
      if (code !== null) refusals.inc({ code })
    },
    countDelivery: (state, seconds) => attempts.observe({ state }, seconds),
    readCounts: async () => {
      const counted = (await admissions.get()).values
      const refused = (await refusals.get()).values.map(({ labels, value }) => ({
        code: String(labels.code),
        count: value,
      }))
      const sumOf = (replayed: string) =>
        counted.filter(({ labels }) => labels.replayed === replayed).reduce((sum, { value }) => sum + value, 0)
      return {
        admitted: sumOf('false'),
        replayed: sumOf('true'),
        refusals: refused.toSorted((a, b) => b.count - a.count),
      }
    },
    render: async () => {
      showGauges(await readGauges().catch(() => null))
      return register.metrics()
    },
  }
}
