import type { ActivityUpdate } from '@conversation-gateway/openapi/behaviour/activities'
import { foldActivities } from '@conversation-gateway/openapi/behaviour/activities'
import type { RunWork } from '@conversation-gateway/openapi/behaviour/conversation-work'
import { isTerminal } from '@conversation-gateway/openapi/behaviour/run-state'
import type { RunTime } from '@conversation-gateway/openapi/behaviour/run-time'
import type { RunStateRow } from './tables.ts'

/** Maps unfinished runs between their columns and the form that the rules use. */

interface TimeColumns {
  readonly runUntil: Date | null
  readonly runLeftMs: number | null
  readonly timedOut: boolean
}

interface ReplyColumns {
  readonly replyMessageId: string | null
  readonly replyCursor: number | null
  readonly replyCreatedAt: Date | null
  readonly replyText: string | null
  /** The activity changes in its events, oldest first. */
  readonly replyActivities: readonly ActivityUpdate[] | null
}

export type LoadedRun = Omit<RunWork, 'reply' | 'time'> & ReplyColumns & TimeColumns

export const toRunWork = (row: LoadedRun): RunWork => {
  const {
    replyMessageId,
    replyCursor,
    replyCreatedAt,
    replyText,
    replyActivities,
    runUntil,
    runLeftMs,
    timedOut,
    ...run
  } = row
  return {
    ...run,
    reply:
      replyMessageId === null || replyCursor === null || replyCreatedAt === null
        ? null
        : {
            messageId: replyMessageId,
            cursor: replyCursor,
            createdAt: replyCreatedAt,
            text: replyText ?? '',
            activities: replyActivities === null ? [] : foldActivities(replyActivities),
          },
    time: toRunTime({ runUntil, runLeftMs, timedOut }),
  }
}

const toRunTime = ({ runUntil, runLeftMs, timedOut }: TimeColumns): RunTime | null => {
  if (runLeftMs !== null) return { kind: 'paused', leftMs: runLeftMs }
  if (runUntil === null) return null
  return timedOut ? { kind: 'expired', endBy: runUntil } : { kind: 'active', until: runUntil }
}

/** The mutable columns of a run. */
export const toRunRow = (run: RunWork, now: Date): Omit<RunStateRow, 'app_id'> => ({
  run_id: run.runId,
  state: run.state,
  delivery_state: run.deliveryState,
  result: run.result,
  usage: run.result?.usage ?? null,
  reconcile_cause: run.reconcileCause,
  reconcile_until: run.reconcileUntil,
  ...fromRunTime(run.time),
  finished_at: isTerminal(run.state) ? now : null,
  reply_message_id: run.reply?.messageId ?? null,
  reply_cursor: run.reply?.cursor ?? null,
})

const fromRunTime = (time: RunTime | null) => ({
  run_until: time?.kind === 'active' ? time.until : time?.kind === 'expired' ? time.endBy : null,
  run_left_ms: time?.kind === 'paused' ? time.leftMs : null,
  timed_out: time?.kind === 'expired',
})
