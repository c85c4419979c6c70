import { setImmediate } from 'node:timers/promises'
import { unfinishedRuns } from '@conversation-gateway/openapi/behaviour/conversation-work'
import { stopEverything } from '@conversation-gateway/openapi/behaviour/stop-work'
import { interruptExecuting } from '@conversation-gateway/openapi/behaviour/time-passes'
import type { Tx } from '../store/db.ts'
import {
  detachConversation,
  eraseConversationRows,
  eraseResourcesOfConversation,
  eraseResourcesOfSubject,
  findConversationsToDetach,
  findConversationsToErase,
  forgetRequestsOfSubject,
  settleErasedConversation,
} from '../store/erasure/erasing.ts'
import {
  completeErasure,
  countErased,
  findPendingErasures,
  lockPendingErasure,
  type StoredErasure,
} from '../store/erasure/erasures.ts'
import { BATCH_DEADLINE, planByParameters } from '../store/maintenance/own-plan.ts'
import type { ConversationKey } from '../store/runs.ts'
import { hasDiscardedContent } from '../store/uploads.ts'
import type { WrittenChange } from './change-work.ts'
import { announceChange, changeWork } from './change-work.ts'
import type { GatewayContext } from './context.ts'

/**
 * Erasing (D-63) uses small transactions, and can resume after any of them. First, every conversation is detached from
 * its subject and its work is stopped; then stopped conversations are erased. If a process dies in the middle, the next
 * maintenance in any process continues.
 */

/** Erasures handled by one round. */
const ERASURES = 10
/** Conversations handled by one transaction. */
const CONVERSATIONS = 20
/** Rows of each kind removed by one transaction from a conversation or a subject. */
const ROWS = 500

/** Detaches a conversation from its subject and stops its work. Announce the result after the commit. */
export const detach = async (
  context: GatewayContext,
  tx: Tx,
  erasure: StoredErasure,
  conversation: ConversationKey,
  subject: string,
): Promise<WrittenChange | null> => {
  const changed = await changeWork(context, tx, conversation, stopEverything)
  await countErased(tx, erasure, await detachConversation(tx, conversation, subject, erasure.erasureId))
  return changed
}

/**
 * Advances up to `ERASURES` pending erasures as far as possible now. Those that wait for work to stop continue in the
 * next round.
 */
export const advanceErasures = async (context: GatewayContext, signal: AbortSignal): Promise<void> => {
  const errors: unknown[] = []
  for (const erasureId of await findPendingErasures(context.db, ERASURES)) {
    try {
      while (!signal.aborted && (await takeStep(context, erasureId))) await setImmediate()
    } catch (error) {
      errors.push(error)
    }
  }
  if (errors.length > 0) throw new AggregateError(errors, `${errors.length} erasures failed`)
}

/** One transaction of an erasure. False if nothing more can be done now. */
const takeStep = async (context: GatewayContext, erasureId: string): Promise<boolean> => {
  const written: WrittenChange[] = []
  const hasMore = await context.db.transaction(async (tx) => {
    await planByParameters(tx)
    const erasure = await lockPendingErasure(tx, erasureId)
    if (erasure === null) return false
    if (await detachNext(context, tx, erasure, written)) return true
    if (await eraseRestOfSubject(tx, erasure)) return true
    const conversations = await eraseNext(context, tx, erasure, written)
    // The owner of discarded content is not recorded, so wait until all discarded content of the application is gone.
    if (conversations === 'none' && !(await hasDiscardedContent(tx, erasure.appId)))
      await completeErasure(tx, erasure, context.clock.now())
    return conversations === 'some erased'
  }, BATCH_DEADLINE)
  for (const change of written) announceChange(change)
  return hasMore
}

const detachNext = async (
  context: GatewayContext,
  tx: Tx,
  erasure: StoredErasure,
  written: WrittenChange[],
): Promise<boolean> => {
  const { subject } = erasure
  if (subject === null) return false
  const conversations = await findConversationsToDetach(tx, erasure, subject, CONVERSATIONS)
  for (const conversation of conversations) {
    const change = await detach(context, tx, erasure, conversation, subject)
    if (change !== null) written.push(change)
  }
  return conversations.length > 0
}

/** Erases a batch of the subject's data outside its conversations. False if nothing is left. */
const eraseRestOfSubject = async (tx: Tx, erasure: StoredErasure): Promise<boolean> => {
  const { subject } = erasure
  if (subject === null) return false
  const replays = await forgetRequestsOfSubject(tx, erasure, subject, ROWS)
  const resources = await eraseResourcesOfSubject(tx, erasure, subject, ROWS)
  if (replays + resources === 0) return false
  await countErased(tx, erasure, { replays, resources })
  return true
}

const eraseNext = async (
  context: GatewayContext,
  tx: Tx,
  erasure: StoredErasure,
  written: WrittenChange[],
): Promise<'none' | 'some erased' | 'all are stopping'> => {
  let after = ''
  for (;;) {
    const conversations = await findConversationsToErase(tx, erasure, after, CONVERSATIONS)
    const last = conversations.at(-1)
    if (last === undefined) return after === '' ? 'none' : 'all are stopping'
    let erased = false
    for (const conversation of conversations)
      if (await stopWork(context, tx, erasure, conversation, written)) {
        await eraseConversation(tx, erasure, conversation, context.clock.now())
        erased = true
      }
    if (erased) return 'some erased'
    after = last.conversationId
  }
}

/** Stops the conversation's work, and ends work that did not stop in time. Returns whether no work is unfinished. */
const stopWork = async (
  context: GatewayContext,
  tx: Tx,
  { stopUntil }: StoredErasure,
  conversation: ConversationKey,
  written: WrittenChange[],
): Promise<boolean> => {
  const changed = await changeWork(context, tx, conversation, (draft) => {
    stopEverything(draft)
    if (stopUntil <= draft.now) interruptExecuting(draft)
    return unfinishedRuns(draft).length === 0
  })
  if (changed !== null) written.push(changed)
  return changed?.result ?? true
}

const eraseConversation = async (
  tx: Tx,
  erasure: StoredErasure,
  conversation: ConversationKey,
  now: Date,
): Promise<void> => {
  const { results, approvals, ...rows } = await eraseConversationRows(tx, conversation, ROWS)
  const resources = await eraseResourcesOfConversation(tx, conversation, ROWS)
  const found = results + approvals + resources + rows.events + rows.messages + rows.deliveries
  await countErased(tx, erasure, {
    ...rows,
    resources,
    ...(found > 0 ? {} : { conversations: 1, runs: await settleErasedConversation(tx, conversation, now) }),
  })
}
