import type {
  ClaimedRun,
  Context,
  ContextMessage,
  EndedRun,
  RunResource,
  Step,
  StepsTaken,
  WorkerEnd,
} from '../generated/worker.ts'
import {
  checkStep,
  endOf,
  RunInterruptedError,
  type WorkerAssistant,
  type WorkerDecision,
  type WorkerInput,
  type WorkerRequest,
} from './assistant.ts'
import { type GatewayCalls, jsonWith, type ReadAnswer } from './gateway-calls.ts'
import { createStepQueue, REQUEST_CHARACTERS } from './step-queue.ts'

/** The logger of a worker, such as pino. */
export interface WorkerLog {
  info(fields: object, message: string): void
  warn(fields: object, message: string): void
  error(fields: object, message: string): void
}

/** A run that the worker executes. */
export interface Execution {
  readonly runId: string
  /** The approval that the run waits for; null if there is none. */
  readonly approvalId: string | null
  /** Whether the worker knows that the run has to stop. */
  readonly isStopping: boolean
  /** Whether the end is being sent. A heartbeat may then report the run as lost because it has just ended. */
  readonly isEnding: boolean
  /** Resolves when the worker is done with the run. */
  readonly done: Promise<void>
  stop(reason: 'cancelled' | 'interrupted'): void
  decide(approvalId: string, decision: WorkerDecision): void
  /** This worker has lost the run: stops its assistant and sends nothing more about it. */
  lose(): void
}

export interface ExecutionTools {
  readonly calls: GatewayCalls
  readonly sessionId: string
  readonly log: WorkerLog
  /** Whether the session is still valid; nothing is sent once it is not. */
  readonly isHeld: () => boolean
  /** Called when the run starts or stops waiting for an approval. */
  readonly changed: () => void
}

/** Maximum number of unsent characters before an assistant must wait. */
const BUFFERED = 512 * 1024

const readTaken = jsonWith<StepsTaken>({ index: 'number', stop: 'boolean' })
const readEnded = jsonWith<EndedRun>({ state: 'string' })
const readContext = jsonWith<Context>({ messages: 'array' })
const readResource = jsonWith<RunResource>({ filename: 'string', content_type: 'string', size: 'number' })
const readBytes = async (response: Response) => new Uint8Array(await response.arrayBuffer())

