import type { JsonObject, RunError, RunResult, RunUsage } from './conversation-changes.ts'
import type { ConversationWork, Draft, RunWork } from './conversation-work.ts'
import { emitRunEvent, moveOperation, moveRun, openOperations, unfinishedRuns } from './conversation-work.ts'
import type { StoredMessage } from './message-record.ts'
import { messageRecord } from './message-record.ts'
import type { TerminalState } from './run-state.ts'
import { canRunMove } from './run-state.ts'
import { RUN_TIMEOUT } from './run-time.ts'

/**
 * How a run ended. `text` replaces the streamed text in the result; the streamed message stays unchanged (D-45).
 * `truncated` marks an answer that the model's length limit has cut (D-72).
 */
export type RunOutcome =
  | {
      readonly state: 'succeeded'
      readonly text?: string
      readonly resourceIds?: string[]
      readonly data?: JsonObject
      readonly usage?: RunUsage
      readonly truncated?: true
    }
  | {
      readonly state: 'failed'
      readonly error: RunError
      /** Output that is kept although the run failed (D-70). */
      readonly partial?: { readonly text?: string; readonly data?: JsonObject }
      readonly usage?: RunUsage
    }
  | { readonly state: 'cancelled' | 'interrupted' | 'expired' }

/**
 * Ends a run as its worker reports. An outcome that the run's state does not allow becomes `interrupted`, such as
 * `cancelled` for a run that is not being stopped.
 */
export const finishReported = (draft: Draft, run: RunWork, outcome: RunOutcome): void =>
  finishRun(draft, run, canRunMove(run.state, outcome.state) ? outcome : { state: 'interrupted' })

const EVENT_OF = {
  succeeded: 'run.completed',
  failed: 'run.failed',
  cancelled: 'run.cancelled',
  interrupted: 'run.interrupted',
  expired: 'run.expired',
} as const satisfies Record<TerminalState, string>

/** The outcome after the run's deadline: it is always the timeout, whatever the worker reports (D-59). */
const inTime = (run: RunWork, outcome: RunOutcome): RunOutcome =>
  run.time?.kind === 'expired' ? { state: 'failed', error: RUN_TIMEOUT } : outcome

/**
 * Ends a run: settles its streamed message, writes its terminal event as the last of the run (D-28), and completes the
 * operations that wait for it: its cancel operations, and a reset if no other run of the conversation is unfinished.
 */
export const finishRun = (draft: Draft, run: RunWork, ended: RunOutcome): void => {
  const outcome = inTime(run, ended)
  const result = resultOf(run, outcome)
  settleReply(draft, run, outcome, result)
  run.result = result
  moveRun(draft, run, outcome.state)
  emitRunEvent(draft, run, EVENT_OF[outcome.state], {
    state: outcome.state,
    ...(outcome.state === 'failed' ? { error: outcome.error } : {}),
    result,
  })
  for (const operation of openOperations(draft))
    if (operation.kind === 'cancel' && operation.runId === run.runId) moveOperation(draft, operation, 'succeeded')
  completeReset(draft)
}

const resultOf = (run: RunWork, outcome: RunOutcome): RunResult | null => {
  const streamed = run.reply === null || run.reply.text === '' ? null : { text: run.reply.text }
  switch (outcome.state) {
    case 'succeeded': {
      const { resourceIds: resource_ids, data, usage, truncated } = outcome
      return { text: outcome.text ?? run.reply?.text ?? '', ...given({ resource_ids, data, usage, truncated }) }
    }
    case 'failed':
      return { ...streamed, ...outcome.partial, error: outcome.error, ...given({ usage: outcome.usage }) }
    default:
      return streamed
  }
}

/** The members that are not undefined. */
const given = <Members extends object>(
  members: Members,
): { [Name in keyof Members]?: Exclude<Members[Name], undefined> } =>
  Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as Members

/**
 * A streamed message becomes complete if the run succeeds, and stays partial otherwise. If only activities were
 * streamed, it takes the result's text, unless another message already has it. Without a streamed message, a successful
 * result becomes a message.
 */
const settleReply = (draft: Draft, run: RunWork, outcome: RunOutcome, result: RunResult | null): void => {
  const succeeded = outcome.state === 'succeeded'
  const data = (succeeded && outcome.data) || null
  const resultText = (!run.hasWholeMessage && result?.text) || ''
  if (run.reply !== null) {
    const { messageId, cursor, createdAt, activities } = run.reply
    const text = run.reply.text === '' && succeeded ? resultText : run.reply.text
    draft.replies.push({ cursor, text, data, activities, partial: !succeeded })
    if (succeeded) emitMessage(draft, run, { messageId, cursor, createdAt, text, data, activities })
  } else if (succeeded && (resultText !== '' || data !== null)) {
    addMessage(draft, run, resultText, data)
  }
}

/** Adds a complete message, which has no deltas (D-28). */
export const addMessage = (draft: Draft, run: RunWork, text: string, data: JsonObject | null = null): void => {
  draft.work.lastCursor += 1
  const message = { messageId: draft.newId('msg'), cursor: draft.work.lastCursor, createdAt: draft.now, text, data }
  draft.messages.push({ ...message, runId: run.runId, generation: run.generation })
  emitMessage(draft, run, { ...message, activities: [] })
}

const emitMessage = (
  draft: Draft,
  run: RunWork,
  message: Pick<StoredMessage, 'messageId' | 'cursor' | 'createdAt' | 'text' | 'activities'> & {
    data: JsonObject | null
  },
): void => {
  draft.events.push({
    type: 'assistant.message',
    runId: run.runId,
    messageId: message.messageId,
    generation: run.generation,
    payload: {
      message: messageRecord({
        ...message,
        conversationId: draft.work.conversationId,
        runId: run.runId,
        generation: run.generation,
        role: 'assistant',
        resourceIds: null,
        partial: false,
      }),
    },
  })
}

/** Advances the generation if a reset is in progress and all runs of the old generation have ended (D-21). */
export const completeReset = (draft: Draft): void => {
  const { work } = draft
  if (work.state !== 'resetting' || unfinishedRuns(draft).length > 0) return
  const operation = openOperations(draft).find(({ kind }) => kind === 'reset')
  if (operation === undefined) throw new Error('a resetting conversation has no reset operation')
  advanceGeneration(draft, work, operation.operationId)
  operation.generation = work.generation
  moveOperation(draft, operation, 'succeeded')
}

const advanceGeneration = (draft: Draft, work: ConversationWork, operationId: string): void => {
  const previous = work.generation
  work.generation = previous + 1
  work.bindingVersion = work.publishedVersion
  work.state = 'active'
  draft.events.push({
    type: 'conversation.reset',
    runId: null,
    messageId: null,
    generation: work.generation,
    payload: {
      operation_id: operationId,
      generation: work.generation,
      previous_generation: previous,
      binding_version: work.bindingVersion,
    },
  })
}
