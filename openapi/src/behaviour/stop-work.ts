import type { Draft, OperationWork, ReconcileCause, RunWork } from './conversation-work.ts'
import { moveOperation, moveRun, openOperations, unfinishedRuns } from './conversation-work.ts'
import { completeReset, finishRun } from './finish-run.ts'
import type { Refusal } from './refusal.ts'
import { RESETTING, refuse } from './refusal.ts'
import { isExecuting } from './run-state.ts'

export type BusyPolicy = 'reject' | 'cancel_and_reset'

/**
 * Stops one run (D-20): at once if it has not started, otherwise as soon as the device confirms. All operations that
 * stop a run share one stop and end with it. For a run that has already ended, the operation succeeds at once.
 */
export const cancelRun = (draft: Draft, runId: string, operationId: string): OperationWork => {
  const run = unfinishedRuns(draft).find((candidate) => candidate.runId === runId)
  const [underWay] =
    run === undefined ? [] : stopsOf(draft, run).sort((a, b) => Number(a.stopUntil) - Number(b.stopUntil))
  const operation = openOperation(draft, { operationId, kind: 'cancel', runId }, underWay?.stopUntil)
  if (run === undefined) moveOperation(draft, operation, 'succeeded')
  else if (run.state === 'queued') finishRun(draft, run, { state: 'cancelled' })
  else askToStop(draft, run, operation)
  return operation
}

/**
 * Starts the next generation (D-21): at once if all work is finished; otherwise, if the policy allows, after stopping
 * the unfinished work.
 */
export const resetConversation = (
  draft: Draft,
  busyPolicy: BusyPolicy,
  operationId: string,
): OperationWork | Refusal => {
  const { work } = draft
  if (work.state === 'resetting') return RESETTING
  const unfinished = unfinishedRuns(draft)
  if (unfinished.length > 0 && busyPolicy === 'reject')
    return refuse(
      'BUSY',
      `The conversation has ${unfinished.length} unfinished run(s). Wait for them, or send busy_policy cancel_and_reset.`,
    )
  const operation = openOperation(draft, { operationId, kind: 'reset', runId: null })
  work.state = 'resetting'
  for (const run of unfinished) {
    if (run.state === 'queued') finishRun(draft, run, { state: 'cancelled' })
    else askToStop(draft, run, operation)
  }
  if (unfinished.length === 0) completeReset(draft)
  return operation
}

/**
 * Stops all work like a cancel, but without an operation, because the conversation is already hidden from its owner.
 */
export const stopEverything = (draft: Draft): void => {
  for (const run of unfinishedRuns(draft)) {
    if (run.state === 'queued') finishRun(draft, run, { state: 'cancelled' })
    else if (run.state === 'running' || run.state === 'waiting_approval') moveRun(draft, run, 'cancelling')
  }
}

const openOperation = (
  draft: Draft,
  operation: Pick<OperationWork, 'operationId' | 'kind' | 'runId'>,
  stopUntil = new Date(draft.now.getTime() + draft.windows.stopMs),
): OperationWork => {
  const opened: OperationWork = {
    ...operation,
    state: 'pending',
    generation: draft.work.generation,
    stopUntil,
  }
  draft.work.operations.push(opened)
  draft.changedOperations.add(opened)
  return opened
}

/** A run whose state is being reconciled is stopped once its device is back; the operation waits for it. */
const askToStop = (draft: Draft, run: RunWork, operation: OperationWork): void => {
  if (run.state === 'running' || run.state === 'waiting_approval') moveRun(draft, run, 'cancelling')
  const away = draft.work.deviceAway || run.reconcileCause === 'lease_lost'
  moveOperation(draft, operation, away ? 'waiting_device' : 'stopping')
}

/** The run's deadline has passed (D-59): it is stopped as by a cancel, or as soon as its device is back. */
export const stopOverdueRun = (draft: Draft, run: RunWork): void => {
  run.time = { kind: 'expired', endBy: new Date(draft.now.getTime() + draft.windows.stopMs) }
  draft.changedRuns.add(run)
  if (run.state === 'running') moveRun(draft, run, 'cancelling')
}

/** Whether a cancel or a reset waits for the run to stop. */
export const isBeingStopped = (draft: Draft, run: RunWork): boolean =>
  run.state === 'cancelling' || stopsOf(draft, run).length > 0

const stopsOf = (draft: Draft, run: RunWork): OperationWork[] =>
  openOperations(draft).filter(({ kind, runId }) => kind === 'reset' || runId === run.runId)

/** The device reports that it still executes the run (D-19): a lost run continues to run or to stop. */
export const resumeRun = (draft: Draft, run: RunWork): void => {
  if (run.state === 'reconciling' && run.reconcileCause === 'lease_lost') {
    moveRun(draft, run, 'running')
    if (stopsOf(draft, run).length > 0 || run.time?.kind === 'expired') moveRun(draft, run, 'cancelling')
    else if (run.awaitsApproval) moveRun(draft, run, 'waiting_approval')
  }
  if (!isExecuting(run.state)) return
  for (const operation of stopsOf(draft, run))
    if (operation.state === 'waiting_device') moveOperation(draft, operation, 'stopping')
}

/** Gives up on stops that were not confirmed in their window (D-20, D-21). */
export const failOverdueStops = (draft: Draft): void => {
  const overdue = openOperations(draft).filter(({ stopUntil }) => stopUntil <= draft.now)
  for (const operation of overdue) {
    moveOperation(draft, operation, 'failed')
    if (operation.kind === 'reset') draft.work.state = 'active'
    for (const run of unfinishedRuns(draft)) {
      if (operation.kind === 'reset' || operation.runId === run.runId) giveUpStop(draft, run)
    }
  }
}

/** Makes the run wait in `reconciling` for its end. Even if its device returns, the run is not resumed. */
const giveUpStop = (draft: Draft, run: RunWork): void => {
  if (run.state === 'cancelling') reconcile(draft, run, 'stop_unconfirmed')
  if (run.state !== 'reconciling') return
  run.reconcileCause = 'stop_unconfirmed'
  draft.changedRuns.add(run)
}

export const reconcile = (draft: Draft, run: RunWork, cause: ReconcileCause): void => {
  run.reconcileCause = cause
  run.reconcileUntil = new Date(draft.now.getTime() + draft.windows.reconcileMs)
  moveRun(draft, run, 'reconciling')
}
