import type { Refusal } from '../behaviour/refusal.ts'
import { generationConflict } from '../behaviour/refusal.ts'
import { cancelRun, resetConversation } from '../behaviour/stop-work.ts'
import type { Control, ResetConversation } from '../generated/gateway.ts'
import { change } from './change.ts'
import type { GatewayState, StoredConversation, StoredRun } from './state.ts'

/** Stops one run (D-20): at once when it has not started, else with the next step of the conversation. */
export const cancel = (state: GatewayState, conversation: StoredConversation, { record }: StoredRun): Control => {
  const operationId = state.newId('op')
  change(state, conversation, (draft) => cancelRun(draft, record.run_id, operationId))
  return controlOf(conversation, operationId)
}

/** Starts the next generation (D-21): at once when nothing is unfinished, else, where the policy allows, after stopping it. */
export const reset = (
  state: GatewayState,
  conversation: StoredConversation,
  { expected_generation, busy_policy = 'reject' }: ResetConversation,
): Control | Refusal => {
  const { generation } = conversation.record
  if (generation !== expected_generation) return generationConflict(expected_generation, generation)
  const operationId = state.newId('op')
  const outcome = change(state, conversation, (draft) => resetConversation(draft, busy_policy, operationId))
  return outcome.kind === 'refused' ? outcome : controlOf(conversation, operationId)
}

const controlOf = ({ operations }: StoredConversation, operationId: string): Control => {
  const operation = operations.find(({ record }) => record.operation_id === operationId)
  if (operation === undefined) throw new Error(`the operation ${operationId} was not written`)
  return operation.record
}
