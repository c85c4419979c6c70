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

/** An admission of this batch: its run and its immutable data. */
export interface AdmittedRun {
  readonly run: RunWork
  readonly admittedSeq: number
  /**
   * The version of the service that the conversation was bound to at the admission. A reset in the same batch binds it
   * to another version.
   */
  readonly bindingVersion: number
  /** The process or session that started the run with its admission; null while the run is queued. */
  leaseOwner: string | null
  readonly input: {
    readonly text: string | null
    /** The text of the JSON. */
    readonly data: string | null
    readonly resourceIds: readonly string[]
  }
}

/**
 * One locked conversation in a batch, with its read state and all decisions so far. Changes of several callers are
 * decided one after the other, each on the result of the previous one.
 */
export interface OpenConversation {
  readonly row: LockedConversation
  /** If `isWhole`, the draft contains all unfinished work; otherwise only this batch's admissions. */
  readonly draft: Draft
  readonly isWhole: boolean
  /** The number of queued runs if not `isWhole`; this batch updates it. */
  queuedRuns: number
  /** The executing run if not `isWhole`; this batch updates it. */
  executingRunId: string | null
  /** The output counts of the executing run, if a remote worker executes it. */
  executingOutput: ExecutingOutput | null
  readonly admitted: AdmittedRun[]
  readonly begun: BegunReply[]
  /** The trace contexts of the draft's runs, by run ID. */
  readonly traceparents: Map<string, Traceparent>
}

/** The unfinished work of a conversation. */
export interface Unfinished extends Pick<ConversationWork, 'runs' | 'operations'> {
  readonly traceparents: ReadonlyMap<string, Traceparent>
}

/** @param unfinished null if it was not read. */
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

/** The current number of queued runs. */
export const countQueued = ({ isWhole, draft, queuedRuns }: OpenConversation): number =>
  isWhole ? draft.work.runs.filter(({ state }) => state === 'queued').length : queuedRuns

/** The current executing run; null if there is none. */
export const findExecuting = ({ isWhole, draft, executingRunId }: OpenConversation): string | null =>
  isWhole ? (draft.work.runs.find(({ state }) => isExecuting(state))?.runId ?? null) : executingRunId

/** The next run to start: the oldest queued one if none executes. Undefined if there is none or it was not read. */
export const findStartable = (open: OpenConversation): string | undefined => {
  const { isWhole, draft, row } = open
  if (findExecuting(open) !== null || (!isWhole && row.queuedRuns > 0)) return undefined
  return draft.work.runs.find(({ state }) => state === 'queued')?.runId
}

/** The seq of the newest event, including those that this batch has decided. */
export const lastSeqOf = ({ row, draft }: OpenConversation): number => row.lastSeq + draft.events.length
