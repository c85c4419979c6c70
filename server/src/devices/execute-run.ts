import { describeAttachmentFault } from '@conversation-gateway/openapi/behaviour/attachments'
import type { RunOutcome } from '@conversation-gateway/openapi/behaviour/finish-run'
import { newId } from '@conversation-gateway/openapi/behaviour/ids'
import type {
  AssistantRequest,
  AssistantSource,
  AssistantStep,
  RehearsalStep,
  StepReply,
} from '../assistants/assistant.ts'
import { readData } from '../assistants/assistant.ts'
import { traceFields } from '../domain/trace-context.ts'
import type { Persist } from '../gateway/database/persist.ts'
import type { RunRef } from '../gateway/execution.ts'
import type { Span, SpanEnd, Tracing } from '../gateway/tracing.ts'
import type { Timers } from '../runtime/timers.ts'
import type { ClaimedRun } from '../store/claims.ts'
import type { HeldRun } from '../store/runs.ts'
import { createStop, driveAssistant } from './drive-assistant.ts'
import type { ExecutionPort } from './execution-port.ts'
import type { OutputTools } from './run-output.ts'
import { createRunOutput } from './run-output.ts'

/** A run that a worker executes. */
export interface Execution {
  readonly run: RunRef
  /** Resolves when the worker is done with the run: its end is recorded, or it was lost. */
  readonly done: Promise<void>
  /** Reacts to the run's state in the database; null if this worker has lost it. */
  observe(run: Pick<HeldRun, 'stopWanted'> | null): void
  /** Asks the assistant to end because the worker shuts down. */
  shutDown(): void
  /** Reports the run as interrupted without waiting for the assistant. */
  interrupt(): void
  /** Drops the run without a report. */
  abandon(): void
}

/** Observes the runs of a worker, which does not wait for it. */
export interface WorkObserver {
  /** A run began to execute. */
  began(run: ClaimedRun): void
  /** A run produced the first piece of its answer. */
  answered(run: ClaimedRun): void
  /** A run failed while its assistant executed. */
  failed(run: ClaimedRun, code: string): void
}

export interface ExecutionTools extends OutputTools {
  readonly assistants: AssistantSource
  readonly timers: Timers
  readonly observer: WorkObserver
  readonly tracing: Tracing
  readonly showAssistantErrors: boolean
  /** Reports that no worker executes the run any more. */
  readonly release: (run: RunRef) => void
}

