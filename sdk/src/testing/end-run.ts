import type { RunOutcome } from '../behaviour/finish-run.ts'
import { finishRun } from '../behaviour/finish-run.ts'
import { changeRun } from './change.ts'
import type { RunEnding } from './replies.ts'
import type { GatewayState, StoredConversation, StoredRun } from './state.ts'

export const outcomeOf = (ending: RunEnding): RunOutcome => {
  if ('succeed' in ending) {
    const { resource_ids, ...text } = ending.succeed
    return { state: 'succeeded', ...text, ...(resource_ids === undefined ? {} : { resourceIds: [...resource_ids] }) }
  }
  if ('fail' in ending) return { state: 'failed', error: { retryable: false, ...ending.fail } }
  return { state: 'interrupted' }
}

export const endRun = (
  state: GatewayState,
  conversation: StoredConversation,
  run: StoredRun,
  outcome: RunOutcome,
): void => changeRun(state, conversation, run, (draft, work) => finishRun(draft, work, outcome))
