import type { ActivityUpdate } from '@conversation-gateway/openapi/behaviour/activities'
import type { RunOutcome } from '@conversation-gateway/openapi/behaviour/finish-run'
import { newId } from '@conversation-gateway/openapi/behaviour/ids'
import type { Decision } from '../assistants/assistant.ts'
import { fail } from '../assistants/assistant.ts'
import { noActivities, takeActivity } from '../domain/activity-sizes.ts'
import { storable } from '../domain/storable-text.ts'
import { traceFields } from '../domain/trace-context.ts'
import type { Persist } from '../gateway/database/persist.ts'
import { storableOutcome } from '../gateway/storable-outcome.ts'
import type { WorkerLog } from '../runtime/log.ts'
import type { Sleep } from '../runtime/sleep.ts'
import type { ClaimedRun } from '../store/claims.ts'
import type { ReplyPart } from '../writer/run-rules.ts'
import type { Stop } from './drive-assistant.ts'
import { RunFailure } from './drive-assistant.ts'
import type { ExecutionPort } from './execution-port.ts'
import type { PendingApprovals } from './pending-approvals.ts'
import type { DeltaWindow } from './reply-batch.ts'
import { createReplyBatch } from './reply-batch.ts'

/**
 * Writes the output of one run. Writes wait for an unavailable database, and a write without an answer is looked up
 * before it is repeated. If the run turns out to have ended, it is treated as lost. All members but `close` and
 * `report` throw RunFailure if the output exceeds a limit or cannot be stored.
 */
export interface RunOutput {
  delta(text: string): void
  activity(change: ActivityUpdate): void
  message(text: string): Promise<void>
  /** Waits for the decision; undefined if the run must stop first. */
  approval(summary: string): Promise<Decision | undefined>
  /** Resolves when all output is written. */
  drain(): Promise<void>
  /** Ends the output, and returns the outcome in a form that can be stored, or a failure in its place. */
  close(outcome: RunOutcome): Promise<RunOutcome>
  /** Reports the end of the run together with its last streamed parts. False if its end was already recorded. */
  report(outcome: RunOutcome, attempt: number): Promise<boolean>
}

export interface OutputTools {
  readonly port: ExecutionPort
  readonly persist: Persist
  readonly sleep: Sleep
  readonly approvals: PendingApprovals
  readonly window: DeltaWindow
  readonly log: WorkerLog
  readonly outputBytes: number
}

/** Delay before repeating an approval request that is not possible yet. */
const APPROVAL_PAUSE_MS = 1000

