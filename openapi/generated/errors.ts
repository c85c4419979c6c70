// Generated from components.x-errors by `pnpm generate`. Do not edit.

export interface ErrorInfo {
  /** HTTP status that the code always comes with. */
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
  /** The problem says `outcome: unknown` where the request may have had its effect all the same (D-57). */
  readonly tells_outcome?: boolean
}

/** Every error code of the contract (D-09). */
export const ERRORS = {
  UNKNOWN_FIELD: {
    status: 400,
    title: "Unknown field",
    description: "The body has a member that the operation does not define; `errors` names it. Remove the member.",
    retryable: false,
    happened: "nothing",
    final_for_key: true
  },
  INVALID_REQUEST: {
    status: 400,
    title: "Invalid request",
    description: "A body, header, query or path value breaks the contract; `errors` names each. Correct the values.",
    retryable: false,
    happened: "nothing",
    final_for_key: true
  },
  UNAUTHENTICATED: {
    status: 401,
    title: "Not authenticated",
    description: "The key is missing, malformed, unknown, expired or revoked; for webhooks the signature, its timestamp or its secret is wrong. Send a valid key, or sign again with the current secret.",
    retryable: false,
    happened: "nothing"
  },
  PERMISSION_DENIED: {
    status: 403,
    title: "Permission denied",
    description: "The key lacks the scope, or the application or device is disabled; for webhooks the integration is disabled or does not accept the event type. Ask the operator.",
    retryable: false,
    happened: "nothing"
  },
  NOT_FOUND: {
    status: 404,
    title: "Not found",
    description: "There is no such route or record for this application and subject; a record of another one reads alike. Check the ID and the subject.",
    retryable: false,
    happened: "nothing",
    final_for_key: true
  },
  METHOD_NOT_ALLOWED: {
    status: 405,
    title: "Method not allowed",
    description: "The path exists but not with this method. Use a method that `Allow` lists.",
    retryable: false,
    happened: "nothing"
  },
  NOT_ACCEPTABLE: {
    status: 406,
    title: "Not acceptable",
    description: "The operation answers with an event stream, which `Accept` excludes. Accept text/event-stream.",
    retryable: false,
    happened: "nothing"
  },
  GENERATION_CONFLICT: {
    status: 409,
    title: "Generation conflict",
    description: "The `expected_generation` is not current, or a breaking publication demands a reset first. Reload the snapshot, decide again, and send a newly intended request under a new key.",
    retryable: false,
    happened: "nothing",
    final_for_key: true
  },
  BUSY: {
    status: 409,
    title: "Busy",
    description: "What exists stands in the way: the conversation key is taken, the conversation is resetting or has unfinished work, or an unfinished run uses the attachment. Use what exists, or wait for it to finish.",
    retryable: false,
    happened: "nothing"
  },
  IDEMPOTENCY_CONFLICT: {
    status: 409,
    title: "Idempotency conflict",
    description: "The key was used with other content, or the attachment already has other bytes. Use a new key for a new intention.",
    retryable: false,
    happened: "nothing",
    final_for_key: true
  },
  WEBHOOK_CONFLICT: {
    status: 409,
    title: "Webhook conflict",
    description: "The same webhook-id was accepted with another body. Give each event its own ID.",
    retryable: false,
    happened: "nothing",
    final_for_key: true
  },
  CURSOR_EXPIRED: {
    status: 410,
    title: "Cursor expired",
    description: "Events after the position are no longer retained, or the position was never issued. Reload the snapshot and resume from its watermark.",
    retryable: false,
    happened: "nothing"
  },
  PAYLOAD_TOO_LARGE: {
    status: 413,
    title: "Payload too large",
    description: "The body is above the operation's limit. Send less.",
    retryable: false,
    happened: "nothing",
    final_for_key: true
  },
  UNSUPPORTED_MEDIA_TYPE: {
    status: 415,
    title: "Unsupported media type",
    description: "The body is not of the operation's media type. Send application/json.",
    retryable: false,
    happened: "nothing",
    final_for_key: true
  },
  QUEUE_FULL: {
    status: 429,
    title: "Queue full",
    description: "The conversation has 20 queued runs. Wait as `Retry-After` says, then replay under the same key.",
    retryable: true,
    happened: "nothing"
  },
  PENDING_LIMIT: {
    status: 429,
    title: "Too many unfinished runs",
    description: "The application or the device has as many unfinished runs as it may. Wait as `Retry-After` says, then replay under the same key.",
    retryable: true,
    happened: "nothing"
  },
  STREAM_LIMIT: {
    status: 429,
    title: "Too many event streams",
    description: "The device, application or subject has as many open streams as it may. Close one, or wait as `Retry-After` says.",
    retryable: true,
    happened: "nothing"
  },
  RATE_LIMITED: {
    status: 429,
    title: "Too many requests",
    description: "The key sends requests faster than it may, or too many requests with unknown keys or tokens came from the address. Wait as `Retry-After` says, then repeat.",
    retryable: true,
    happened: "nothing"
  },
  INTERNAL: {
    status: 500,
    title: "Internal error",
    description: "The gateway failed. Whether the request took effect is unknown: replay it under the same key, or read the state. Give the operator the `request_id`.",
    retryable: true,
    happened: "unknown"
  },
  CAPABILITY_UNAVAILABLE: {
    status: 503,
    title: "Capability unavailable",
    description: "Admission is paused, or the gateway, its store or the device is unavailable. Wait as `Retry-After` says, then replay under the same key. With `outcome: unknown` the request may have been carried out, and only a replay or a read can tell; without it nothing happened.",
    retryable: true,
    happened: "nothing",
    tells_outcome: true
  },
  RETRY_REFUSED: {
    status: 409,
    title: "Retry refused",
    description: "The delivery is neither expired nor in need of action, its configuration is disabled or has changed, or its payload is no longer retained. It cannot be retried.",
    retryable: false,
    happened: "nothing"
  },
  ALREADY_EXISTS: {
    status: 409,
    title: "Already exists",
    description: "The chosen ID is taken. Choose another, or use the record that has it.",
    retryable: false,
    happened: "nothing"
  },
  ALREADY_DECIDED: {
    status: 409,
    title: "Already decided",
    description: "The approval was decided otherwise, or its run has ended. Read it; nothing is left to decide.",
    retryable: false,
    happened: "nothing"
  }
} as const satisfies Record<string, ErrorInfo>

export type ErrorCode = keyof typeof ERRORS
