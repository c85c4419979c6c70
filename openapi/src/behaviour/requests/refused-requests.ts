import type { Fault, Refusal } from '../refusal.ts'
import { LISTED_FAULTS, refuse } from '../refusal.ts'

/*
 * Refusals that every implementation of the gateway gives in the same words. Those of an admission, which depend on the
 * state of the conversation and its device, are in `admission.ts`.
 */

/** The faults of a request. */
export interface RequestFaults {
  readonly faults: readonly Fault[]
  /** Whether further faults are possible that were not searched for. */
  readonly hasMore?: boolean
  /** Whether all of them are unknown members of the body. */
  readonly onlyUnknownMembers?: boolean
}

/** The faults of a request as one refusal. */
export const refuseFaults = ({ faults, hasMore = false, onlyUnknownMembers = false }: RequestFaults): Refusal =>
  refuse(
    onlyUnknownMembers ? 'UNKNOWN_FIELD' : 'INVALID_REQUEST',
    `The request has ${countFaults(faults.length, hasMore)}; \`errors\` says where.`,
    { faults, hasMoreFaults: hasMore },
  )

const countFaults = (count: number, hasMore: boolean): string => {
  if (count > LISTED_FAULTS) return `more than ${LISTED_FAULTS} faults`
  if (hasMore) return 'faults'
  return count === 1 ? 'a fault' : `${count} faults`
}

export const tooLarge = (maxBodyBytes: number): Refusal =>
  refuse('PAYLOAD_TOO_LARGE', `The body may have at most ${maxBodyBytes} bytes.`)

export const NOT_JSON: Refusal = refuse('UNSUPPORTED_MEDIA_TYPE', 'Send the body as application/json in UTF-8.')

export const NOT_PLAIN: Refusal = refuse('UNSUPPORTED_MEDIA_TYPE', 'Send the body without a content encoding.')

export const NOT_ACCEPTABLE: Refusal = refuse(
  'NOT_ACCEPTABLE',
  'The answer is an event stream; accept text/event-stream.',
)

export const NO_ROUTE: Refusal = refuse('NOT_FOUND', 'There is no such route.')

export const KEY_CONFLICT: Refusal = refuse(
  'IDEMPOTENCY_CONFLICT',
  'This Idempotency-Key was used for a different request; a new intention needs a new key.',
)

export const WEBHOOK_CONFLICT: Refusal = refuse(
  'WEBHOOK_CONFLICT',
  'This webhook-id was accepted with another body; a new event needs a new webhook-id.',
)

/** A conversation with this business key already exists. */
export const BUSINESS_KEY_TAKEN: Refusal = refuse(
  'BUSY',
  'This conversation_key is taken for this subject and service; use that conversation.',
  { faults: [{ pointer: '/conversation_key', message: 'is in use' }] },
)

/** A direct run expects a generation of a conversation that does not exist yet (D-22). */
export const NO_GENERATION_YET: Refusal = refuse(
  'GENERATION_CONFLICT',
  'This conversation_key has no conversation yet, so it has no generation to expect.',
)

export const cursorExpired = (isTooOld: boolean): Refusal =>
  refuse(
    'CURSOR_EXPIRED',
    isTooOld
      ? 'Events after this position are no longer retained. Reload the snapshot and resume from its watermark.'
      : 'This position is above the newest event. Reload the snapshot and resume from its watermark.',
  )
