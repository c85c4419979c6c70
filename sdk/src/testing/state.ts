import type { OperationState } from '../behaviour/operation-state.ts'
import type { DeliveryState, RunState } from '../behaviour/run-state.ts'
import { isTerminal } from '../behaviour/run-state.ts'
import type { Conversation, KnownEvent, Message, Operation, Resource, Run } from '../generated/gateway.ts'
import type { Bell } from './bell.ts'
import { createBell } from './bell.ts'
import type { Reply, ReplyStep } from './replies.ts'

/** A run with what is still to come of it. The record is what clients read. */
export interface StoredRun {
  readonly record: Run & { state: RunState; delivery_state: DeliveryState }
  /** Latest start. */
  readonly startBefore: Date
  readonly resourceIds: readonly string[]
  /** Steps of the reply that were not taken yet. */
  readonly steps: ReplyStep[]
  /** The message that the deltas build. */
  streamed: Message | null
  deltas: number
  /** Whether a message came whole. */
  hasWholeMessage: boolean
}

export interface StoredOperation {
  readonly kind: 'cancel' | 'reset'
  /** Null for a reset. */
  readonly runId: string | null
  readonly record: Operation & { state: OperationState }
}

/** One conversation; `bell` rings when its streams have something to do. */
export interface StoredConversation {
  readonly record: Conversation
  readonly messages: Message[]
  readonly runs: StoredRun[]
  readonly operations: StoredOperation[]
  readonly events: KnownEvent[]
  readonly bell: Bell
  /** Events up to this seq are no longer served. */
  prunedSeq: number
  /** Comments that its streams were told to send. */
  pings: number
  /** How often its streams were ended; those that began before end. */
  stops: number
}

export interface StoredResource {
  readonly record: Resource
  content: Uint8Array<ArrayBuffer> | null
}

/** Everything that the gateway remembers. Maps keep the order of creation. */
export interface GatewayState {
  readonly conversations: Map<string, StoredConversation>
  readonly resources: Map<string, StoredResource>
  /** Answers under idempotency keys, by subject and key. */
  readonly answers: Map<string, RecordedAnswer>
  /** Replies to the next runs, in order. */
  readonly replies: Reply[]
  /** The reply to runs for which none is waiting. */
  readonly defaultReply: Reply
  readonly now: () => Date
  /** Whether there is a published service of this ID. */
  readonly isEndpoint: (endpointId: string) => boolean
  /** A new identifier. */
  readonly newId: (prefix: string) => string
  /** Begins anew where identifiers are to be the same again. */
  readonly resetIds: () => void
  /** Told of every event when it is written. */
  readonly onEvent: (event: KnownEvent) => void
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
  now,
  isEndpoint,
  defaultReply,
  onEvent,
  idSeed,
}: Pick<GatewayState, 'now' | 'isEndpoint' | 'defaultReply' | 'onEvent'> & {
  /** What identifiers begin with; undefined for something that no other gateway has. */
  readonly idSeed: string | undefined
}): GatewayState => {
  const seed = idSeed ?? crypto.randomUUID().slice(0, 8)
  let issued = 0
  return {
    conversations: new Map(),
    resources: new Map(),
    answers: new Map(),
    replies: [],
    defaultReply,
    now,
    isEndpoint,
    onEvent,
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
    conversation.bell.ring()
  }
}

export const timestamp = (state: GatewayState): string => state.now().toISOString()

/** The conversation when it is this subject's. */
export const findConversation = (
  state: GatewayState,
  subject: string,
  conversationId: string | undefined,
): StoredConversation | undefined => {
  const conversation = state.conversations.get(conversationId ?? '')
  return conversation?.record.subject === subject ? conversation : undefined
}

export interface FoundRun {
  readonly conversation: StoredConversation
  readonly run: StoredRun
}

/** The run with its conversation; of any subject when `subject` is null. */
export const findRun = (
  state: GatewayState,
  subject: string | null,
  runId: string | undefined,
): FoundRun | undefined => {
  for (const conversation of state.conversations.values()) {
    if (subject !== null && conversation.record.subject !== subject) continue
    const run = conversation.runs.find(({ record }) => record.run_id === runId)
    if (run !== undefined) return { conversation, run }
  }
  return undefined
}

export const isUnfinished = ({ record }: StoredRun): boolean => !isTerminal(record.state)

export const createStoredConversation = (record: Conversation): StoredConversation => ({
  record,
  messages: [],
  runs: [],
  operations: [],
  events: [],
  bell: createBell(),
  prunedSeq: 0,
  pings: 0,
  stops: 0,
})
