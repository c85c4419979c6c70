// Generated from components.x-errors by `npm run generate`. Do not edit.

export interface ErrorInfo {
  /** HTTP status of answers with this code. */
  readonly status: number
  readonly title: string
  /** What happened and what to do about it. */
  readonly description: string
  /** Whether the same request, under the same key, may succeed later without any change. */
  readonly retryable: boolean
  /** `nothing`: the request had no effect. `unknown`: only a replay or a read can tell. */
  readonly happened: 'nothing' | 'unknown'
  /** No request under this key and with this content was admitted (D-07). */
  readonly final_for_key?: boolean
  /** The problem says `outcome: unknown` if the request may have taken effect nevertheless (D-57). */
  readonly tells_outcome?: boolean
}

/** Every error code of the contract (D-09). */
export const ERRORS = {
  UNKNOWN_FIELD: {
    status: 400,
    title: "Unknown field",
    description: "The body has a member that the operation does not know; `errors` names it. Remove it.",
    retryable: false,
    happened: "nothing",
    final_for_key: true
  },
  INVALID_REQUEST: {
    status: 400,
    title: "Invalid request",
    description: "A value in the body, a header, the query or the path breaks the contract; `errors` names each one. Correct them.",
    retryable: false,
    happened: "nothing",
    final_for_key: true
  },
  UNAUTHENTICATED: {
    status: 401,
    title: "Not authenticated",
    description: "The key is missing, malformed, unknown, expired or revoked. For a webhook, the signature, its timestamp or the secret is wrong. Send a valid key, or sign again with the current secret.",
    retryable: false,
    happened: "nothing"
  },
  PERMISSION_DENIED: {
    status: 403,
    title: "Permission denied",
    description: "The key lacks the scope, or the application or device is disabled. For a webhook, the integration is disabled or does not accept this type of event. For an operator, the role or the permission to read contents is missing. Ask the operator.",
    retryable: false,
    happened: "nothing"
  },
  NOT_FOUND: {
    status: 404,
    title: "Not found",
    description: "The route does not exist, or this application and subject have no such record. A record of another application or subject gets the same answer. Check the ID and the subject.",
    retryable: false,
    happened: "nothing",
    final_for_key: true
  },
  METHOD_NOT_ALLOWED: {
    status: 405,
    title: "Method not allowed",
    description: "The path exists, but not with this method. Use one that `Allow` lists.",
    retryable: false,
    happened: "nothing"
  },
  NOT_ACCEPTABLE: {
    status: 406,
    title: "Not acceptable",
    description: "The operation answers with an event stream, but `Accept` excludes it. Accept text/event-stream.",
    retryable: false,
    happened: "nothing"
  },
  GENERATION_CONFLICT: {
    status: 409,
    title: "Generation conflict",
    description: "The `expected_generation` is not the current one, or a breaking publication requires a reset first. Reload the snapshot and decide again. If you still want to send it, use a new key.",
    retryable: false,
    happened: "nothing",
    final_for_key: true
  },
  BUSY: {
    status: 409,
    title: "Busy",
    description: "Something else has to finish first, or already exists: the conversation is resetting or has unfinished work, an unfinished run uses the attachment, or the conversation key is taken. Wait until it has finished and send the request again, or use the conversation that has the key.",
    retryable: false,
    happened: "nothing"
  },
  IDEMPOTENCY_CONFLICT: {
    status: 409,
    title: "Idempotency conflict",
    description: "The key was already used for different content, or the attachment already has different bytes. Use a new key for each new intention.",
    retryable: false,
    happened: "nothing",
    final_for_key: true
  },
  WEBHOOK_CONFLICT: {
    status: 409,
    title: "Webhook conflict",
    description: "This webhook-id was already accepted with a different body. Give each event its own ID.",
    retryable: false,
    happened: "nothing",
    final_for_key: true
  },
  CURSOR_EXPIRED: {
    status: 410,
    title: "Cursor expired",
    description: "Events after this position have been removed, or the position never existed. Reload the snapshot and resume from its watermark.",
    retryable: false,
    happened: "nothing"
  },
  PAYLOAD_TOO_LARGE: {
    status: 413,
    title: "Payload too large",
    description: "The body is larger than the operation allows. Send less.",
    retryable: false,
    happened: "nothing",
    final_for_key: true
  },
  UNSUPPORTED_MEDIA_TYPE: {
    status: 415,
    title: "Unsupported media type",
    description: "The operation does not take this media type. Send application/json.",
    retryable: false,
    happened: "nothing",
    final_for_key: true
  },
  QUEUE_FULL: {
    status: 429,
    title: "Queue full",
    description: "The conversation has reached its limit of queued runs, by default 20. Wait as long as `Retry-After` says, then send the request again under the same key.",
    retryable: true,
    happened: "nothing"
  },
  PENDING_LIMIT: {
    status: 429,
    title: "Too many unfinished runs",
    description: "The application or the device has reached its limit of unfinished runs. Wait as long as `Retry-After` says, then send the request again under the same key.",
    retryable: true,
    happened: "nothing"
  },
  STREAM_LIMIT: {
    status: 429,
    title: "Too many event streams",
    description: "The device, application or subject has reached its limit of open streams. Close one, or wait as long as `Retry-After` says.",
    retryable: true,
    happened: "nothing"
  },
  RATE_LIMITED: {
    status: 429,
    title: "Too many requests",
    description: "The key sends requests faster than it is allowed to, too many requests of its application wait, or this address has sent too many unknown keys or tokens. Wait as long as `Retry-After` says, then send the request again.",
    retryable: true,
    happened: "nothing"
  },
  INTERNAL: {
    status: 500,
    title: "Internal error",
    description: "The gateway failed, and the request may or may not have taken effect: send it again under the same key, or read the state. Give the operator the `request_id`.",
    retryable: true,
    happened: "unknown"
  },
  CAPABILITY_UNAVAILABLE: {
    status: 503,
    title: "Capability unavailable",
    description: "Admission is paused, or the gateway, its database or the device is unavailable. Wait as long as `Retry-After` says, then send the request again under the same key. With `outcome: unknown` the request may have taken effect, and only sending it again or reading can tell. Without it, nothing happened.",
    retryable: true,
    happened: "nothing",
    tells_outcome: true
  },
  RETRY_REFUSED: {
    status: 409,
    title: "Retry refused",
    description: "This delivery cannot be retried. It is neither `expired` nor `needs_action`, its configuration was disabled or changed, or its payload has been removed.",
    retryable: false,
    happened: "nothing"
  },
  ALREADY_EXISTS: {
    status: 409,
    title: "Already exists",
    description: "The chosen ID or name is taken. Choose another, or use the existing record.",
    retryable: false,
    happened: "nothing"
  },
  ALREADY_DECIDED: {
    status: 409,
    title: "Already decided",
    description: "The approval was decided differently, or its run has ended. There is nothing left to decide.",
    retryable: false,
    happened: "nothing"
  },
  RUN_LOST: {
    status: 409,
    title: "The run is lost",
    description: "The run has ended, or no longer belongs to this session; `detail` names its state. Stop the assistant, and send nothing more about the run.",
    retryable: false,
    happened: "nothing"
  },
  STEPS_OUT_OF_ORDER: {
    status: 409,
    title: "Steps are missing",
    description: "The request leaves out steps that the gateway does not have. Nothing was written. Send the steps from the index that `detail` names.",
    retryable: false,
    happened: "nothing"
  },
  SESSION_LIMIT: {
    status: 429,
    title: "Too many sessions",
    description: "The device has reached its limit of sessions. Close one, or wait until the session of a worker that has stopped lapses.",
    retryable: true,
    happened: "nothing"
  }
} as const satisfies Record<string, ErrorInfo>

export type ErrorCode = keyof typeof ERRORS
