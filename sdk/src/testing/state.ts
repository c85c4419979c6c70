import type { Activity } from '../../../openapi/src/behaviour/activities.ts'
import type { ConversationWork, RunWork } from '../../../openapi/src/behaviour/conversation-work.ts'
import type { LoggedEvent } from '../../../openapi/src/behaviour/event-envelope.ts'
import type { IdPrefix } from '../../../openapi/src/behaviour/ids.ts'
import type { StoredMessage } from '../../../openapi/src/behaviour/message-record.ts'
import type { ShownResource } from '../../../openapi/src/behaviour/records.ts'
import { isTerminal } from '../../../openapi/src/behaviour/run-state.ts'
import type { Tenant } from '../../../openapi/src/behaviour/tenant.ts'
import type { Reply, ReplyStep } from './replies.ts'

/** A run with the remaining steps of its reply. */
export interface StoredRun extends RunWork {
  readonly conversationId: string
  readonly createdAt: Date
  updatedAt: Date
  hasWholeMessage: boolean
  readonly resourceIds: readonly string[]
  /** The remaining steps of the reply. */
  readonly steps: ReplyStep[]
  deltas: number
}

/** A message; a streamed message grows. */
export interface GrowingMessage extends StoredMessage {
  text: string | null
  data: string | null
  activities: readonly Activity[]
  partial: boolean
}

/** An event as streams and callbacks send it. */
export interface WrittenEvent extends Pick<LoggedEvent, 'seq' | 'eventId' | 'runId' | 'type'> {
  readonly json: string
}

/** One conversation with all its runs and operations. */
export interface StoredConversation extends ConversationWork {
  readonly ownerId: string
  readonly businessKey: string | null
  readonly createdAt: Date
  readonly runs: StoredRun[]
  readonly messages: GrowingMessage[]
  readonly events: WrittenEvent[]
  /** Wakes its streams when they have something to send. */
  readonly wakeUp: WakeUp
  /** Events up to this seq are no longer served. */
  prunedSeq: number
  /** Number of ping comments for its streams to send. */
  pings: number
  /** How often its streams were ended. A stream that started before the latest end closes. */
  stops: number
}

export interface StoredResource extends ShownResource, Tenant {
  sha256: string | null
  uploadId: string | null
  content: Uint8Array<ArrayBuffer> | null
}

/** The whole state of the gateway. The rules of a conversation change it in place. Maps keep the order of creation. */
export interface GatewayState {
  readonly conversations: Map<string, StoredConversation>
  readonly resources: Map<string, StoredResource>
  /** Answers under idempotency keys, by subject and key. */
  readonly answers: Map<string, RecordedAnswer>
  /** Replies to the next runs, in order. */
  readonly replies: Reply[]
  /** The reply to runs without a scripted reply. */
  readonly defaultReply: Reply
  readonly now: () => Date
  /** Whether there is a published service of this ID. */
  readonly isEndpoint: (endpointId: string) => boolean
  /** A new identifier. */
  readonly newId: (prefix: IdPrefix) => string
  /** Restarts the numbering if identifiers are repeatable. */
  readonly resetIds: () => void
  /** Called with every event when it is written. */
  readonly onEvent: (event: WrittenEvent) => void
  isHeld: boolean
}

export interface RecordedAnswer {
  readonly fingerprint: string
  readonly answeredAtMs: number
  readonly status: number
  /** The body as JSON, fixed at the time of the answer. */
  readonly json: string
}

export const createState = ({
  idSeed,
  ...given
}: Pick<GatewayState, 'now' | 'isEndpoint' | 'defaultReply' | 'onEvent'> & {
  /** The prefix of identifiers; undefined for a random one. */
  readonly idSeed: string | undefined
}): GatewayState => {
  const seed = idSeed ?? crypto.randomUUID().slice(0, 8)
  let issued = 0
  return {
    ...given,
    conversations: new Map(),
    resources: new Map(),
    answers: new Map(),
    replies: [],
    newId: (prefix) => {
      issued += 1
      return `${prefix}_${seed}${String(issued).padStart(6, '0')}`
    },
    resetIds: () => {
      if (idSeed !== undefined) issued = 0
    },
    isHeld: false,
  }
}

/** Forgets everything and ends the streams, as if the gateway had just been created. */
export const clearState = (state: GatewayState): void => {
  endStreams(state)
  state.conversations.clear()
  state.resources.clear()
  state.answers.clear()
  state.replies.length = 0
  state.isHeld = false
  state.resetIds()
}

/** Ends the streams that are open, as a gateway that restarts does; clients resume. */
export const endStreams = (state: GatewayState): void => {
  for (const conversation of state.conversations.values()) {
    conversation.stops += 1
    conversation.wakeUp.notify()
  }
}

/** The conversation if it belongs to this subject. */
export const findConversation = (
  state: GatewayState,
  subject: string,
  conversationId: string,
): StoredConversation | undefined => {
  const conversation = state.conversations.get(conversationId)
  return conversation?.subject === subject ? conversation : undefined
}

export interface FoundRun {
  readonly conversation: StoredConversation
  readonly run: StoredRun
}

/** The run with its conversation; of any subject if `subject` is null. */
export const findRun = (state: GatewayState, subject: string | null, runId: string): FoundRun | undefined => {
  for (const conversation of state.conversations.values()) {
    if (subject !== null && conversation.subject !== subject) continue
    const run = conversation.runs.find((candidate) => candidate.runId === runId)
    if (run !== undefined) return { conversation, run }
  }
  return undefined
}

export const isUnfinished = ({ state }: StoredRun): boolean => !isTerminal(state)

/** Wakes up those that wait for a change. */
export interface WakeUp {
  /** Resolves at the next `notify()`. */
  next(): Promise<void>
  notify(): void
}

export const createWakeUp = (): WakeUp => {
  let waiting = Promise.withResolvers<void>()
  return {
    next: () => waiting.promise,
    notify: () => {
      const notified = waiting
      waiting = Promise.withResolvers<void>()
      notified.resolve()
    },
  }
}
