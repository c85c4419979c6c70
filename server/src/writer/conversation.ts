import type {
  ConversationWork,
  Draft,
  RunWork,
  Windows,
} from '@conversation-gateway/openapi/behaviour/conversation-work'
import { openDraft } from '@conversation-gateway/openapi/behaviour/conversation-work'
import { isExecuting } from '@conversation-gateway/openapi/behaviour/run-state'
import type { Traceparent } from '../domain/trace-context.ts'
import type { ExecutingOutput, LockedConversation } from '../store/batch/load-conversations.ts'

/** A streamed message that begins in this batch. */
export interface BegunReply {
  readonly runId: string
  readonly messageId: string
  readonly cursor: number
  readonly generation: number
}

/** An admission of this batch: its run, and what of it never changes. */
export interface AdmittedRun {
  readonly run: RunWork
  readonly admittedSeq: number
  /** The version of the service that the conversation was bound to when it was admitted: a reset of the same batch changes that. */
  readonly bindingVersion: number
  /** Who took it for execution as it was admitted; null while it waits. */
  leaseOwner: string | null
  readonly input: {
    readonly text: string | null
    /** The text of the JSON. */
    readonly data: string | null
    readonly resourceIds: readonly string[]
  }
}

/**
 * One conversation in a batch: locked, with what was read of it and all that the rules have decided so far. What
 * several callers want of it is decided one after the other, each on what the one before has left.
 */
export interface OpenConversation {
  readonly row: LockedConversation
  /** The work of the draft is all that is unfinished where `isWhole`; else it has what this batch has admitted. */
  readonly draft: Draft
  readonly isWhole: boolean
  /** What waited and executed when it was locked and not whole, as this batch has changed it. */
  queuedRuns: number
  executingRunId: string | null
  /** Of the run that executes, where a worker elsewhere sends its steps. */
  executingOutput: ExecutingOutput | null
  readonly admitted: AdmittedRun[]
  readonly begun: BegunReply[]
  /** Of the runs of the draft, by their IDs: those that have one. */
  readonly traceparents: Map<string, Traceparent>
}

/** What is unfinished in a conversation. */
export interface Unfinished extends Pick<ConversationWork, 'runs' | 'operations'> {
  readonly traceparents: ReadonlyMap<string, Traceparent>
}

/** @param unfinished null where it was not read. */
export const openConversation = (
  row: LockedConversation,
  unfinished: Unfinished | null,
  now: Date,
  windows: Windows,
): OpenConversation => ({
  row,
  draft: openDraft(
    {
      appId: row.appId,
      subject: row.subject,
      conversationId: row.conversationId,
      endpointId: row.endpointId,
      deviceId: row.deviceId,
      publishedVersion: row.publishedVersion,
      deviceAway: row.deviceAway,
      generation: row.generation,
      bindingVersion: row.bindingVersion,
      state: row.state,
      lastCursor: row.lastCursor,
      runs: unfinished?.runs ?? [],
      operations: unfinished?.operations ?? [],
    },
    now,
    windows,
  ),
  isWhole: unfinished !== null,
  queuedRuns: row.queuedRuns,
  executingRunId: row.executingRunId,
  executingOutput: row.executingOutput,
  admitted: [],
  begun: [],
  traceparents: new Map(unfinished?.traceparents),
})

/** How many runs wait, as of now. */
export const countQueued = ({ isWhole, draft, queuedRuns }: OpenConversation): number =>
  isWhole ? draft.work.runs.filter(({ state }) => state === 'queued').length : queuedRuns

/** The run that executes, as of now; null when none does. */
export const findExecuting = ({ isWhole, draft, executingRunId }: OpenConversation): string | null =>
  isWhole ? (draft.work.runs.find(({ state }) => isExecuting(state))?.runId ?? null) : executingRunId

/** The run that is the next to start: the oldest that waits, where none executes. Undefined where this batch does not know it. */
export const findStartable = (open: OpenConversation): string | undefined => {
  const { isWhole, draft, row } = open
  if (findExecuting(open) !== null || (!isWhole && row.queuedRuns > 0)) return undefined
  return draft.work.runs.find(({ state }) => state === 'queued')?.runId
}

/** The seq of the event that was decided last. */
export const lastSeqOf = ({ row, draft }: OpenConversation): number => row.lastSeq + draft.events.length
