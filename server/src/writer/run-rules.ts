import type { ActivityUpdate } from '@conversation-gateway/openapi/behaviour/activities'
import { foldActivities } from '@conversation-gateway/openapi/behaviour/activities'
import { emitRunEvent, queuedRun } from '@conversation-gateway/openapi/behaviour/conversation-work'
import type { Traceparent } from '../domain/trace-context.ts'
import type { AdmittedRun, OpenConversation } from './conversation.ts'
import { findExecuting, lastSeqOf } from './conversation.ts'

/** Changes that do not need the conversation's unfinished runs: a run is admitted, starts, or produces output. */

export interface NewRun {
  readonly runId: string
  readonly messageId: string
  readonly startBefore: Date
  readonly traceparent: Traceparent | null
  readonly input: AdmittedRun['input']
}

/** Admits a message as a queued run, and returns the seq of the run's first event. */
export const admitRun = (
  open: OpenConversation,
  { runId, messageId, startBefore, traceparent, input }: NewRun,
): number => {
  const { draft } = open
  const { work } = draft
  work.lastCursor += 1
  open.queuedRuns += 1
  const run = queuedRun({ runId, messageId, generation: work.generation, position: work.lastCursor, startBefore })
  work.runs.push(run)
  draft.events.push({
    type: 'run.updated',
    runId,
    messageId,
    generation: work.generation,
    payload: { state: 'queued', delivery_state: 'waiting_device' },
  })
  if (traceparent !== null) open.traceparents.set(runId, traceparent)
  open.admitted.push({
    run,
    admittedSeq: lastSeqOf(open),
    bindingVersion: work.bindingVersion,
    leaseOwner: null,
    input,
  })
  return lastSeqOf(open)
}

/** Starts a run with its admission, because a process or a session has a slot for it. Returns the run's deadline. */
export const startRun = (
  open: OpenConversation,
  admission: AdmittedRun,
  { workerId, maxRunSeconds }: { readonly workerId: string; readonly maxRunSeconds: number },
): Date => {
  const { draft } = open
  const { run } = admission
  const until = new Date(draft.now.getTime() + 1000 * maxRunSeconds)
  admission.leaseOwner = workerId
  run.state = 'running'
  run.deliveryState = 'device_received'
  run.time = { kind: 'active', until }
  open.queuedRuns -= 1
  open.executingRunId = run.runId
  open.executingOutput = null
  emitRunEvent(draft, run, 'run.started', { state: 'running' })
  return until
}

/** A part of a streamed message: a piece of text or a change of an activity; `place` counts parts from 0. */
export type ReplyPart =
  | {
      readonly place: number
      /** Counts the pieces of text from 0. */
      readonly index: number
      readonly text: string
    }
  | { readonly place: number; readonly activity: ActivityUpdate }

/**
 * Adds to the streamed message of a run; the message appears with the first of its parts. False if the run no longer
 * executes: nothing is added to a run that has ended (D-28).
 */
export const addToReply = (
  open: OpenConversation,
  { runId, messageId }: { readonly runId: string; readonly messageId: string },
  parts: readonly ReplyPart[],
): boolean => {
  if (findExecuting(open) !== runId) return false
  const { draft } = open
  const { work } = draft
  const { generation } = work
  if (parts[0]?.place === 0) {
    work.lastCursor += 1
    open.begun.push({ runId, messageId, cursor: work.lastCursor, generation })
  }
  for (const part of parts)
    draft.events.push(
      'text' in part
        ? { type: 'assistant.delta', runId, messageId, generation, payload: { text: part.text, index: part.index } }
        : { type: 'assistant.activity', runId, messageId, generation, payload: { activity: part.activity } },
    )
  const run = work.runs.find((candidate) => candidate.runId === runId)
  if (run === undefined) return true
  const before = run.reply ?? { messageId, cursor: work.lastCursor, createdAt: draft.now, text: '', activities: [] }
  const text = parts.map((part) => ('text' in part ? part.text : '')).join('')
  const changes = parts.flatMap((part) => ('activity' in part ? [part.activity] : []))
  const activities = changes.length === 0 ? before.activities : foldActivities(changes, before.activities)
  run.reply = { ...before, text: before.text + text, activities }
  return true
}
