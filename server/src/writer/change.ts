import type { Clock } from '@conversation-gateway/openapi/behaviour/clock'
import type { Windows } from '@conversation-gateway/openapi/behaviour/conversation-work'
import type { Tenant } from '@conversation-gateway/openapi/behaviour/tenant'
import type { ConversationKey } from '../store/runs.ts'
import type { OpenConversation } from './conversation.ts'
import type { Pending } from './pending.ts'
import type { RecordKey, Records } from './records.ts'
import type { Wakeups } from './wakeups.ts'

/** What is read of a conversation beside its row before a change of it can be decided. */
export interface Reads {
  /** All that is unfinished; `judged` also finds out whether the processes that hold runs are gone, `undecided` does not. */
  readonly work?: 'judged' | 'undecided'
  /** How many runs are unfinished of its application and device. */
  readonly pending?: true
  /** Attachments of a subject: those that are there stay there until the batch ends. */
  readonly attachments?: { readonly tenant: Tenant; readonly resourceIds: readonly string[] }
  /** The recorded answer to a request with this key. */
  readonly record?: RecordKey
}

/** What a batch has read, beside its conversations. */
export interface Findings {
  readonly pending: Pending
  readonly attachments: ReadonlySet<string>
  readonly records: Records
}

/**
 * A change of one conversation, decided by rules on what is read under its lock. It may be decided several times, of which
 * one is written: it must change nothing but the conversation and the findings that it is given.
 */
export interface Change<Result> {
  readonly conversation: ConversationKey
  readonly reads: Reads
  /** Bytes that it writes, about. Default: few. */
  readonly bytes?: number
  decide(open: OpenConversation, found: Findings): Result
  /** The device whose unfinished runs, and those of the application, are counted exactly, under the lock of the limits. */
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