export const createRunOutput = (run: ClaimedRun, stop: Stop, tools: OutputTools): RunOutput => {
  const { port, persist, sleep, log } = tools
  const target = { appId: run.appId, conversationId: run.conversationId, runId: run.runId, messageId: newId('msg') }
  const budget = createOutputBudget(tools.outputBytes)
  const activities = noActivities()
  const tooLarge = fail('OUTPUT_TOO_LARGE', `A run may output at most ${tools.outputBytes} bytes of text and data.`)
  const unwritten = fail('INTERNAL', 'The output could not be stored.', { retryable: true })
  let messagesWritten = 0
  let approvalsAsked = 0
  let broken = false
  /** The unwritten parts that are written with the end of the run. */
  let rest: readonly ReplyPart[] = []

  /** Returns undefined if the run was lost, or if the gateway rejects the write, which makes the output `broken`. */
  const write = async <T>(call: (attempt: number) => Promise<T>): Promise<T | undefined> => {
    try {
      return await persist(stop.lost, call)
    } catch (error) {
      log.error(
        { run_id: run.runId, ...traceFields(run.traceparent), err: error },
        'the output of a run cannot be written',
      )
      broken = true
      return undefined
    }
  }

  const batch = createReplyBatch(tools.window, async (parts) => {
    const written = await write(async (attempt) => {
      const missing = attempt === 0 ? parts : await withoutWritten(parts)
      return missing.length === 0 || port.appendToReply(target, missing)
    })
    if (written === false) stop.ask('lost')
    return written === true
  })

  const withoutWritten = async (parts: readonly ReplyPart[]): Promise<readonly ReplyPart[]> => {
    const written = await port.readWrittenOutput(run)
    return parts.filter(({ place }) => place >= written.deltas + written.activities)
  }

  const check = (text: string | null): string => {
    if (broken) throw new RunFailure(unwritten)
    if (text === null) throw new RunFailure(tooLarge)
    return text
  }

  const drain = async () => {
    await batch.drain()
    if (broken) throw new RunFailure(unwritten)
  }

  const askForApproval = (summary: string): Promise<string | null | undefined> =>
    write(async (attempt) => {
      const written = attempt === 0 ? null : await port.readWrittenOutput(run)
      return written !== null && written.approvals > approvalsAsked
        ? written.approvalId
        : port.requestApproval(target, summary)
    })

  return {
    delta: (text) => {
      const piece = check(budget.piece(text))
      if (piece !== '') batch.push(piece)
    },
    activity: (change) => {
      if (broken) throw new RunFailure(unwritten)
      const taken = takeActivity(activities, change)
      if (taken.kind === 'invalid')
        throw new Error(`The assistant yielded something other than documented: ${taken.fault}.`)
      if (taken.kind === 'too_much') throw new RunFailure(fail('OUTPUT_LIMIT', taken.message))
      batch.push(taken.change)
    },
    message: async (text) => {
      const whole = check(budget.whole(text))
      await drain()
      const written = await write(async (attempt) => {
        if (attempt > 0 && (await port.readWrittenOutput(run)).messages > messagesWritten) return true
        return port.appendMessage(target, whole)
      })
      check(whole)
      if (written === false) stop.ask('lost')
      messagesWritten += 1
    },
    approval: async (summary) => {
      const whole = check(budget.whole(summary))
      await drain()
      while (!stop.signal.aborted) {
        const approvalId = await askForApproval(whole)
        check(whole)
        if (typeof approvalId === 'string') {
          approvalsAsked += 1
          return tools.approvals.wait({ ...target, deviceId: run.deviceId, approvalId }, stop.signal)
        }
        await sleep(APPROVAL_PAUSE_MS, stop.signal)
      }
      return undefined
    },
    drain,
    close: async (outcome) => {
      const last = budget.rest()
      if (last !== '') batch.push(last)
      // The confirmation of a stop may take time, so write the text now.
      if (outcome.state === 'cancelled') await batch.drain()
      rest = await batch.end()
      if (broken) return unwritten
      const stored = storableOutcome(outcome, budget.spend) ?? tooLarge
      const checked = await write(() => port.checkOutput(run, stored))
      return checked ?? (broken ? unwritten : stored)
    },
    report: async (outcome, attempt) => {
      const parts = attempt === 0 || rest.length === 0 ? rest : await withoutWritten(rest)
      return port.reportOutcome(target, outcome, parts, budget.spent() + activities.said)
    },
  }
}

/** Bounds the text of one run and makes it storable piece by piece. */
interface OutputBudget {
  /** A piece of the streamed text; null if the run exceeds its output limit. */
  piece(text: string): string | null
  /** The rest of the last piece: a high surrogate without its low surrogate. */
  rest(): string
  /** A separate text; null if the run exceeds its output limit. */
  whole(text: string): string | null
  /** Counts bytes that were made storable elsewhere; false if the run exceeds its output limit. */
  spend(bytes: number): boolean
  /** The UTF-8 bytes of all output. */
  spent(): number
}

const FIRST_HALF = /[\uD800-\uDBFF]$/

const createOutputBudget = (limitBytes: number): OutputBudget => {
  let remaining = limitBytes
  let half = ''
  const spend = (bytes: number): boolean => {
    remaining -= bytes
    return remaining >= 0
  }
  const whole = (text: string): string | null => {
    const clean = storable(text)
    return spend(Buffer.byteLength(clean)) ? clean : null
  }
  return {
    piece: (text) => {
      const joined = half + text
      half = FIRST_HALF.exec(joined)?.[0] ?? ''
      return whole(half === '' ? joined : joined.slice(0, -1))
    },
    rest: () => storable(half),
    whole,
    spend,
    spent: () => limitBytes - remaining,
  }
}
