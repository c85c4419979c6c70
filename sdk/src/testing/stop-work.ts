import type { Refusal } from '../behaviour/refusal.ts'
import { refuse } from '../behaviour/refusal.ts'
import type { Control, ResetConversation } from '../generated/gateway.ts'
import { completeReset, endRun } from './end-run.ts'
import { moveRun } from './runs.ts'
import type { GatewayState, StoredConversation, StoredOperation, StoredRun } from './state.ts'
import { isUnfinished } from './state.ts'
import { changeOperation } from './transitions.ts'

/** Stops one run (D-20): at once when it has not started, else with the next step of the conversation. */
export const cancel = (state: GatewayState, conversation: StoredConversation, run: StoredRun): Control => {
  const operation = openOperation(state, conversation, 'cancel', run.record.run_id)
  if (!isUnfinished(run)) changeOperation(operation, 'succeeded')
  else stop(state, conversation, run, operation)
  return operation.record
}

/** Starts the next generation (D-21): at once when nothing is unfinished, else, where the policy allows, after stopping it. */
export const reset = (
  state: GatewayState,
  conversation: StoredConversation,
  { expected_generation, busy_policy = 'reject' }: ResetConversation,
): Control | Refusal => {
  const { record, runs } = conversation
  if (record.generation !== expected_generation) return staleGeneration(conversation, expected_generation)
  if (record.state !== 'active') return resetting()
  const unfinished = runs.filter(isUnfinished)
  if (unfinished.length > 0 && busy_policy === 'reject')
    return refuse(
      'BUSY',
      `The conversation has ${unfinished.length} unfinished run(s). Wait for them, or send busy_policy cancel_and_reset.`,
    )
  const operation = openOperation(state, conversation, 'reset', null)
  record.state = 'resetting'
  for (const run of unfinished) stop(state, conversation, run, operation)
  completeReset(state, conversation)
  return operation.record
}

export const staleGeneration = ({ record }: StoredConversation, expected: number): Refusal =>
  refuse(
    'GENERATION_CONFLICT',
    `expected_generation is ${expected}, the conversation is at ${record.generation}. Reload the snapshot.`,
  )

export const resetting = (): Refusal => refuse('BUSY', 'The conversation is being reset; query that operation.')

const openOperation = (
  state: GatewayState,
  { record, operations }: StoredConversation,
  kind: StoredOperation['kind'],
  runId: string | null,
): StoredOperation => {
  const ref = { conversation_id: record.conversation_id, generation: record.generation }
  const operation: StoredOperation = { kind, runId, record: { operation_id: state.newId('op'), state: 'pending', ref } }
  operations.push(operation)
  return operation
}

const stop = (
  state: GatewayState,
  conversation: StoredConversation,
  run: StoredRun,
  operation: StoredOperation,
): void => {
  if (run.record.state === 'queued') {
    endRun(state, conversation, run, { state: 'cancelled' })
    return
  }
  if (run.record.state !== 'cancelling') moveRun(state, conversation, run, 'cancelling')
  changeOperation(operation, 'stopping')
}
