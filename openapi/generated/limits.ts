// Generated from components.x-limits and the operations of openapi/gateway.yaml by `npm run generate`. Do not edit.

/** The limits of the contract. Every name ends in its unit. */
export const LIMITS = {
  /** Maximum number of records of one page, even if `limit` is larger. */
  pageRecords: 100,
  /** Maximum bytes of messages in one page of history. The oldest message of the page does not count. */
  historyPageBytes: 1048576,
  /** Maximum number of messages in a snapshot: the most recent ones. */
  snapshotMessages: 200,
  /** Maximum number of runs in a snapshot: the most recent ones. */
  snapshotRuns: 100,
  /** Maximum size of a snapshot, unless the operator sets another size (D-14). */
  snapshotBytes: 1048576,
  /** Maximum number of queued runs of one conversation, unless the operator sets another number. A further message is refused with 429 QUEUE_FULL. */
  queuedRuns: 20,
  /** Longest time from the admission of a message to the start of its run; also the default. */
  messageStartMs: 300000,
  /** Longest time from the admission of a direct run to its start; also the default (D-22). */
  directStartMs: 86400000,
  /** How long events are kept, unless the operator sets another time. */
  eventsMs: 604800000,
  /** How long messages and results are kept after their run has ended, unless the operator sets another time. */
  bodiesMs: 2592000000,
  /** How long an attachment waits for its content. */
  pendingResourceMs: 86400000,
  /** Maximum size of the JSON body of a request. */
  jsonBodyBytes: 1048576,
  /** Maximum size of the content of an attachment (D-32). */
  attachmentBytes: 16777216,
  /** Maximum number of attachments in the result of a run. */
  resultResources: 100,
  /** How long a request is replayed under its key (D-12). */
  idempotencyKeyMs: 604800000,
} as const

/** The header of the idempotency key. */
export const IDEMPOTENCY_KEY_HEADER = 'Idempotency-Key'
