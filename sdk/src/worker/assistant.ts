import { isObject } from '../is-object.ts'

/**
 * Executes a run: an async generator that yields steps. It has the same interface as the gateway's modules, so it can
 * be moved between them.
 *
 * - Returning nothing: the run succeeds, and its result is the text that was streamed.
 * - Returning an outcome, or yielding it as `{ end }`: the run ends with this outcome.
 * - Throwing: the run fails with code ASSISTANT_ERROR. The exception goes to the worker's log only. A
 *   {@link RunInterruptedError} ends the run as `interrupted`.
 * - A stop: `request.signal` fires, and no further step is taken. The stop is confirmed once the generator has ended.
 */
export type WorkerAssistant = (
  request: WorkerRequest,
  // biome-ignore lint/suspicious/noConfusingVoidType: a generator without a return statement returns void
) => AsyncGenerator<WorkerStep, WorkerOutcome | undefined | void, WorkerDecision | undefined>

/** One step: an object with exactly one member. */
export type WorkerStep =
  /** Streams a piece of the run's answer. */
  | { readonly delta: string }
  /** Adds a complete message in addition to the streamed answer. */
  | { readonly message: string }
  /** Begins or changes an activity. */
  | { readonly activity: WorkerActivity }
  /** Waits for a decision; the `yield` expression returns `'approved'` or `'denied'`. */
  | { readonly approval: string }
  /** Ends the run. */
  | { readonly end: WorkerEnd }

export type WorkerDecision = 'approved' | 'denied'

/**
 * An activity of the assistant: a tool call, reasoning, progress, a source. The first step with an `activity_id` names
 * `kind` and `name`; its `state` is `running` by default. Later steps replace the members that they contain, and
 * `text_delta` appends to `text`. A run has at most 100 activities, of 64 KiB each and 1 MiB together; more fails it
 * with OUTPUT_LIMIT.
 */
export interface WorkerActivity {
  /** Names the activity within its run, at most 128 characters. */
  readonly activity_id: string
  /** `tool`, `reasoning`, `progress`, `source`, or a name of your own, at most 64 characters. */
  readonly kind?: string
  /** A name for programs, such as the tool's name; at most 256 characters. */
  readonly name?: string
  readonly state?: 'running' | 'succeeded' | 'failed'
  /** A title for people. */
  readonly title?: string
  /** The activity's input; any JSON. */
  readonly input?: unknown
  /** The activity's output; any JSON. */
  readonly output?: unknown
  readonly text?: string
  /** A piece that is appended to `text`. */
  readonly text_delta?: string
}

/** The final state of an activity. */
export interface WorkerPastActivity extends Omit<WorkerActivity, 'state' | 'text_delta'> {
  readonly kind: string
  readonly name: string
  /** `running`, `succeeded`, `failed`, or a state of a later gateway. */
  readonly state: string
}

/** The usage of the run, as far as the assistant knows. */
export interface WorkerUsage {
  readonly input_tokens?: number
  readonly output_tokens?: number
  readonly total_tokens?: number
  /** A decimal number in a currency of ISO 4217, such as `{ amount: '0.0123', currency: 'EUR' }`. */
  readonly cost?: { readonly amount: string; readonly currency: string }
  readonly model?: string
}

interface Success {
  readonly state: 'succeeded'
  /** The result's text; replaces the streamed text. */
  readonly text?: string
  /** The result as data, a JSON object. */
  readonly data?: Readonly<Record<string, unknown>>
  readonly usage?: WorkerUsage
}

interface Failure {
  readonly state: 'failed'
  readonly error: WorkerError
  readonly usage?: WorkerUsage
}

/** How a run ended, as the contract writes it. */
export type WorkerEnd = (Success & { readonly resource_ids?: readonly string[] }) | Failure

/** How a run ended, as a generator returns it. */
export type WorkerOutcome = (Success & { readonly resourceIds?: readonly string[] }) | Failure

/**
 * Thrown by an assistant that has lost the program executing the run. The effects of the run are unknown, so it ends as
 * `interrupted`.
 */
export class RunInterruptedError extends Error {
  override readonly name = 'RunInterruptedError'
}

export interface WorkerError {
  /** Upper-case, such as `NO_REFUND`. */
  readonly code: string
  readonly message: string
  /** Whether the same message may succeed later. */
  readonly retryable: boolean
}

/** The submitted input; at least one member is not empty. */
export interface WorkerInput {
  readonly text: string | null
  readonly data: Readonly<Record<string, unknown>> | null
  /** `data` as JSON. */
  readonly dataText: string | null
  readonly resourceIds: readonly string[]
}

export interface WorkerContextMessage extends WorkerInput {
  readonly role: 'user' | 'assistant'
  /** The activities of this answer, if the service has `context_activities`. */
  readonly activities?: readonly WorkerPastActivity[]
}

