import type { RunError, RunResult } from '../generated/gateway.ts'
import type { RunEventContent } from './event-log.ts'
import { emitReset, emitRunEvent } from './event-log.ts'
import { addMessage, emitMessage } from './messages.ts'
import type { RunEnding } from './replies.ts'
import type { GatewayState, StoredConversation, StoredRun } from './state.ts'
import { isUnfinished } from './state.ts'
import { changeOperation, changeRun } from './transitions.ts'

export type RunOutcome =
  | { readonly state: 'succeeded'; readonly text?: string; readonly resource_ids?: readonly string[] }
  | { readonly state: 'failed'; readonly error: RunError }
  | { readonly state: 'cancelled' | 'interrupted' | 'expired' }

export const outcomeOf = (ending: RunEnding): RunOutcome => {
  if ('succeed' in ending) return { state: 'succeeded', ...ending.succeed }
  if ('fail' in ending) return { state: 'failed', error: { retryable: false, ...ending.fail } }
  return { state: 'interrupted' }
}

/**
 * Ends a run: settles its messages, writes its terminal event as the last of the run (D-28), and completes what waited
 * for it: cancel operations, and a reset of which it was the last unfinished work.
 */
export const endRun = (
  state: GatewayState,
  conversation: StoredConversation,
  run: StoredRun,
  outcome: RunOutcome,
): void => {
  const { record } = run
  const succeeded = outcome.state === 'succeeded'
  const text = succeeded ? (outcome.text ?? run.streamed?.content.text ?? '') : run.streamed?.content.text
  if (run.streamed !== null && succeeded) {
    run.streamed.content.partial = false
    emitMessage(state, conversation, run, run.streamed)
  } else if (run.streamed === null && succeeded && !run.hasWholeMessage && text) {
    addMessage(state, conversation, run, text)
  }

  const content = terminalEvent(outcome, text)
  changeRun(state, run, outcome.state)
  record.result = content.payload.result
  emitRunEvent(state, conversation, run, content)
  for (const operation of conversation.operations)
    if (operation.kind === 'cancel' && operation.runId === record.run_id) changeOperation(operation, 'succeeded')
  completeReset(state, conversation)
}

type TerminalContent = Extract<RunEventContent, { payload: { result: RunResult | null } }>

const terminalEvent = (outcome: RunOutcome, text: string | undefined): TerminalContent => {
  const partial = text === undefined ? null : { text }
  switch (outcome.state) {
    case 'succeeded': {
      const resources = outcome.resource_ids === undefined ? {} : { resource_ids: [...outcome.resource_ids] }
      return { type: 'run.completed', payload: { state: outcome.state, result: { ...partial, ...resources } } }
    }
    case 'failed': {
      const { error, state } = outcome
      return { type: 'run.failed', payload: { state, error, result: { ...partial, error } } }
    }
    case 'cancelled':
      return { type: 'run.cancelled', payload: { state: outcome.state, result: partial } }
    case 'interrupted':
      return { type: 'run.interrupted', payload: { state: outcome.state, result: partial } }
    case 'expired':
      return { type: 'run.expired', payload: { state: outcome.state, result: partial } }
  }
}

/** Advances the generation when a reset is under way and nothing of the old generation is unfinished (D-21). */
export const completeReset = (state: GatewayState, conversation: StoredConversation): void => {
  const { record, runs, operations } = conversation
  if (record.state !== 'resetting' || runs.some(isUnfinished)) return
  const reset = operations.findLast(({ kind }) => kind === 'reset')
  if (reset === undefined) throw new Error('a resetting conversation has no reset operation')
  record.generation += 1
  record.state = 'active'
  changeOperation(reset, 'succeeded')
  reset.record.ref.generation = record.generation
  emitReset(state, conversation, {
    operation_id: reset.record.operation_id,
    generation: record.generation,
    previous_generation: record.generation - 1,
    binding_version: record.binding_version,
  })
}
