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
 * Writes what one run puts out. Writes wait for a database that is away, and one that got no answer is looked up
 * before it is repeated. When the run turns out to have ended, it is lost. The members throw RunFailure.
 */
export interface RunOutput {
  delta(text: string): void
  activity(change: ActivityUpdate): void
  message(text: string): Promise<void>
  /** Waits for the decision; undefined when the run has to stop first. */
  approval(summary: string): Promise<Decision | undefined>
  /** Resolves when all that was put out is written. */
  drain(): Promise<void>
  /** Ends the output, and says what becomes of an outcome: as it is, as far as it can be stored. */
  close(outcome: RunOutcome): Promise<RunOutcome>
  /** Reports the end of the run together with the last of what it streamed. */
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

/** How long to wait before asking again for an approval that cannot be asked for yet. */
const APPROVAL_PAUSE_MS = 1000

export const createRunOutput = (run: ClaimedRun, stop: Stop, tools: OutputTools): RunOutput => {
  const { port, persist, sleep, log } = tools
  const target = { appId: run.appId, conversationId: run.conversationId, runId: run.runId, messageId: newId('msg') }
  const budget = createOutputBudget(tools.outputBytes)
  const activities = noActivities()
  const tooLarge = fail('OUTPUT_TOO_LARGE', `A run may put out at most ${tools.outputBytes} bytes of text and data.`)
  const unwritten = fail('INTERNAL', 'The output could not be stored.', { retryable: true })
  let messagesWritten = 0
  let approvalsAsked = 0
  let broken = false
  /** What the end of the run takes along. */
  let rest: readonly ReplyPart[] = []

  /** Undefined when the run was lost, or is broken because the write cannot be done. */
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
      // A stop may take its time to be confirmed; its text does not wait for that.
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

/** The text of one run, bounded and made storable piece by piece. */
interface OutputBudget {
  /** A piece of the streamed text; null when the run has put out too much. */
  piece(text: string): string | null
  /** What the last piece left over: half a character that never got its other half. */
  rest(): string
  /** A text that stands by itself; null when the run has put out too much. */
  whole(text: string): string | null
  /** Counts bytes that were made storable elsewhere; false when the run has put out too much. */
  spend(bytes: number): boolean
  /** The UTF-8 bytes of all that was put out. */
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