/** An attachment; its content is read on demand. */
export interface WorkerResource {
  readonly filename: string
  readonly contentType: string
  /** Bytes of the content. */
  readonly size: number
  readContent(): Promise<Uint8Array<ArrayBuffer>>
}

export interface NewWorkerResource {
  /** Without path separators and control characters, at most 255 characters. */
  readonly filename: string
  /** A media type such as `text/plain; charset=utf-8`. */
  readonly contentType: string
  readonly content: Uint8Array<ArrayBuffer>
}

/** A run to execute. */
export interface WorkerRequest {
  readonly runId: string
  readonly appId: string
  readonly subject: string
  readonly endpointId: string
  readonly conversationId: string
  readonly generation: number
  readonly input: WorkerInput
  /** The assistant as published in the service's version. */
  readonly assistant: Readonly<Record<string, unknown>>
  /** The message that the run answers. */
  readonly messageId: string
  /** The version of the service that the run is bound to. */
  readonly bindingVersion: number
  /** When the gateway stops the run. */
  readonly deadline: Date
  /** The `traceparent` header for requests to other services; null if the run's request had none. */
  readonly traceparent: string | null
  /** Fires when the run has to stop: on request, because its lease was lost, or because the worker shuts down. */
  readonly signal: AbortSignal
  /** The earlier messages of this generation, oldest first: the newest 100, at most 256 KiB. */
  readContext(): Promise<readonly WorkerContextMessage[]>
  /** An attachment of the run's application and subject; null if it does not exist or has no content. */
  readResource(resourceId: string): Promise<WorkerResource | null>
  /**
   * Stores an attachment of the run's application and subject and returns its ID, for `resourceIds` of the outcome.
   * Rejects if it breaks a limit: 1 byte to 16 MiB, a plain file name, a media type.
   */
  createResource(resource: NewWorkerResource): Promise<string>
}

const TEXT_STEPS = ['delta', 'message', 'approval'] as const

/** Throws an error that names the faulty member of a step. The gateway validates it again against the contract. */
export const checkStep = (step: unknown): void => {
  const fault = faultOfStep(step)
  if (fault !== null) throw new Error(`The assistant yielded something other than documented: ${fault}.`)
}

const faultOfStep = (step: unknown): string | null => {
  if (!isObject(step)) return 'it must be an object with one member'
  const [name, more] = Object.keys(step)
  if (name === undefined || more !== undefined) return 'it must have exactly one member'
  if (name === 'end') return faultOfEnd(step.end, 'resource_ids', 'end.')
  if (name === 'activity') return faultOfActivity(step.activity)
  if (!TEXT_STEPS.some((known) => known === name)) return `${name} is not a known member`
  return typeof step[name] === 'string' ? null : `${name} must be a string`
}

const faultOfActivity = (activity: unknown): string | null => {
  if (!isObject(activity)) return 'activity must be an object'
  return typeof activity.activity_id === 'string' ? null : 'activity.activity_id must be a string'
}

const faultOfEnd = (end: unknown, resources: string, at: string): string | null => {
  if (!isObject(end)) return `${at === '' ? 'it' : 'end'} must be an object`
  const { state } = end
  if (state !== 'succeeded' && state !== 'failed') return `${at}state must be succeeded or failed`
  const known = state === 'succeeded' ? ['state', 'text', resources, 'data', 'usage'] : ['state', 'error', 'usage']
  const unknown = Object.keys(end).find((name) => !known.includes(name))
  if (unknown !== undefined) return `${at}${unknown} is not a known member`
  if (end.usage !== undefined && !isObject(end.usage)) return `${at}usage must be an object`
  if (end.data !== undefined && !isObject(end.data)) return `${at}data must be an object`
  if (state === 'failed') {
    const { error } = end
    const isError =
      isObject(error) &&
      /^[A-Z][A-Z0-9_]{0,63}$/.test(String(error.code)) &&
      typeof error.message === 'string' &&
      typeof error.retryable === 'boolean'
    return isError ? null : `${at}error must have an upper-case code, a message and retryable`
  }
  if (end.text !== undefined && typeof end.text !== 'string') return `${at}text must be a string`
  const ids = end[resources]
  const isList = ids === undefined || (Array.isArray(ids) && ids.every((id) => typeof id === 'string'))
  return isList ? null : `${at}${resources} must be an array of strings`
}

/** The end of a run by a returned outcome. Throws an error that names a faulty member. */
export const endOf = (outcome: WorkerOutcome): WorkerEnd => {
  const fault = faultOfEnd(outcome, 'resourceIds', '')
  if (fault !== null) throw new Error(`The assistant returned something other than documented: ${fault}.`)
  if (outcome.state === 'failed') return outcome
  const { resourceIds, ...succeeded } = outcome
  return { ...succeeded, ...(resourceIds === undefined ? {} : { resource_ids: resourceIds }) }
}