/** Executes a claimed run to its recorded end. Never throws; an unavailable database only delays it. */
export const executeRun = (run: ClaimedRun, tools: ExecutionTools): Execution => {
  const { port, persist, log, observer } = tools
  const { appId, conversationId, runId, generation } = run
  const named = { run_id: runId, ...traceFields(run.traceparent) }
  const trace = traceRun(run, tools.tracing)
  const ref: RunRef = { appId, conversationId, runId }
  const stop = createStop(tools.timers)
  const output = createRunOutput(run, stop, tools)
  const { promise: done, resolve: finish } = Promise.withResolvers<void>()
  const lose = (): void => {
    trace.span.end({ error: 'lost' })
    finish()
  }
  stop.lost.addEventListener('abort', lose, { once: true })
  let reporting: Promise<void> | undefined

  let hasAnswered = false
  const perform = (step: AssistantStep | RehearsalStep): StepReply | Promise<StepReply> => {
    if (!hasAnswered && ('delta' in step || 'message' in step || 'activity' in step)) {
      hasAnswered = true
      observer.answered(run)
    }
    if ('delta' in step) output.delta(step.delta)
    else if ('activity' in step) output.activity(step.activity)
    else if ('message' in step) return output.message(step.message).then(() => undefined)
    else if ('approval' in step) return output.approval(step.approval)
    else if ('stopDelayMs' in step) stop.delayConfirmation(step.stopDelayMs)
    else if ('ignoreStop' in step) stop.ignoreRequests()
    else return output.drain().then(() => void drop())
    return undefined
  }

  const drop = () => {
    tools.release(ref)
    stop.ask('lost')
  }

  /** After the run is lost, no further call to the gateway begins. */
  const work = async () => {
    const call = trace.callAssistant()
    const request = {
      appId,
      subject: run.subject,
      endpointId: run.endpointId,
      conversationId,
      generation,
      runId,
      messageId: run.messageId,
      bindingVersion: run.bindingVersion,
      deadline: run.runUntil,
      input: { text: run.text, ...readData(run.data), resourceIds: run.resourceIds ?? [] },
      traceparent: call.traceparent,
      signal: stop.signal,
      ...createRunAttachments(run, port, persist, stop.lost),
      readContext: async () => (await persist(stop.lost, () => port.readContext(run))) ?? [],
    }
    observer.began(run)
    const outcome = await driveAssistant(
      tools.assistants(run.assistant),
      request,
      perform,
      stop,
      log,
      tools.showAssistantErrors,
    )
    call.end(endOf(outcome))
    if (outcome.state === 'failed') observer.failed(run, outcome.error.code)
    const storable = await output.close(outcome)
    if (storable.state === 'cancelled') await stop.confirmable()
    await report(storable)
  }

  /** The first outcome counts. If the gateway rejects it, `interrupted` is reported instead. */
  const report = (outcome: RunOutcome): Promise<void> => {
    reporting ??= persist(stop.lost, (attempt) => output.report(outcome, attempt))
      .catch((error: unknown) => {
        log.error(
          { ...named, err: error, state: outcome.state },
          'the outcome of a run could not be stored; it is reported as interrupted',
        )
        return persist(stop.lost, () => port.reportOutcome(ref, { state: 'interrupted' }, []))
      })
      .then(() => {
        trace.span.end(endOf(outcome))
        finish()
      })
    return reporting
  }

  const giveUp = (error: unknown) => {
    log.error({ ...named, err: error }, 'the worker abandons a run, whose lease will expire')
    drop()
  }

  work().catch(giveUp)
  return {
    run: ref,
    done,
    observe: (seen) => {
      if (seen === null) stop.ask('lost')
      else if (seen.stopWanted) stop.ask('requested')
    },
    shutDown: () => stop.ask('shutdown'),
    interrupt: () => void report({ state: 'interrupted' }).catch(giveUp),
    abandon: () => stop.ask('lost'),
  }
}

/** The assistant's access to attachments, with retries while the database is unavailable. `lost` ends the retries. */
const createRunAttachments = (
  run: ClaimedRun,
  port: ExecutionPort,
  persist: Persist,
  lost: AbortSignal,
): Pick<AssistantRequest, 'readResource' | 'createResource'> => ({
  readResource: async (resourceId) => {
    const resource = await persist(lost, () => port.findAttachment(run, resourceId))
    if (resource === undefined || resource === null) return null
    const { filename, contentType, size } = resource
    return {
      filename,
      contentType,
      size,
      readContent: async () => (await persist(lost, () => port.readAttachment(run, resource))) ?? NOTHING,
    }
  },
  createResource: async ({ filename, contentType, content }) => {
    const fault = describeAttachmentFault({ filename, contentType, size: content.byteLength })
    if (fault !== null) throw new RangeError(`The attachment cannot be stored: ${fault}.`)
    const resourceId = newId('res')
    await persist(lost, () => port.createAttachment(run, { resourceId, filename, contentType, content }))
    return resourceId
  },
})

/** The content that a lost run reads. It may be anything, because the output of a lost run is dropped. */
const NOTHING = new Uint8Array()

/** The spans of a run's execution and, below it, of the call of its assistant. */
const traceRun = (run: ClaimedRun, tracing: Tracing): { readonly span: Span; callAssistant(): Span } => {
  const { appId, conversationId, runId, endpointId } = run
  const attributes = {
    'conversation_gateway.app_id': appId,
    'conversation_gateway.conversation_id': conversationId,
    'conversation_gateway.run_id': runId,
    'conversation_gateway.endpoint_id': endpointId,
  }
  const span = tracing.begin({ name: 'run', kind: 'consumer', parent: run.traceparent, attributes })
  return {
    span,
    callAssistant: () => tracing.begin({ name: 'assistant', kind: 'client', parent: span.traceparent, attributes }),
  }
}

/** The end of the span of a run or of its assistant's call. */
const endOf = (outcome: RunOutcome): SpanEnd => ({
  attributes: { 'conversation_gateway.state': outcome.state },
  ...(outcome.state === 'failed' ? { error: outcome.error.code } : {}),
})