export const executeRun = (
  run: ClaimedRun,
  assistant: WorkerAssistant | undefined,
  tools: ExecutionTools,
): Execution => {
  const { calls, sessionId, log } = tools
  const runId = run.run_id
  const at = `/worker/v1/runs/${encodeURIComponent(runId)}`
  const session = `session_id=${encodeURIComponent(sessionId)}`
  const stopping = new AbortController()
  const losing = new AbortController()
  let stopReason: 'cancelled' | 'interrupted' | null = null
  let isEnding = false
  /** The assistant has ended: unsent steps are sent with the end. */
  let isClosing = false
  let approvalId: string | null = null
  let settleApproval = (_decision: WorkerDecision | undefined): void => {}
  /** Number of acknowledged steps. */
  let index = 0
  const unsent = createStepQueue()
  let sending: Promise<void> | null = null

  const lose = (): void => {
    if (losing.signal.aborted) return
    losing.abort()
    stopping.abort()
    settleApproval(undefined)
  }
  const stop: Execution['stop'] = (reason) => {
    stopReason ??= reason
    stopping.abort()
    settleApproval(undefined)
  }

  /** Repeats a request until the gateway answers. Throws `Lost` once nothing more may be sent. */
  const call = async <T>(
    method: string,
    path: string,
    body: object | Uint8Array<ArrayBuffer> | null,
    readAnswer: ReadAnswer<T>,
  ) => {
    if (!tools.isHeld()) lose()
    const answer = await calls.persist(method, path, body, readAnswer, losing.signal).catch(() => null)
    if (answer === null || losing.signal.aborted) throw new Lost()
    if (answer.code === 'RUN_LOST' || (answer.status === 404 && method === 'POST') || answer.status === 401) {
      lose()
      throw new Lost()
    }
    return answer
  }

  const sendSteps = async (steps: Step[]): Promise<void> => {
    const answer = await call('POST', `${at}/steps`, { session_id: sessionId, index, steps }, readTaken)
    if (answer.code !== null) throw new Refused(answer.code, answer.detail)
    const taken = answer.value
    index += steps.length
    if (taken.stop) stop('cancelled')
    if (steps.at(-1)?.approval !== undefined) {
      approvalId = taken.approval_id
      // The approval was not requested, because the run must stop.
      if (approvalId === null) index -= 1
    }
  }

  const sendBatches = async (): Promise<void> => {
    // Steps that are yielded in one tick of the event loop are sent together, with the end if it comes in the same
    // tick.
    await nextTurn()
    while (!unsent.isEmpty && !isClosing) await sendSteps(unsent.takeBatch())
  }

  /** Sends the steps that do not fit into the request with this end, and returns the rest. */
  const takeLast = async (end: WorkerEnd): Promise<Step[]> => {
    isClosing = true
    await sending
    const isLong = JSON.stringify(end).length > REQUEST_CHARACTERS
    for (;;) {
      const steps = unsent.takeBatch()
      // Drop an approval that could not be requested.
      if (unsent.isEmpty && !isLong) return steps.filter(({ approval }) => approval === undefined)
      if (steps.length === 0) return []
      await sendSteps(steps)
    }
  }

  const flush = (): Promise<void> => {
    sending ??= sendBatches().finally(() => {
      sending = null
    })
    return sending
  }

  /** Sends pending steps, and waits for the request only if many are pending. */
  const flushBuffered = async (): Promise<void> => {
    const sent = flush()
    if (unsent.characters > BUFFERED) await sent
    else sent.catch(() => {})
  }

  const perform = async (step: Step): Promise<WorkerDecision | undefined> => {
    if (step.delta !== undefined) {
      unsent.pushText(step.delta)
      await flushBuffered()
      return undefined
    }
    unsent.push(step)
    if (step.activity !== undefined) {
      await flushBuffered()
      return undefined
    }
    await flush()
    // A running flush may have ended before the step was pushed.
    if (!unsent.isEmpty) await flush()
    if (step.approval === undefined || approvalId === null) return undefined
    tools.changed()
    const decision = await new Promise<WorkerDecision | undefined>((resolve) => {
      settleApproval = resolve
      if (stopping.signal.aborted) resolve(undefined)
    })
    approvalId = null
    tools.changed()
    return decision
  }

  const drive = async (): Promise<WorkerEnd> => {
    if (assistant === undefined) {
      log.error({ run_id: runId }, `the worker has no assistant for ${run.endpoint_id}`)
      return failed('ASSISTANT_MISSING', `The worker has no assistant for ${run.endpoint_id}.`)
    }
    const steps = assistant(request)
    let isOver = false
    try {
      let reply: WorkerDecision | undefined
      while (!stopping.signal.aborted) {
        const turn = await steps.next(reply)
        if (turn.done === true) {
          isOver = true
          if (turn.value === undefined) return stopped() ?? { state: 'succeeded' }
          return contractEnd(endOf(turn.value))
        }
        if (stopping.signal.aborted) break
        checkStep(turn.value)
        if ('end' in turn.value) return contractEnd(turn.value.end)
        reply = await perform(turn.value)
      }
    } finally {
      if (!isOver)
        await steps.return(undefined).catch((error: unknown) => {
          log.warn({ run_id: runId, err: error }, 'the assistant threw an error while the worker ended it')
        })
    }
    return stopped() ?? { state: 'succeeded' }
  }

  const stopped = (): WorkerEnd | null => (stopReason === null ? null : { state: stopReason })

  const work = async (): Promise<void> => {
    let end: WorkerEnd
    let steps: Step[] = []
    try {
      end = await drive().catch((error: unknown) => {
        if (error instanceof Lost) throw error
        return failureOf(error)
      })
      unsent.endText()
      steps = await takeLast(end)
    } catch (error) {
      if (error instanceof Lost) return
      end = failureOf(error)
    }
    isEnding = true
    const answer = await call('POST', `${at}/end`, { session_id: sessionId, index, steps, end }, readEnded)
    if (answer.code === null) return
    log.error({ run_id: runId, code: answer.code }, `the gateway refused the end of a run: ${answer.detail}`)
    const failure = refusedOutput(answer.code)
    await call('POST', `${at}/end`, { session_id: sessionId, index, end: failure }, readEnded)
  }

  const failureOf = (error: unknown): WorkerEnd => {
    const byStop = stopped()
    if (byStop !== null) return byStop
    log.error({ run_id: runId, err: error }, 'an assistant failed')
    if (error instanceof RunInterruptedError) return { state: 'interrupted' }
    return refusedOutput(error instanceof Refused ? error.code : '')
  }

  /** Null for missing values. */
  const read = async <T>(path: string, readAnswer: ReadAnswer<T>): Promise<T | null> => {
    const answer = await call('GET', path, null, readAnswer)
    if (answer.code === null) return answer.value
    if (answer.status === 404) return null
    throw new Refused(answer.code, answer.detail)
  }

  const request: WorkerRequest = {
    runId,
    appId: run.app_id,
    subject: run.subject,
    endpointId: run.endpoint_id,
    conversationId: run.conversation_id,
    generation: run.generation,
    input: inputOf(run.input),
    assistant: run.assistant,
    messageId: run.message_id,
    bindingVersion: run.binding_version,
    deadline: new Date(run.deadline),
    traceparent: run.traceparent,
    signal: stopping.signal,
    readContext: async () => {
      const context = await read(`${at}/context?${session}`, readContext)
      return (context?.messages ?? []).map((message) => ({
        role: message.role,
        ...inputOf(message),
        ...(message.activities === undefined ? {} : { activities: message.activities }),
      }))
    },
    readResource: async (resourceId) => {
      const path = `${at}/resources/${encodeURIComponent(resourceId)}`
      const resource = await read(`${path}?${session}`, readResource)
      if (resource === null) return null
      const { filename, content_type: contentType, size } = resource
      return {
        filename,
        contentType,
        size,
        readContent: async () => {
          const content = await read(`${path}/content?${session}`, readBytes)
          if (content === null) throw new Error(`The attachment ${resourceId} has been deleted.`)
          return content
        },
      }
    },
    createResource: async ({ filename, contentType, content }) => {
      const resourceId = `res_${crypto.randomUUID().replaceAll('-', '')}`
      const query = `${session}&filename=${encodeURIComponent(filename)}&content_type=${encodeURIComponent(contentType)}`
      const answer = await call('PUT', `${at}/resources/${resourceId}?${query}`, content, readResource)
      if (answer.code !== null) throw new RangeError(answer.detail)
      return resourceId
    },
  }

  const done = work().catch((error: unknown) => {
    if (!(error instanceof Lost)) log.error({ run_id: runId, err: error }, 'the worker abandons the run')
  })

  return {
    runId,
    get approvalId() {
      return approvalId
    },
    get isStopping() {
      return stopReason !== null
    },
    get isEnding() {
      return isEnding
    },
    done,
    stop,
    decide: (decided, decision) => {
      if (decided === approvalId) settleApproval(decision)
    },
    lose,
  }
}

