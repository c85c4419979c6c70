// Generated from components.x-errors by `npm run generate`. Do not edit.

export interface ErrorInfo {
  /** HTTP status that the code always comes with. */
  readonly status: number
  /** Whether the same request, under the same key, may succeed later without any change. */
  readonly retryable: boolean
  /** `nothing`: the request had no effect. `unknown`: only a replay or a read can tell. */
  readonly happened: 'nothing' | 'unknown'
  /** No request under this key and with this content was admitted, even if an earlier answer was lost (D-07). */
  readonly finalForKey?: true
}

/** Every error code of the contract (D-09). */
export const ERRORS = {
  /** The body has a member that the operation does not know; `errors` names it. Remove it. */
  UNKNOWN_FIELD: { status: 400, retryable: false, happened: 'nothing', finalForKey: true },
  /** A value in the body, a header, the query or the path breaks the contract; `errors` names each one. Correct them. */
  INVALID_REQUEST: { status: 400, retryable: false, happened: 'nothing', finalForKey: true },
  /** The key is missing, malformed, unknown, expired or revoked. For a webhook, the signature, its timestamp or the secret is wrong. Send a valid key, or sign again with the current secret. */
  UNAUTHENTICATED: { status: 401, retryable: false, happened: 'nothing' },
  /** The key lacks the scope, or the application or device is disabled. For a webhook, the integration is disabled or does not accept this type of event. For an operator, the role or the permission to read contents is missing. Ask the operator. */
  PERMISSION_DENIED: { status: 403, retryable: false, happened: 'nothing' },
  /** The route does not exist, or this application and subject have no such record. A record of another application or subject gets the same answer. Check the ID and the subject. */
  NOT_FOUND: { status: 404, retryable: false, happened: 'nothing', finalForKey: true },
  /** The path exists, but not with this method. Use one that `Allow` lists. */
  METHOD_NOT_ALLOWED: { status: 405, retryable: false, happened: 'nothing' },
  /** The operation answers with an event stream, but `Accept` excludes it. Accept text/event-stream. */
  NOT_ACCEPTABLE: { status: 406, retryable: false, happened: 'nothing' },
  /** The `expected_generation` is not the current one, or a breaking publication requires a reset first. Reload the snapshot and decide again. If you still want to send it, use a new key. */
  GENERATION_CONFLICT: { status: 409, retryable: false, happened: 'nothing', finalForKey: true },
  /** Something else has to finish first, or already exists: the conversation is resetting or has unfinished work, an unfinished run uses the attachment, or the conversation key is taken. Wait until it has finished and send the request again, or use the conversation that has the key. */
  BUSY: { status: 409, retryable: false, happened: 'nothing' },
  /** The key was already used for different content, or the attachment already has different bytes. Use a new key for each new intention. */
  IDEMPOTENCY_CONFLICT: { status: 409, retryable: false, happened: 'nothing', finalForKey: true },
  /** This webhook-id was already accepted with a different body. Give each event its own ID. */
  WEBHOOK_CONFLICT: { status: 409, retryable: false, happened: 'nothing', finalForKey: true },
  /** Events after this position have been removed, or the position never existed. Reload the snapshot and resume from its watermark. */
  CURSOR_EXPIRED: { status: 410, retryable: false, happened: 'nothing' },
  /** The body is larger than the operation allows. Send less. */
  PAYLOAD_TOO_LARGE: { status: 413, retryable: false, happened: 'nothing', finalForKey: true },
  /** The operation does not take this media type. Send application/json. */
  UNSUPPORTED_MEDIA_TYPE: { status: 415, retryable: false, happened: 'nothing', finalForKey: true },
  /** The conversation has reached its limit of queued runs, by default 20. Wait as long as `Retry-After` says, then send the request again under the same key. */
  QUEUE_FULL: { status: 429, retryable: true, happened: 'nothing' },
  /** The application or the device has reached its limit of unfinished runs. Wait as long as `Retry-After` says, then send the request again under the same key. */
  PENDING_LIMIT: { status: 429, retryable: true, happened: 'nothing' },
  /** The device, application or subject has reached its limit of open streams. Close one, or wait as long as `Retry-After` says. */
  STREAM_LIMIT: { status: 429, retryable: true, happened: 'nothing' },
  /** The key sends requests faster than it is allowed to, too many requests of its application wait, or this address has sent too many unknown keys or tokens. Wait as long as `Retry-After` says, then send the request again. */
  RATE_LIMITED: { status: 429, retryable: true, happened: 'nothing' },
  /** The gateway failed, and the request may or may not have taken effect: send it again under the same key, or read the state. Give the operator the `request_id`. */
  INTERNAL: { status: 500, retryable: true, happened: 'unknown' },
  /** Admission is paused, or the gateway, its database or the device is unavailable. Wait as long as `Retry-After` says, then send the request again under the same key. With `outcome: unknown` the request may have taken effect, and only sending it again or reading can tell. Without it, nothing happened. */
  CAPABILITY_UNAVAILABLE: { status: 503, retryable: true, happened: 'nothing' },
  /** This delivery cannot be retried. It is neither `expired` nor `needs_action`, its configuration was disabled or changed, or its payload has been removed. */
  RETRY_REFUSED: { status: 409, retryable: false, happened: 'nothing' },
  /** The chosen ID or name is taken. Choose another, or use the existing record. */
  ALREADY_EXISTS: { status: 409, retryable: false, happened: 'nothing' },
  /** The approval was decided differently, or its run has ended. There is nothing left to decide. */
  ALREADY_DECIDED: { status: 409, retryable: false, happened: 'nothing' },
  /** The run has ended, or no longer belongs to this session; `detail` names its state. Stop the assistant, and send nothing more about the run. */
  RUN_LOST: { status: 409, retryable: false, happened: 'nothing' },
  /** The request leaves out steps that the gateway does not have. Nothing was written. Send the steps from the index that `detail` names. */
  STEPS_OUT_OF_ORDER: { status: 409, retryable: false, happened: 'nothing' },
  /** The device has reached its limit of sessions. Close one, or wait until the session of a worker that has stopped lapses. */
  SESSION_LIMIT: { status: 429, retryable: true, happened: 'nothing' },
} as const satisfies Record<string, ErrorInfo>

export type ErrorCode = keyof typeof ERRORS

/** The meaning of a code that the HTTP status alone does not express. */
export interface CodeVerdict {
  readonly status: number
  readonly isTransient?: boolean
  readonly effect?: 'none' | 'none-ever' | 'unknown'
}

/** The codes of {@link ERRORS} whose verdict differs from that of their status. */
export const CODE_VERDICTS: Readonly<Record<string, CodeVerdict>> = {
  UNKNOWN_FIELD: {status: 400, effect: "none-ever"},
  INVALID_REQUEST: {status: 400, effect: "none-ever"},
  NOT_FOUND: {status: 404, effect: "none-ever"},
  GENERATION_CONFLICT: {status: 409, effect: "none-ever"},
  IDEMPOTENCY_CONFLICT: {status: 409, effect: "none-ever"},
  WEBHOOK_CONFLICT: {status: 409, effect: "none-ever"},
  PAYLOAD_TOO_LARGE: {status: 413, effect: "none-ever"},
  UNSUPPORTED_MEDIA_TYPE: {status: 415, effect: "none-ever"},
  CAPABILITY_UNAVAILABLE: {status: 503, effect: "none"}
}
