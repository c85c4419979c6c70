// Generated from components.x-limits and the operations of openapi/gateway.yaml by `pnpm generate`. Do not edit.

/** The limits of the contract. Every name ends in its unit. */
export const LIMITS = {
  /** Most records of one page; a larger `limit` is answered with this many. */
  pageRecords: 100,
  /** Most bytes of messages in one page of history, beyond its first message. */
  historyPageBytes: 1048576,
  /** Most messages of a snapshot, the latest ones. */
  snapshotMessages: 200,
  /** Most runs of a snapshot, the latest ones. */
  snapshotRuns: 100,
  /** Size of a snapshot, unless the operator sets another (D-14). */
  snapshotBytes: 1048576,
  /** Most queued runs of one conversation, unless the operator sets another number. A further message is refused with 429 QUEUE_FULL. */
  queuedRuns: 20,
  /** Latest start of a message's run after its admission; also the default. */
  messageStartMs: 300000,
  /** Latest start of a direct run after its admission; also the default (D-22). */
  directStartMs: 86400000,
  /** How long events are kept, unless the operator sets another time. */
  eventsMs: 604800000,
  /** How long messages and results are kept after their run has ended, unless the operator sets another time. */
  bodiesMs: 2592000000,
  /** How long an attachment waits for its content. */
  pendingResourceMs: 86400000,
  /** Largest JSON body of a request. */
  jsonBodyBytes: 1048576,
  /** Largest content of an attachment (D-32). */
  attachmentBytes: 16777216,
  /** Most attachments that a run names as its result. */
  resultResources: 100,
  /** How long a request is replayed under its key (D-12). */
  idempotencyKeyMs: 604800000,
} as const

/** The header of the idempotency key. */
export const IDEMPOTENCY_KEY_HEADER = 'Idempotency-Key'
