/**
 * A minimal model of the rules for one conversation: plain state, one function per command, no database. The tests
 * compare the gateway with it after every step.
 */

export const QUEUE_LIMIT = 4
export const MESSAGE_WINDOW_MS = 300_000
export const STOP_MS = 60_000
export const RECONCILE_MS = 60_000
export const LEASE_MS = 15_000
export const OFFLINE_MS = 30_000
export const MAX_RUN_MS = 90_000

export interface ModelRun {
  readonly id: string
  readonly generation: number
  readonly deadline: number
  state: string
  reconcileEnds: number
  /** Whether its process lost its lease, and has not returned. */
  leaseLost: boolean
  approvalPending: boolean
  /** The time limit of the run, then the deadline of its stop; null while it is queued or waits for an approval. */
  until: number | null
  /** The execution time that was left at the last pause. */
  remainingMs: number
  timedOut: boolean
}

export interface ModelOperation {
  readonly id: string
  readonly kind: 'cancel' | 'reset'
  readonly runId: string | null
  readonly stopEnds: number
  state: string
  generation: number
}

export interface Model {
  now: number
  /** The last heartbeat of the device. */
  heartbeat: number
  /** When the device's process last renewed its lease. */
  seen: number
  generation: number
  binding: number
  published: number
  /** The latest breaking version. */
  lastBreaking: number
  resetting: boolean
  readonly runs: ModelRun[]
  readonly operations: ModelOperation[]
}

export const newModel = (now: number): Model => ({
  now,
  heartbeat: now,
  seen: Number.NEGATIVE_INFINITY,
  generation: 1,
  binding: 1,
  published: 1,
  lastBreaking: 1,
  resetting: false,
  runs: [],
  operations: [],
})

const ENDED = ['succeeded', 'failed', 'cancelled', 'interrupted', 'expired']
const isOpen = (run: ModelRun): boolean => !ENDED.includes(run.state)
const isPending = (operation: ModelOperation): boolean => !['succeeded', 'failed'].includes(operation.state)
export const executing = (model: Model): ModelRun | undefined =>
  model.runs.find((run) => isOpen(run) && run.state !== 'queued')
export const nextQueued = (model: Model): ModelRun | undefined =>
  executing(model) === undefined
    ? model.runs.find((run) => run.state === 'queued' && run.deadline > model.now)
    : undefined

export const end = (model: Model, run: ModelRun, state: string): void => {
  run.state = run.timedOut ? 'failed' : state
  for (const operation of model.operations)
    if (isPending(operation) && operation.runId === run.id) operation.state = 'succeeded'
  settleReset(model)
}

const settleReset = (model: Model): void => {
  if (!model.resetting || model.runs.some(isOpen)) return
  model.resetting = false
  model.generation += 1
  model.binding = model.published
  for (const operation of model.operations) {
    if (!isPending(operation) || operation.kind !== 'reset') continue
    operation.state = 'succeeded'
    operation.generation = model.generation
  }
}

export const passTime = (model: Model, ms: number): void => {
  model.now += ms
  for (const run of model.runs) {
    if (run.state === 'queued' && run.deadline <= model.now) end(model, run, 'expired')
    else if (run.state === 'reconciling') {
      if (run.reconcileEnds <= model.now) end(model, run, 'interrupted')
    } else if (isOpen(run) && run.state !== 'queued' && isGone(model)) {
      run.state = 'reconciling'
      run.leaseLost = true
      run.reconcileEnds = model.now + RECONCILE_MS
    }
    if (isOpen(run) && run.until !== null && run.until <= model.now) timeIsUp(model, run)
  }
  for (const operation of model.operations) {
    if (!isPending(operation) || operation.stopEnds > model.now) continue
    operation.state = 'failed'
    if (operation.kind === 'reset') model.resetting = false
    for (const run of model.runs) {
      if (operation.kind === 'cancel' && operation.runId !== run.id) continue
      if (run.state === 'cancelling') {
        run.state = 'reconciling'
        run.reconcileEnds = model.now + RECONCILE_MS
      }
      run.leaseLost = false
    }
  }
}

/** Requests the run to stop. At the second call, the stop was not confirmed in time, and the run fails. */
const timeIsUp = (model: Model, run: ModelRun): void => {
  if (run.timedOut) {
    end(model, run, 'failed')
    return
  }
  run.timedOut = true
  run.until = model.now + STOP_MS
  if (run.state === 'running') run.state = 'cancelling'
}

