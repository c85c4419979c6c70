import type { Draft } from '@conversation-gateway/openapi/behaviour/conversation-work'
import { applyTime } from '@conversation-gateway/openapi/behaviour/time-passes'
import type { Tx } from '../store/db.ts'
import { randomShard } from '../store/pending-runs.ts'
import type { ConversationKey } from '../store/runs.ts'
import { announce } from '../writer/announce.ts'
import type { ChangedConversation } from '../writer/batch.ts'
import { performBatch } from '../writer/batch.ts'
import type { Change } from '../writer/change.ts'
import type { OpenConversation } from '../writer/conversation.ts'
import type { GatewayContext } from './context.ts'

/** A change of a conversation's work by rules; the effects of time are applied first. */
export const workChange = <Result>(
  { appId, conversationId }: ConversationKey,
  change: (draft: Draft, open: OpenConversation) => Result,
): Change<Result> => ({
  conversation: { appId, conversationId },
  reads: { work: 'judged' },
  decide: (open) => {
    applyTime(open.draft)
    return change(open.draft, open)
  },
})

/** The writes of a change within a larger transaction; announce them after the commit. */
export interface WrittenChange {
  readonly changed: readonly ChangedConversation[]
  readonly deliveries: number
}

/** Makes a change within a transaction. Null when the conversation does not exist. */
export const writeWithin = async <Result>(
  context: GatewayContext,
  tx: Tx,
  change: Change<Result>,
): Promise<({ readonly result: Result } & WrittenChange) | null> => {
  const { outcomes, changed, written } = await performBatch(tx, [{ context, change }], {
    waits: true,
    shard: randomShard(),
    starts: null,
  })
  const deliveries = await written
  const [outcome = 'missing'] = outcomes
  return outcome === 'missing' ? null : { result: outcome.result, changed, deliveries }
}

/** Changes one conversation's work within a transaction. Null when the conversation does not exist. */
export const changeWork = <Result>(
  context: GatewayContext,
  tx: Tx,
  conversation: ConversationKey,
  change: (draft: Draft) => Result,
): Promise<({ readonly result: Result } & WrittenChange) | null> =>
  writeWithin(context, tx, workChange(conversation, change))

export const announceChange = ({ changed, deliveries }: WrittenChange): void => announce(changed, deliveries)

/**
 * Changes one conversation's work by rules only. Has no effect if the conversation does not exist.
 * @param judgesProcesses false if this process cannot tell at the moment which processes are dead.
 */
export const followRules = async (
  context: GatewayContext,
  conversation: ConversationKey,
  rules: (draft: Draft) => void,
  judgesProcesses = true,
): Promise<void> => {
  await context.writer.write(context, {
    conversation,
    reads: { work: judgesProcesses ? 'judged' : 'undecided' },
    decide: ({ draft }) => rules(draft),
  })
}
