import type { CallbackDeliveryState } from '@conversation-gateway/openapi/behaviour/callback-delivery-state'
import type { Registry } from 'prom-client'
import { Counter, Histogram } from 'prom-client'
import type { RunEnd } from '../writer/run-end.ts'

/** Counts outcomes of runs and callbacks in this process, for its metrics. */
export interface WorkMetrics {
  countRunEnd(end: RunEnd): void
  /** A run began to execute this long after its admission. */
  observeQueue(seconds: number): void
  /** A run produced its first output this long after its admission. */
  observeFirstOutput(seconds: number): void
  /** An assistant of this kind failed its run. */
  countAssistantError(type: string, code: string): void
  /** Callbacks ended. */
  countDeliveryEnds(state: CallbackDeliveryState, count: number): void
  countDatabaseError(kind: string): void
}

/** Histogram bounds, from an echo to an assistant that works for an hour. */
const RUN_BUCKETS = [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 900, 3600]
/** Maximum number of services and error codes with their own series; the rest is `(other)`. */
const NAMES = 500
/** The label of all names without their own series. IDs and error codes have no parentheses, so none equals it. */
export const OTHER = '(other)'
const DELIVERY_ENDS = ['delivered', 'needs_action', 'expired', 'cancelled_config_changed'] as const

export const createWorkMetrics = (register: Registry, databaseErrors: readonly string[]): WorkMetrics => {
  const registers = [register]
  const ended = new Counter({
    name: 'gateway_runs_ended_total',
    help: 'Runs ended by this process, by service, state and error code; the code is empty for runs without an error.',
    labelNames: ['endpoint', 'state', 'code'],
    registers,
  })
  const usedTokens = new Counter({
    name: 'gateway_run_tokens_total',
    help: 'Tokens that runs ended by this process have used, by service and kind, as reported by their assistants.',
    labelNames: ['endpoint', 'kind'],
    registers,
  })
  const histogram = (name: string, help: string) => new Histogram({ name, help, buckets: RUN_BUCKETS, registers })
  const queue = histogram('gateway_run_queue_seconds', 'Time from the admission of runs to their start.')
  const firstOutput = histogram(
    'gateway_run_first_output_seconds',
    'Time from admission to the first piece of an answer.',
  )
  const whole = new Histogram({
    name: 'gateway_run_seconds',
    help: 'Time from the admission of runs to their end, by the state in which they ended.',
    labelNames: ['state'],
    buckets: RUN_BUCKETS,
    registers,
  })
  const assistantErrors = new Counter({
    name: 'gateway_assistant_errors_total',
    help: 'Runs that their assistant failed, by kind of assistant and error code.',
    labelNames: ['type', 'code'],
    registers,
  })
  const deliveryEnds = new Counter({
    name: 'gateway_deliveries_ended_total',
    help: 'Callbacks that came to an end in this process, by the state in which they ended.',
    labelNames: ['state'],
    registers,
  })
  const errors = new Counter({
    name: 'gateway_database_errors_total',
    help: 'Statements and transactions that failed, by kind.',
    labelNames: ['kind'],
    registers,
  })
  for (const state of DELIVERY_ENDS) deliveryEnds.inc({ state }, 0)
  for (const kind of databaseErrors) errors.inc({ kind }, 0)
  const endpoints = createNames()
  const codes = createNames()

  return {
    countRunEnd: ({ endpointId, state, errorCode, seconds, usage }) => {
      ended.inc({ endpoint: endpoints(endpointId), state, code: errorCode === null ? '' : codes(errorCode) })
      for (const [kind, count] of [
        ['input', usage?.input_tokens],
        ['output', usage?.output_tokens],
      ] as const)
        if (count !== undefined) usedTokens.inc({ endpoint: endpoints(endpointId), kind }, count)
      if (seconds !== null) whole.observe({ state }, seconds)
    },
    observeQueue: (seconds) => queue.observe(seconds),
    observeFirstOutput: (seconds) => firstOutput.observe(seconds),
    countAssistantError: (type, code) => assistantErrors.inc({ type, code: codes(code) }),
    countDeliveryEnds: (state, count) => {
      if (DELIVERY_ENDS.some((end) => end === state)) deliveryEnds.inc({ state }, count)
    },
    countDatabaseError: (kind) => errors.inc({ kind }),
  }
}

const createNames = (): ((name: string) => string) => {
  const known = new Set<string>()
  return (name) => {
    if (known.size < NAMES) known.add(name)
    return known.has(name) ? name : OTHER
  }
}