/** The code of the refusal of a message, or null if it is admitted. */
export const sendRefusal = (model: Model, expectedGeneration: number): string | null => {
  if (expectedGeneration !== model.generation || model.binding < model.lastBreaking) return 'GENERATION_CONFLICT'
  if (model.resetting) return 'BUSY'
  if (model.runs.filter((run) => run.state === 'queued').length >= QUEUE_LIMIT) return 'QUEUE_FULL'
  if (model.now - model.heartbeat >= OFFLINE_MS) return 'CAPABILITY_UNAVAILABLE'
  return null
}

/** @param hasSlot whether the process that admits the message has a free slot for its run. */
export const admit = (model: Model, id: string, hasSlot: boolean): void => {
  const deadline = model.now + MESSAGE_WINDOW_MS
  const starts = hasSlot && !model.runs.some(isOpen) && !isGone(model)
  const run: ModelRun = {
    id,
    generation: model.generation,
    deadline,
    state: 'queued',
    reconcileEnds: 0,
    leaseLost: false,
    approvalPending: false,
    until: null,
    remainingMs: MAX_RUN_MS,
    timedOut: false,
  }
  model.runs.push(run)
  if (starts) resume(model, run)
}

const isGone = (model: Model): boolean => model.now - model.seen >= LEASE_MS

const askToStop = (model: Model, run: ModelRun, operation: ModelOperation): void => {
  if (run.state === 'running' || run.state === 'waiting_approval') run.state = 'cancelling'
  const away = isGone(model) || (run.state === 'reconciling' && run.leaseLost)
  operation.state = away ? 'waiting_device' : 'stopping'
}

const newOperation = (
  model: Model,
  id: string,
  kind: 'cancel' | 'reset',
  runId: string | null,
  stopEnds = model.now + STOP_MS,
): ModelOperation => {
  const operation = { id, kind, runId, state: 'pending', generation: model.generation, stopEnds }
  model.operations.push(operation)
  return operation
}

/** The pending operations that stop a run. */
const stopsOf = (model: Model, runId: string): ModelOperation[] =>
  model.operations.filter((o) => isPending(o) && (o.kind === 'reset' || o.runId === runId))

export const cancel = (model: Model, runId: string, operationId: string): void => {
  const fresh = stopsOf(model, runId).length === 0
  const stopEnds = fresh ? undefined : Math.min(...stopsOf(model, runId).map((stop) => stop.stopEnds))
  const operation = newOperation(model, operationId, 'cancel', runId, stopEnds)
  const run = model.runs.find(({ id }) => id === runId)
  if (run === undefined || !isOpen(run)) operation.state = 'succeeded'
  else if (run.state === 'queued') end(model, run, 'cancelled')
  else askToStop(model, run, operation)
}

export const resetRefusal = (model: Model, policy: string): string | null =>
  model.resetting || (policy === 'reject' && model.runs.some(isOpen)) ? 'BUSY' : null

export const reset = (model: Model, operationId: string): void => {
  const operation = newOperation(model, operationId, 'reset', null)
  model.resetting = true
  for (const run of model.runs.filter(isOpen)) {
    if (run.state === 'queued') end(model, run, 'cancelled')
    else askToStop(model, run, operation)
  }
  settleReset(model)
}

export const publish = (model: Model, breaking: boolean): void => {
  model.published += 1
  if (breaking) model.lastBreaking = model.published
}

/** The device's process renews its lease. */
export const appear = (model: Model): void => {
  model.seen = model.now
}

/** The run starts, or continues after an approval or a lost lease. */
export const resume = (model: Model, run: ModelRun): void => {
  run.state = 'running'
  if (!run.timedOut) run.until = model.now + run.remainingMs
}

const pause = (model: Model, run: ModelRun): void => {
  run.state = 'waiting_approval'
  run.remainingMs = (run.until ?? model.now) - model.now
  run.until = null
}

export const askApproval = (model: Model, run: ModelRun): boolean => {
  if (run.state !== 'running') return false
  pause(model, run)
  run.approvalPending = true
  return true
}

export const decide = (model: Model, run: ModelRun): void => {
  run.approvalPending = false
  if (run.state === 'waiting_approval') resume(model, run)
}

/** The worker sends a heartbeat, renews its lease and reads the state of its run. */
export const renew = (model: Model): void => {
  model.heartbeat = model.now
  appear(model)
  const run = executing(model)
  if (run === undefined) return
  const stops = stopsOf(model, run.id)
  if (run.state === 'reconciling' && run.leaseLost) {
    run.leaseLost = false
    if (run.until === null) resume(model, run)
    run.state = 'running'
    if (stops.length > 0 || run.timedOut) run.state = 'cancelling'
    else if (run.approvalPending) pause(model, run)
  }
  for (const operation of stops) if (operation.state === 'waiting_device') operation.state = 'stopping'
}
