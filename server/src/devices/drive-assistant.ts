import { setImmediate as nextTurn } from 'node:timers/promises'
import type { RunOutcome } from '@conversation-gateway/openapi/behaviour/finish-run'
import type { Assistant, AssistantRequest, AssistantStep, RehearsalStep, StepReply } from '../assistants/assistant.ts'
import { fail } from '../assistants/assistant.ts'
import { traceFields } from '../domain/trace-context.ts'
import type { WorkerLog } from '../runtime/log.ts'
import type { Timers } from '../runtime/timers.ts'

/**
 * Why an assistant must stop: on request; because the worker shuts down; or because the worker has lost the run, after
 * which nothing more may be written about it.
 */
export type StopReason = 'requested' | 'shutdown' | 'lost'

/** The stop of one run, including the behaviour that a script may simulate (D-45). */
export interface Stop {
  /** The signal that the assistant gets. */
  readonly signal: AbortSignal
  /** Fires when the run is lost. */
  readonly lost: AbortSignal
  /** Null if there is no reason to stop. The first reason is kept, unless the run is lost. */
  reason(): StopReason | null
  ask(reason: StopReason): void
  /** Ignores later requests to stop. */
  ignoreRequests(): void
  /** Delays the confirmation of a later stop. */
  delayConfirmation(ms: number): void
  /** Resolves when a requested stop may be confirmed. */
  confirmable(): Promise<void>
}

export const createStop = ({ after }: Timers): Stop => {
  const stopping = new AbortController()
  const losing = new AbortController()
  let reason: StopReason | null = null
  let ignoresRequests = false
  let delayMs = 0
  let confirmable = Promise.resolve()
  return {
    signal: stopping.signal,
    lost: losing.signal,
    reason: () => reason,
    ask: (asked) => {
      if (reason === 'lost' || (asked !== 'lost' && reason !== null)) return
      if (asked === 'requested') {
        if (ignoresRequests) return
        if (delayMs > 0) confirmable = new Promise((resolve) => void after(delayMs, resolve))
      }
      reason = asked
      stopping.abort()
      if (asked === 'lost') losing.abort()
    },
    ignoreRequests: () => {
      ignoresRequests = true
    },
    delayConfirmation: (ms) => {
      delayMs = ms
    },
    confirmable: () => confirmable,
  }
}

/** Ends a run for a reason outside the assistant. */
export class RunFailure extends Error {
  override readonly name = 'RunFailure'
  readonly outcome: RunOutcome
  constructor(outcome: RunOutcome) {
    super('the run cannot continue')
    this.outcome = outcome
  }
}

/** Number of steps after which an assistant that never awaits must yield to others. */
const STEPS_PER_TURN = 256

/**
 * Takes an assistant's steps until it ends, fails or has stopped, and returns the outcome of the run. After a stop no
 * further step is taken; an explicitly returned outcome still counts.
 *
 * @param showAssistantErrors Whether the run's error contains the assistant's exception.
 */
export const driveAssistant = async (
  assistant: Assistant,
  request: AssistantRequest,
  perform: (step: AssistantStep | RehearsalStep) => StepReply | Promise<StepReply>,
  stop: Stop,
  log: WorkerLog,
  showAssistantErrors = false,
): Promise<RunOutcome> => {
  const named = { run_id: request.runId, endpoint_id: request.endpointId, ...traceFields(request.traceparent) }
  const onCloseError = (error: unknown) => log.warn({ ...named, err: error }, 'an assistant failed while it was ended')
  try {
    const steps = assistant(request)
    try {
      let reply: StepReply
      for (let count = 1; stop.reason() === null; count += 1) {
        const turn = await steps.next(reply)
        if (turn.done) return turn.value ?? stopOutcome(stop) ?? { state: 'succeeded' }
        if (stop.reason() !== null) break
        const performed = perform(turn.value)
        reply = performed instanceof Promise ? await performed : performed
        if (count % STEPS_PER_TURN === 0) await nextTurn()
      }
      await steps.return(undefined).catch(onCloseError)
    } catch (error) {
      void steps.return(undefined).catch(onCloseError)
      throw error
    }
    return stopOutcome(stop) ?? { state: 'succeeded' }
  } catch (error) {
    const stopped = stopOutcome(stop)
    if (stopped !== null) return stopped
    if (isRunFailure(error)) return error.outcome
    log.error({ ...named, err: error }, 'an assistant failed')
    return fail(
      'ASSISTANT_ERROR',
      showAssistantErrors ? `The assistant failed: ${describe(error)}` : 'The assistant failed.',
    )
  }
}

const MOST_CHARACTERS = 1000

/** The messages of the exception and of up to three causes, cut to 1000 characters. */
const describe = (error: unknown): string => {
  try {
    const messages: string[] = []
    for (let each = error; each instanceof Error && messages.length < 4; each = each.cause) messages.push(each.message)
    return (messages.join(': ') || String(error)).toWellFormed().slice(0, MOST_CHARACTERS)
  } catch {
    return 'what it threw cannot be shown.'
  }
}

/** The outcome of a stopped run; null if there is no reason to stop. */
const stopOutcome = (stop: Stop): RunOutcome | null => {
  const reason = stop.reason()
  if (reason === null) return null
  return { state: reason === 'requested' ? 'cancelled' : 'interrupted' }
}

/** An assistant may throw any value, even one that throws when its prototype is read. */
const isRunFailure = (error: unknown): error is RunFailure => {
  try {
    return error instanceof RunFailure
  } catch {
    return false
  }
}
