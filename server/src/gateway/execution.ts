import { requireApproval } from '@conversation-gateway/openapi/behaviour/approvals'
import type { Draft, RunWork } from '@conversation-gateway/openapi/behaviour/conversation-work'
import { unfinishedRuns } from '@conversation-gateway/openapi/behaviour/conversation-work'
import type { RunOutcome } from '@conversation-gateway/openapi/behaviour/finish-run'
import { addMessage, finishReported } from '@conversation-gateway/openapi/behaviour/finish-run'
import { isExecuting } from '@conversation-gateway/openapi/behaviour/run-state'
import { resumeRun } from '@conversation-gateway/openapi/behaviour/stop-work'
import type { ClaimedRun } from '../store/claims.ts'
import { claimRuns } from '../store/claims.ts'
import type { HeldRun } from '../store/runs.ts'
import { readHeldRuns, releaseLeases } from '../store/runs.ts'
import type { OpenConversation } from '../writer/conversation.ts'
import type { ReplyPart } from '../writer/run-rules.ts'
import { addToReply } from '../writer/run-rules.ts'
import { workChange } from './change-work.ts'
import type { GatewayContext } from './context.ts'

/**
 * A device worker's writes for the runs that it executes (D-17, D-19). Every write checks under the conversation's lock
 * that the run is still executing, so a worker that was declared dead cannot change a finished run.
 */

export interface RunRef {
  readonly appId: string
  readonly conversationId: string
  readonly runId: string
}

/** The streamed message of the parts; its row is created with the first part. */
export interface ReplyTarget extends RunRef {
  readonly messageId: string
}

/**
 * Takes at most `limit` queued runs of a device for execution, in the fair order of D-58. Each becomes `running` and
 * belongs to this worker as long as its process is alive; a worker whose process is dead takes none. After a lost
 * answer, runs may have been taken; `lookAtRuns` returns them.
 */
export const claimWork = async (
  { db, clock, wakeups }: GatewayContext,
  claim: { readonly deviceId: string; readonly workerId: string; readonly limit: number },
): Promise<ClaimedRun[]> => {
  const started = await claimRuns(db, { ...claim, now: clock.now() })
  for (const { run, event } of started)
    wakeups.conversationChanged({ appId: run.appId, conversationId: run.conversationId, events: [event] })
  return started.map(({ run }) => run)
}

/**
 * Reads the states of a worker's runs, of all or of those with the given IDs. The worker has lost every run that is
 * missing from the answer: it must stop the run at once and report nothing.
 */
export const lookAtRuns = async (
  context: GatewayContext,
  workerId: string,
  runIds: readonly string[] | null,
): Promise<HeldRun[]> => {
  const held = await readHeldRuns(context.db, workerId, runIds, context.clock.now())
  return Promise.all(
    held.map(async (run) => {
      if (!run.needsResume) return run
      const state = await changeRun(context, run, (draft, work) => {
        resumeRun(draft, work)
        return work.state
      })
      return state === null ? run : { ...run, state, stopWanted: state === 'cancelling' || run.stopWanted }
    }),
  )
}

/** Releases runs of a live worker: no more reports follow, and their leases run out (D-19). */
export const releaseRuns = (
  { db, clock, settings }: GatewayContext,
  workerId: string,
  runs: readonly RunRef[],
): Promise<void> => releaseLeases(db, workerId, runs, new Date(clock.now().getTime() + settings.leaseMs))

/** Writes parts of the streamed message. False when the run no longer executes. */
export const appendToReply = async (
  context: GatewayContext,
  target: ReplyTarget,
  parts: readonly ReplyPart[],
): Promise<boolean> => {
  const { appId, conversationId } = target
  const written = await context.writer.write(context, {
    conversation: { appId, conversationId },
    reads: {},
    bytes: bytesOf(parts),
    decide: (open) => addToReply(open, target, parts),
  })
  return written ?? false
}

const bytesOf = (parts: readonly ReplyPart[]): number =>
  parts.reduce((bytes, part) => bytes + ('text' in part ? part.text : JSON.stringify(part.activity)).length, 0)

/** A record and its event. */
const COPIES_OF_TEXT = 2
/** The end of a run stores its text in the message, in the result, and in the events of both. */
export const COPIES_AT_END = 4

/** Adds a complete assistant message. False when the run no longer executes. */
export const appendMessage = async (context: GatewayContext, run: RunRef, text: string): Promise<boolean> =>
  (await changeRun(
    context,
    run,
    (draft, work) => {
      addMessage(draft, work, text)
      return true
    },
    COPIES_OF_TEXT * text.length,
  )) ?? false

/** Requests an approval. Null if the run no longer executes or is being stopped. */
export const requestApproval = (context: GatewayContext, run: RunRef, summary: string): Promise<string | null> =>
  changeRun(context, run, (draft, work) => requireApproval(draft, work, summary), COPIES_OF_TEXT * summary.length)

/**
 * Reports the outcome of a run together with its last parts, in one commit. False if its end was already recorded; that
 * end stays.
 * @param outputBytes size of the run's output, which counts towards the size of the batch.
 */
export const reportOutcome = async (
  context: GatewayContext,
  run: RunRef | ReplyTarget,
  outcome: RunOutcome,
  parts: readonly ReplyPart[] = [],
  outputBytes = 0,
): Promise<boolean> =>
  (await changeRun(
    context,
    run,
    (draft, work, open) => {
      if (parts.length > 0 && 'messageId' in run) addToReply(open, run, parts)
      finishReported(draft, work, outcome)
      return true
    },
    bytesOf(parts) + COPIES_AT_END * outputBytes,
  )) ?? false

/** Changes an executing run under its conversation's lock; null if it no longer executes. */
const changeRun = <Result>(
  context: GatewayContext,
  { runId, ...conversation }: RunRef,
  change: (draft: Draft, run: RunWork, open: OpenConversation) => Result,
  bytes = 0,
): Promise<Result | null> =>
  context.writer.write(context, {
    bytes,
    ...workChange(conversation, (draft, open) => {
      const run = findExecutingRun(draft, runId)
      return run === undefined ? null : change(draft, run, open)
    }),
  })

export const findExecutingRun = (draft: Draft, runId: string): RunWork | undefined =>
  unfinishedRuns(draft).find((run) => run.runId === runId && isExecuting(run.state))
