import type { Clock } from '@conversation-gateway/openapi/behaviour/clock'
import type { Windows } from '@conversation-gateway/openapi/behaviour/conversation-work'
import type { Tenant } from '@conversation-gateway/openapi/behaviour/tenant'
import type { ConversationKey } from '../store/runs.ts'
import type { OpenConversation } from './conversation.ts'
import type { Pending } from './pending.ts'
import type { RecordKey, Records } from './records.ts'
import type { Wakeups } from './wakeups.ts'

/** The additional reads of a conversation that a change needs. */
export interface Reads {
  /**
   * All unfinished work; `judged` also determines whether the processes that hold runs are dead, `undecided` does not.
   */
  readonly work?: 'judged' | 'undecided'
  /** The numbers of unfinished runs of its application and of its device. */
  readonly pending?: true
  /** Attachments of a subject; existing ones are locked until the batch ends. */
  readonly attachments?: { readonly tenant: Tenant; readonly resourceIds: readonly string[] }
  /** The recorded answer to a request with this key. */
  readonly record?: RecordKey
}

/** The other reads of a batch. */
export interface Findings {
  readonly pending: Pending
  readonly attachments: ReadonlySet<string>
  readonly records: Records
}

/**
 * A change of one conversation, decided by rules from the state under its lock. It may be decided several times, and
 * only one result is written, so it must change only the given conversation and findings.
 */
export interface Change<Result> {
  readonly conversation: ConversationKey
  readonly reads: Reads
  /** Approximate bytes that it writes. Default: few. */
  readonly bytes?: number
  decide(open: OpenConversation, found: Findings): Result
  /**
   * The device whose unfinished runs, and those of the application, are counted exactly, under the lock of the limits.
   */
  readonly exactFor?: string | undefined
}

export interface WriterContext {
  readonly clock: Clock
  readonly settings: Windows
  readonly wakeups: Wakeups
}

/** A change with the clock, the settings and the wake-ups of its caller. */
export interface Asked<Result> {
  readonly context: WriterContext
  readonly change: Change<Result>
}
