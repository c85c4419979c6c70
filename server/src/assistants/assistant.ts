import type { Activity, ActivityUpdate } from '@conversation-gateway/openapi/behaviour/activities'
import type { RunError } from '@conversation-gateway/openapi/behaviour/conversation-changes'
import type { RunOutcome } from '@conversation-gateway/openapi/behaviour/finish-run'
import { parseJsonObject } from '../domain/json/parse-json.ts'

/**
 * Executes a run: an async generator that yields steps and returns an outcome. Operators write such generators
 * as modules (D-44, `type: module`); the built-in assistants are written the same way.
 *
 * @example
 * export default async function* ({ input, signal }) {
 *   yield { delta: 'Looking up ' }
 *   const order = await lookUp(input.data.order_id, { signal })
 *   yield { delta: order.state }
 *   if ((await (yield { approval: 'Refund the order?' })) === 'denied')
 *     return { state: 'failed', error: { code: 'NO_REFUND', message: 'The refund was denied.', retryable: false } }
 * }
 *
 * Ending:
 * - returning nothing: the run succeeds, and its result is the text that was streamed;
 * - returning an outcome: the run ends with it, even if a stop was requested in the meantime;
 * - throwing: the run fails with code ASSISTANT_ERROR; the exception goes to the gateway's log, and under `npm start`
 *   also into the run's error;
 * - a stop: `request.signal` fires, no further step is taken, and the stop is confirmed as soon as the generator has
 *   ended without an outcome. A generator that ignores the signal delays this until its current `await` settles.
 */
export type Assistant = (
  request: AssistantRequest,
) => AsyncGenerator<AssistantStep | RehearsalStep, AssistantOutcome | undefined, StepReply>

/** Creates the assistant of a published version. A faulty configuration fails the runs, never the worker. */
export type AssistantSource = (config: unknown) => Assistant

export interface AssistantRequest {
  readonly appId: string
  readonly subject: string
  readonly endpointId: string
  readonly conversationId: string
  readonly generation: number
  readonly runId: string
  /** The message that the run answers. */
  readonly messageId: string
  /** The version of the service that the run is bound to. */
  readonly bindingVersion: number
  /** When the gateway stops the run. Waiting for an approval extends it. */
  readonly deadline: Date
  readonly input: AssistantInput
  /**
   * The `traceparent` header for requests to other services, which makes them part of the trace of the run's request;
   * null if that request had none.
   */
  readonly traceparent: string | null
  /** Fires when the run has to stop: on request, at its deadline, after the loss of its lease, or at a shutdown. */
  readonly signal: AbortSignal
  /** Earlier messages of this generation, oldest first: at most the newest 100, and at most 256 KiB. */
  readContext(): Promise<readonly ContextMessage[]>
  /** An attachment of the run's application and subject; null if it does not exist or has no content. */
  readResource(resourceId: string): Promise<AssistantResource | null>
  /**
   * Stores an attachment of the run's application and subject and returns its ID, for `resourceIds` of the outcome.
   * Throws if the attachment is invalid: it needs 1 byte to 16 MiB, a plain file name and a media type.
   */
  createResource(resource: NewAssistantResource): Promise<string>
}

/** An attachment. Its content is read only by `readContent`. */
export interface AssistantResource {
  readonly filename: string
  readonly contentType: string
  /** The size of the content, in bytes. */
  readonly size: number
  readContent(): Promise<Uint8Array>
}

export interface NewAssistantResource {
  /** Without path separators and control characters, at most 255 characters. */
  readonly filename: string
  /** A media type such as `text/plain; charset=utf-8`. */
  readonly contentType: string
  readonly content: Uint8Array
}

/** The submitted input; at least one member is not empty. */
export interface AssistantInput {
  readonly text: string | null
  readonly data: Readonly<Record<string, unknown>> | null
  /**
   * The JSON text of `data` as it was sent. Unlike `data`, it keeps the order of members even if their names are
   * numbers.
   */
  readonly dataText: string | null
  readonly resourceIds: readonly string[]
}

export interface ContextMessage extends AssistantInput {
  readonly role: 'user' | 'assistant'
  /** The activities of this answer, if there are any and the service has `context_activities` (D-69). */
  readonly activities?: readonly PastActivity[]
}

export type PastActivity = Omit<Activity, 'state'> & { readonly state: string }

/** One step of a run, an object with one member. */
export type AssistantStep =
  /** Streams a piece of the run's answer. */
  | { readonly delta: string }
  /** Adds a separate, complete message beside the streamed answer. */
  | { readonly message: string }
  /** Reports work beside the answer: it begins an activity, or changes one (D-69). */
  | { readonly activity: ActivityUpdate }
  /** Waits for a decision; the `yield` returns `'approved'` or `'denied'`. */
  | { readonly approval: string }

/** Only for the script assistant, to simulate a faulty device (D-45). */
export type RehearsalStep = { readonly stopDelayMs: number } | { readonly ignoreStop: true } | { readonly crash: true }

/** The value of a `yield`: the decision for an approval, undefined for other steps. */
export type StepReply = Decision | undefined
export type Decision = 'approved' | 'denied'

/**
 * The outcome of the run. `text` replaces the streamed text in the result; the streamed message stays unchanged. `data`
 * is the result as data (D-70), and `usage` is the usage of the run (D-71). `error.code` is upper-case (D-16).
 */
export type AssistantOutcome = Extract<RunOutcome, { readonly state: 'succeeded' | 'failed' }>

export const fail = (code: string, message: string, more: Partial<Pick<RunError, 'retryable'>> = {}) =>
  ({ state: 'failed', error: { code, message, retryable: false, ...more } }) satisfies AssistantOutcome

/** The data for assistants, parsed from the sent JSON. */
export const readData = (json: string | null): Pick<AssistantInput, 'data' | 'dataText'> => ({
  data: json === null ? null : parseJsonObject(json),
  dataText: json,
})
