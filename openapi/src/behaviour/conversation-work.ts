import type { Activity } from './activities.ts'
import type { Approval, NewEvent, NewMessage, ReplyCompletion, RunResult } from './conversation-changes.ts'
import type { IdPrefix } from './ids.ts'
import { newId } from './ids.ts'
import type { OperationState } from './operation-state.ts'
import { canOperationMove, isComplete } from './operation-state.ts'
import type { DeliveryState, RunState } from './run-state.ts'
import { canRunMove, isTerminal } from './run-state.ts'
import type { RunTime } from './run-time.ts'
import { timeAfterMove } from './run-time.ts'

/** An unfinished run, as the behaviour functions read and change it. */
export interface RunWork {
  readonly runId: string
  readonly messageId: string
  readonly generation: number
  readonly position: number
  readonly startBefore: Date
  state: RunState
  deliveryState: DeliveryState
  /** The streamed assistant message with its content, once its first delta or activity was written. */
  reply: {
    readonly messageId: string
    readonly cursor: number
    readonly createdAt: Date
    readonly text: string
    readonly activities: readonly Activity[]
  } | null
  /** Whether the run already has a complete assistant message besides the streamed one. */
  readonly hasWholeMessage: boolean
  /** Whether the run waits for an approval. */
  readonly awaitsApproval: boolean
  /** When its lease ends unless it is renewed; null while the run is queued, or if leases are not checked. */
  readonly leaseExpiresAt: Date | null
  reconcileCause: ReconcileCause | null
  reconcileUntil: Date | null
  /** Null while it is queued. */
  time: RunTime | null
  result: RunResult | null
}

/** A new run, queued. */
export const queuedRun = (
  admitted: Pick<RunWork, 'runId' | 'messageId' | 'generation' | 'position' | 'startBefore'>,
): RunWork => ({
  ...admitted,
  state: 'queued',
  deliveryState: 'waiting_device',
  reply: null,
  hasWholeMessage: false,
  awaitsApproval: false,
  leaseExpiresAt: null,
  reconcileCause: null,
  reconcileUntil: null,
  time: null,
  result: null,
})

/** Why the state of a run is unknown: its worker went silent, or did not confirm a stop in time. */
export type ReconcileCause = 'lease_lost' | 'stop_unconfirmed'

/** A cancel or reset operation that is not complete yet. */
export interface OperationWork {
  readonly operationId: string
  readonly kind: 'cancel' | 'reset'
  readonly runId: string | null
  readonly stopUntil: Date
  state: OperationState
  generation: number
}

/** One conversation with its unfinished runs and operations, read under its lock. */
export interface ConversationWork {
  readonly appId: string
  readonly subject: string
  readonly conversationId: string
  readonly endpointId: string
  readonly deviceId: string
  readonly publishedVersion: number
  /** Whether no live process serves the device, so that a stop must wait for one. */
  readonly deviceAway: boolean
  generation: number
  bindingVersion: number
  state: 'active' | 'resetting'
  lastCursor: number
  readonly runs: RunWork[]
  readonly operations: OperationWork[]
}

/** How long the gateway waits, in milliseconds. */
export interface Windows {
  /** For a device to confirm a stop (D-20). */
  readonly stopMs: number
  /** For a silent device to report (D-19). */
  readonly reconcileMs: number
}

/**
 * Collects the changes to one conversation. `moveRun` and `moveOperation` change states and check the transition
 * against the tables.
 */
export interface Draft {
  readonly work: ConversationWork
  readonly now: Date
  readonly windows: Windows
  readonly newId: (prefix: IdPrefix) => string
  readonly events: NewEvent[]
  readonly messages: NewMessage[]
  readonly replies: ReplyCompletion[]
  readonly approvals: Approval[]
  readonly changedRuns: Set<RunWork>
  readonly changedOperations: Set<OperationWork>
}

export const openDraft = (
  work: ConversationWork,
  now: Date,
  windows: Windows,
  createId: Draft['newId'] = (prefix) => newId(prefix, now),
): Draft => ({
  work,
  now,
  windows,
  newId: createId,
  events: [],
  messages: [],
  replies: [],
  approvals: [],
  changedRuns: new Set(),
  changedOperations: new Set(),
})

/** Whether events, runs or operations have changed. Messages and replies never change without an event. */
export const isChanged = (draft: Draft): boolean =>
  draft.events.length > 0 || draft.changedRuns.size > 0 || draft.changedOperations.size > 0

export const moveRun = (draft: Draft, run: RunWork, to: RunState): void => {
  if (!canRunMove(run.state, to)) throw new Error(`a run cannot move from ${run.state} to ${to}`)
  run.state = to
  run.time = timeAfterMove(to, run.time, draft.now)
  if (to !== 'reconciling') {
    run.reconcileCause = null
    run.reconcileUntil = null
  }
  draft.changedRuns.add(run)
  if (!isTerminal(to)) emitRunEvent(draft, run, 'run.updated', { state: to, delivery_state: run.deliveryState })
}

export const moveOperation = (draft: Draft, operation: OperationWork, to: OperationState): void => {
  if (operation.state === to) return
  if (!canOperationMove(operation.state, to))
    throw new Error(`an operation cannot move from ${operation.state} to ${to}`)
  operation.state = to
  draft.changedOperations.add(operation)
}

/** Run events carry the run's input message (D-27). */
export const emitRunEvent = (
  draft: Draft,
  run: RunWork,
  type: NewEvent['type'],
  payload: NewEvent['payload'],
): void => {
  draft.events.push({ type, runId: run.runId, messageId: run.messageId, generation: run.generation, payload })
}

export const openOperations = (draft: Draft): OperationWork[] =>
  draft.work.operations.filter((operation) => !isComplete(operation.state))

export const unfinishedRuns = (draft: Draft): RunWork[] => draft.work.runs.filter((run) => !isTerminal(run.state))