/** Uses `setImmediate` if the host has it, because a timer waits for at least one millisecond. */
const nextTurn = (): Promise<void> => {
  type Later = (then: () => void) => unknown
  const { setImmediate: later = setTimeout }: { setImmediate?: Later; setTimeout: Later } = globalThis
  return new Promise((resolve) => {
    later(resolve)
  })
}

/** Nothing more may be sent about the run. */
class Lost extends Error {}

/** The gateway rejects the assistant's output. */
class Refused extends Error {
  readonly code: string
  constructor(code: string, detail: string) {
    super(detail)
    this.code = code
  }
}

const refusedOutput = (code: string): WorkerEnd =>
  code === 'PAYLOAD_TOO_LARGE'
    ? failed('OUTPUT_TOO_LARGE', 'A step is too large.')
    : failed('ASSISTANT_ERROR', 'The assistant failed.')

const failed = (code: string, message: string): WorkerEnd => ({
  state: 'failed',
  error: { code, message, retryable: false },
})

/** The contract's lists are mutable; those of an assistant are readonly. */
const contractEnd = (end: ReturnType<typeof endOf>): WorkerEnd =>
  end.state === 'failed' || end.resource_ids === undefined
    ? (end as WorkerEnd)
    : { ...end, resource_ids: [...end.resource_ids] }

const inputOf = (input: Pick<ContextMessage, 'text' | 'data' | 'resource_ids'>): WorkerInput => ({
  text: input.text,
  data: input.data,
  dataText: input.data === null ? null : JSON.stringify(input.data),
  resourceIds: input.resource_ids,
})
