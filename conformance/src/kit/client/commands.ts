/** A JSON object from an adapter or from the wire. Its members are not validated; checks do that. */
export type JsonObject = Readonly<Record<string, unknown>>

interface Input {
  readonly text: string
}

interface IntendedMessage {
  readonly conversation_id: string
  readonly expected_generation: number
  readonly input: Input
  readonly start_before?: string
}

/** The commands of the protocol and their arguments, as PROTOCOL.md describes them. */
export interface Commands {
  create_conversation: { readonly endpoint_id: string; readonly conversation_key?: string }
  list_conversations: { readonly endpoint_id: string; readonly limit: number }
  read_conversation: { readonly conversation_id: string }
  send_message: IntendedMessage
  read_run: { readonly run_id: string }
  read_history: { readonly conversation_id: string; readonly limit: number }
  watch_conversation: { readonly conversation_id: string; readonly after?: number }
  watch_run: { readonly run_id: string; readonly after?: number }
  cancel_run: { readonly run_id: string }
  reset_conversation: { readonly conversation_id: string; readonly expected_generation: number }
  read_operation: { readonly operation_id: string }
  create_run: { readonly endpoint_id: string; readonly input: Input; readonly conversation_key?: string }
  delete_resource: { readonly resource_id: string }
  wait_run: { readonly run_id: string }
  wait_operation: { readonly operation_id: string }
  complete_message: IntendedMessage
  complete_cancel: { readonly run_id: string }
  complete_reset: { readonly conversation_id: string; readonly expected_generation: number }
  read_results: { readonly conversation_id: string }
  reply_text: IntendedMessage
  follow_conversation: { readonly conversation_id: string }
  replay: { readonly handle: unknown }
  recover: Readonly<Record<string, never>>
  send_webhook: { readonly url: string; readonly secret: string; readonly event_id: string; readonly body: JsonObject }
}

export type Command = keyof Commands

/** What a check can require of a client: a command, or an ability without its own command. */
export type Ability = Command | 'outbox' | 'activities'

/** Arguments of `open`. */
export interface OpenArguments {
  readonly base_url: string
  readonly api_key: string
  readonly subject: string
  /** A folder for intended writes, so that they survive the process. */
  readonly outbox?: string
  /** Delays and limits, as far as the client can configure them. */
  readonly pace: {
    readonly backoff_base_ms: number
    readonly backoff_max_ms: number
    readonly attempt_timeout_ms: number
    readonly timeout_ms: number
  }
}

/**
 * How a command ended without a result.
 *
 * - `refused`: the gateway answered with an error, and nothing happened: `status`, `code`, `retry_after_ms`.
 * - `unknown`: it may have taken effect; `handle`, if any, is the argument of `replay`.
 * - `expired`: events after the position are no longer retained.
 * - `invalid`: the client itself rejects the command, and has sent nothing.
 * - `stopped`: by `stop`.
 * - `failed`: anything else.
 */
export type ErrorKind = 'refused' | 'unknown' | 'expired' | 'invalid' | 'stopped' | 'failed'

/** A command that ended with an error. */
export class CommandError extends Error {
  override readonly name = 'CommandError'
  readonly kind: ErrorKind
  readonly details: JsonObject

  constructor(command: string, kind: ErrorKind, details: JsonObject) {
    super(`${command} ended with the error ${JSON.stringify(details)}`)
    this.kind = kind
    this.details = details
  }
}

export const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const ERROR_KINDS: readonly string[] = ['refused', 'unknown', 'expired', 'invalid', 'stopped', 'failed']

/** Parses an error that an adapter reports. An error of another form becomes `failed`. */
export const toCommandError = (command: string, error: unknown): CommandError => {
  const details = isObject(error) ? error : { message: error }
  return new CommandError(command, isErrorKind(details.kind) ? details.kind : 'failed', details)
}

const isErrorKind = (value: unknown): value is ErrorKind => typeof value === 'string' && ERROR_KINDS.includes(value)
