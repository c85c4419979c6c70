import { requireApproval } from '@conversation-gateway/openapi/behaviour/approvals'
import type { RunError } from '@conversation-gateway/openapi/behaviour/conversation-changes'
import type { RunOutcome } from '@conversation-gateway/openapi/behaviour/finish-run'
import { addMessage, finishReported } from '@conversation-gateway/openapi/behaviour/finish-run'
import type { RunState } from '@conversation-gateway/openapi/behaviour/run-state'
import { applyTime } from '@conversation-gateway/openapi/behaviour/time-passes'
import type { Step } from '@conversation-gateway/openapi/generated/worker-closed'
import { countedSizes, noActivities, takeActivity } from '../../domain/activity-sizes.ts'
import { storable } from '../../domain/storable-text.ts'
import type { ExecutingOutput } from '../../store/batch/load-conversations.ts'
import { findExecuting, type OpenConversation } from '../../writer/conversation.ts'
import type { ReplyPart } from '../../writer/run-rules.ts'
import { addToReply } from '../../writer/run-rules.ts'
import type { GatewayContext } from '../context.ts'
import type { ReplyTarget } from '../execution.ts'
import { COPIES_AT_END, findExecutingRun } from '../execution.ts'
import type { DataChecks } from '../service-schemas.ts'
import { checkOutput } from '../service-schemas.ts'
import { storableOutcome } from '../storable-outcome.ts'

/**
 * Writes the steps that a remote worker sends, atomically. The run's number of steps is stored with the conversation
 * and changed in the same commit, so that every process recognises a repeat.
 */

export type StepsOutcome =
  | { readonly kind: 'written'; readonly index: number; readonly approvalId: string | null; readonly isRepeat: boolean }
  /** The run no longer executes. */
  | { readonly kind: 'lost' }
  /** Steps before these are missing; the run has only `index` steps. */
  | { readonly kind: 'gap'; readonly index: number }
  /**
   * The output exceeds a limit or is invalid, and the run must fail with this error. Nothing was written, except the
   * steps that came with too large an end.
   */
  | { readonly kind: 'broken'; readonly error: RunError }

export type EndOutcome =
  | Exclude<StepsOutcome, { kind: 'written' }>
  | { readonly kind: 'ended'; readonly state: RunState }

export interface SentSteps {
  /** Number of steps of the run that were sent before. */
  readonly index: number
  readonly steps: readonly Step[]
}

/** @param outputBytes Maximum UTF-8 bytes of a run's text and data. */
export const writeSteps = async (
  context: GatewayContext,
  target: ReplyTarget,
  sent: SentSteps,
  outputBytes: number,
): Promise<StepsOutcome> => {
  // Adding to the streamed message needs only the conversation's row.
  const isPlain = sent.steps.every(({ delta, activity }) => delta !== undefined || activity !== undefined)
  const outcome = await context.writer.write(context, {
    conversation: target,
    reads: isPlain ? {} : { work: 'judged' },
    bytes: bytesOf(sent.steps),
    decide: (open): StepsOutcome => {
      if (!isPlain) applyTime(open.draft)
      return addSteps(open, target, sent, outputBytes)
    },
  })
  return outcome ?? LOST
}

/** Writes the last steps of a run and its end, in one commit. */
export const writeEnd = async (
  context: GatewayContext,
  target: ReplyTarget,
  sent: SentSteps & { readonly outcome: RunOutcome; readonly checks: DataChecks },
  outputBytes: number,
): Promise<EndOutcome> => {
  const outcome = await context.writer.write(context, {
    conversation: target,
    reads: { work: 'judged' },
    bytes: COPIES_AT_END * (bytesOf(sent.steps) + JSON.stringify(sent.outcome).length),
    decide: (open): EndOutcome => {
      applyTime(open.draft)
      const added = addSteps(open, target, sent, outputBytes)
      if (added.kind !== 'written') return added
      const run = findExecutingRun(open.draft, target.runId)
      if (run === undefined) return LOST
      let left = outputBytes - (open.executingOutput?.bytes ?? 0)
      const ended = storableOutcome(sent.outcome, (spent) => {
        left -= spent
        return left >= 0
      })
      if (ended === null) return tooLarge(outputBytes)
      finishReported(open.draft, run, checkOutput(sent.checks, ended))
      return { kind: 'ended', state: run.state }
    },
  })
  return outcome ?? LOST
}

const LOST = { kind: 'lost' } as const
const NOTHING: ExecutingOutput = { steps: 0, deltas: 0, bytes: 0 }

const broken = (code: string, message: string): StepsOutcome & { kind: 'broken' } => ({
  kind: 'broken',
  error: { code, message, retryable: false },
})
const tooLarge = (outputBytes: number) =>
  broken('OUTPUT_TOO_LARGE', `A run may output at most ${outputBytes} bytes of text and data.`)

const addSteps = (
  open: OpenConversation,
  target: ReplyTarget,
  { index, steps }: SentSteps,
  outputBytes: number,
): StepsOutcome => {
  if (findExecuting(open) !== target.runId) return LOST
  const before = open.executingOutput ?? NOTHING
  if (index > before.steps) return { kind: 'gap', index: before.steps }
  const missing = steps.slice(before.steps - index)
  if (missing.length === 0) return { kind: 'written', index: before.steps, approvalId: null, isRepeat: true }
  const sizes = before.activities === undefined ? noActivities() : countedSizes(before.activities)
  let { deltas, bytes, steps: written } = before
  // Read all steps before deciding: if any breaks a limit, none is written.
  const parts: (ReplyPart | null)[] = []
  const texts: string[] = []
  for (const step of missing) {
    const text = storable(step.delta ?? step.message ?? step.approval ?? '')
    texts.push(text)
    bytes += Buffer.byteLength(text)
    const place = deltas + sizes.changes
    if (step.activity !== undefined) {
      const taken = takeActivity(sizes, step.activity)
      if (taken.kind === 'invalid') return broken('ASSISTANT_ERROR', `The assistant failed: ${taken.fault}.`)
      if (taken.kind === 'too_much') return broken('OUTPUT_LIMIT', taken.message)
      parts.push({ place, activity: taken.change })
    } else if (step.delta !== undefined && text !== '') {
      parts.push({ place, index: deltas, text })
      deltas += 1
    } else parts.push(null)
  }
  if (bytes > outputBytes) return tooLarge(outputBytes)

  let approvalId: string | null = null
  for (const [at, step] of missing.entries()) {
    const part = parts[at] ?? null
    const text = texts[at] ?? ''
    if (part !== null) addToReply(open, target, [part])
    else if (step.delta === undefined) {
      const run = findExecutingRun(open.draft, target.runId)
      if (run === undefined) return LOST
      if (step.message !== undefined) addMessage(open.draft, run, text)
      else {
        approvalId = requireApproval(open.draft, run, text)
        // The run is being stopped, so the step has no effect.
        if (approvalId === null) break
      }
    }
    written += 1
  }
  const activities = sizes.changes === 0 ? {} : { activities: sizes }
  open.executingOutput = { steps: written, deltas, bytes, ...activities }
  return { kind: 'written', index: written, approvalId, isRepeat: false }
}

const bytesOf = (steps: readonly Step[]): number =>
  steps.reduce(
    (sum, { delta, message, approval, activity }) =>
      sum + (delta ?? message ?? approval ?? JSON.stringify(activity ?? '')).length,
    0,
  )
