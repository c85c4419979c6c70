// Generated from components.x-errors by `pnpm generate`. Do not edit.

export interface ErrorInfo {
  /** HTTP status that the code always comes with. */
  readonly status: number
  /** Whether the same request, under the same key, may succeed later without any change. */
  readonly retryable: boolean
  /** `nothing`: the request had no effect. `unknown`: only a replay or a read can tell. */
  readonly happened: 'nothing' | 'unknown'
  /** No request under this key and with this content was admitted, also where an earlier answer was lost (D-07). */
  readonly finalForKey?: true
}

/** Every error code of the contract (D-09). */
export const ERRORS = {
  /** The body has a member that the operation does not define; `errors` names it. Remove the member. */
  UNKNOWN_FIELD: { status: 400, retryable: false, happened: 'nothing', finalForKey: true },
  /** A body, header, query or path value breaks the contract; `errors` names each. Correct the values. */
  INVALID_REQUEST: { status: 400, retryable: false, happened: 'nothing', finalForKey: true },
  /** The key is missing, malformed, unknown, expired or revoked; for webhooks the signature, its timestamp or its secret is wrong. Send a valid key, or sign again with the current secret. */
  UNAUTHENTICATED: { status: 401, retryable: false, happened: 'nothing' },
  /** The key lacks the scope, or the application or device is disabled; for webhooks the integration is disabled or does not accept the event type. Ask the operator. */
  PERMISSION_DENIED: { status: 403, retryable: false, happened: 'nothing' },
  /** There is no such route or record for this application and subject; a record of another one reads alike. Check the ID and the subject. */
  NOT_FOUND: { status: 404, retryable: false, happened: 'nothing', finalForKey: true },
  /** The path exists but not with this method. Use a method that `Allow` lists. */
  METHOD_NOT_ALLOWED: { status: 405, retryable: false, happened: 'nothing' },
  /** The operation answers with an event stream, which `Accept` excludes. Accept text/event-stream. */
  NOT_ACCEPTABLE: { status: 406, retryable: false, happened: 'nothing' },
  /** The `expected_generation` is not current, or a breaking publication demands a reset first. Reload the snapshot, decide again, and send a newly intended request under a new key. */
  GENERATION_CONFLICT: { status: 409, retryable: false, happened: 'nothing', finalForKey: true },
  /** What exists stands in the way: the conversation key is taken, the conversation is resetting or has unfinished work, or an unfinished run uses the attachment. Use what exists, or wait for it to finish. */
  BUSY: { status: 409, retryable: false, happened: 'nothing' },
  /** The key was used with other content, or the attachment already has other bytes. Use a new key for a new intention. */
  IDEMPOTENCY_CONFLICT: { status: 409, retryable: false, happened: 'nothing', finalForKey: true },
  /** The same webhook-id was accepted with another body. Give each event its own ID. */
  WEBHOOK_CONFLICT: { status: 409, retryable: false, happened: 'nothing', finalForKey: true },
  /** Events after the position are no longer retained, or the position was never issued. Reload the snapshot and resume from its watermark. */
  CURSOR_EXPIRED: { status: 410, retryable: false, happened: 'nothing' },
  /** The body is above the operation's limit. Send less. */
  PAYLOAD_TOO_LARGE: { status: 413, retryable: false, happened: 'nothing', finalForKey: true },
  /** The body is not of the operation's media type. Send application/json. */
  UNSUPPORTED_MEDIA_TYPE: { status: 415, retryable: false, happened: 'nothing', finalForKey: true },
  /** The conversation has 20 queued runs. Wait as `Retry-After` says, then replay under the same key. */
  QUEUE_FULL: { status: 429, retryable: true, happened: 'nothing' },
  /** The application or the device has as many unfinished runs as it may. Wait as `Retry-After` says, then replay under the same key. */
  PENDING_LIMIT: { status: 429, retryable: true, happened: 'nothing' },
  /** The device, application or subject has as many open streams as it may. Close one, or wait as `Retry-After` says. */
  STREAM_LIMIT: { status: 429, retryable: true, happened: 'nothing' },
  /** The key sends requests faster than it may, or too many requests with unknown keys or tokens came from the address. Wait as `Retry-After` says, then repeat. */
  RATE_LIMITED: { status: 429, retryable: true, happened: 'nothing' },
  /** The gateway failed. Whether the request took effect is unknown: replay it under the same key, or read the state. Give the operator the `request_id`. */
  INTERNAL: { status: 500, retryable: true, happened: 'unknown' },
  /** Admission is paused, or the gateway, its store or the device is unavailable. Wait as `Retry-After` says, then replay under the same key. With `outcome: unknown` the request may have been carried out, and only a replay or a read can tell; without it nothing happened. */
  CAPABILITY_UNAVAILABLE: { status: 503, retryable: true, happened: 'nothing' },
  /** The delivery is neither expired nor in need of action, its configuration is disabled or has changed, or its payload is no longer retained. It cannot be retried. */
  RETRY_REFUSED: { status: 409, retryable: false, happened: 'nothing' },
  /** The chosen ID is taken. Choose another, or use the record that has it. */
  ALREADY_EXISTS: { status: 409, retryable: false, happened: 'nothing' },
  /** The approval was decided otherwise, or its run has ended. Read it; nothing is left to decide. */
  ALREADY_DECIDED: { status: 409, retryable: false, happened: 'nothing' },
} as const satisfies Record<string, ErrorInfo>

export type ErrorCode = keyof typeof ERRORS

/** What a code says about an answer that its status alone does not. */
export interface CodeVerdict {
  readonly status: number
  readonly isPassing?: boolean
  readonly effect?: 'none' | 'none-ever' | 'unknown'
}

/** The codes of {@link ERRORS} whose verdict differs from that of their status. */
export const CODE_VERDICTS: Readonly<Record<string, CodeVerdict>> = {
  UNKNOWN_FIELD: {
    status: 400,
    effect: "none-ever"
  },
  INVALID_REQUEST: {
    status: 400,
    effect: "none-ever"
  },
  NOT_FOUND: {
    status: 404,
    effect: "none-ever"
  },
  GENERATION_CONFLICT: {
    status: 409,
    effect: "none-ever"
  },
  IDEMPOTENCY_CONFLICT: {
    status: 409,
    effect: "none-ever"
  },
  WEBHOOK_CONFLICT: {
    status: 409,
    effect: "none-ever"
  },
  PAYLOAD_TOO_LARGE: {
    status: 413,
    effect: "none-ever"
  },
  UNSUPPORTED_MEDIA_TYPE: {
    status: 415,
    effect: "none-ever"
  },
  CAPABILITY_UNAVAILABLE: {
    status: 503,
    effect: "none"
  }
}
