import { changeActivities } from '../activity.ts'
import { isKnownEvent, isTerminalRunEvent } from '../events/event-guards.ts'
import type {
  AssistantActivityEvent,
  AssistantDeltaEvent,
  EventEnvelope,
  KnownEvent,
  Message,
  MessageContent,
  MessageRole,
  RunResult,
  RunState,
  Snapshot,
} from '../generated/gateway.ts'
import { LIMITS } from '../generated/limits.ts'

/** A message of the view. It lacks `cursor` and `created_at`, because events do not contain them. */
export interface ViewMessage {
  readonly message_id: string
  readonly run_id: string
  readonly generation: number
  readonly role: MessageRole
  /**
   * `text` and `activities` grow with a streamed message; `data` comes when it is complete. `partial` is true while an
   * assistant message grows, and stays true when its run ended without completing it.
   */
  readonly content: Readonly<MessageContent>
}

/** A run of the view, as in a snapshot. */
export interface ViewRun {
  readonly run_id: string
  readonly generation: number
  readonly state: RunState
  /** Whether a device has taken the run for execution. */
  readonly device_received: boolean
  readonly result: Readonly<RunResult> | null
  /** If true while `result` is null, the snapshot omitted the result because of its size budget: read the run. */
  readonly result_available: boolean
}

/**
 * A conversation at one position of its event log. Immutable: it shares everything that an event does not touch with
 * the state before. Snapshots and events lead to equal states at the same position, as long as the snapshots fit their
 * size budget (D-14).
 */
export interface ConversationView {
  readonly conversation_id: string
  readonly generation: number
  /** The seq of the last applied event. */
  readonly position: number
  /** The newest 200, oldest first, of all generations. */
  readonly messages: readonly ViewMessage[]
  /** The newest 100, oldest first, of all generations. */
  readonly runs: readonly ViewRun[]
}

/** The view keeps as many messages and runs as a snapshot contains. */
export const VIEW_MESSAGES = LIMITS.snapshotMessages
const VIEW_RUNS = LIMITS.snapshotRuns

/** The state that a snapshot shows. */
export const fromSnapshot = (snapshot: Snapshot): ConversationView => ({
  conversation_id: snapshot.conversation_id,
  generation: snapshot.generation,
  position: snapshot.watermark,
  messages: snapshot.messages.map(toViewMessage),
  runs: snapshot.runs,
})

/**
 * The ID of the input message that an event announces without its content, or null. Only a run's first event does so;
 * if the view knows the run, its missing message is too old for the view.
 */
export const unknownInput = (view: ConversationView, event: EventEnvelope): string | null => {
  if (event.seq <= view.position || !isRunEvent(event)) return null
  const { run_id, message_id } = event
  const isKnown =
    view.messages.some((each) => each.message_id === message_id) || view.runs.some((each) => each.run_id === run_id)
  return isKnown ? null : message_id
}

/**
 * The state after an event. An event at or before the view's position changes nothing. An event of an unknown type, or
 * one that does not concern messages, runs or the generation, moves only the position.
 * @param input The message that {@link unknownInput} named, where it still exists.
 */
export const applyEvent = (view: ConversationView, event: EventEnvelope, input?: Message): ConversationView => {
  if (event.seq <= view.position) return view
  const { messages, runs } = view
  const moved: ConversationView = { ...view, position: event.seq }
  if (isRunEvent(event))
    return {
      ...moved,
      messages: input ? putMessage(messages, toViewMessage(input)) : messages,
      runs: putRun(runs, event),
    }
  switch (event.type) {
    case 'assistant.delta':
      return { ...moved, messages: addDelta(messages, event) }
    case 'assistant.activity':
      return { ...moved, messages: addActivity(messages, event) }
    case 'assistant.message':
      return { ...moved, messages: putMessage(messages, toViewMessage(event.payload.message)) }
    case 'conversation.reset':
      return { ...moved, generation: event.payload.generation }
    default:
      return moved
  }
}

type RunEvent = Extract<KnownEvent, { type: `run.${string}` }>

const isRunEvent = (event: EventEnvelope): event is RunEvent => isKnownEvent(event) && event.type.startsWith('run.')

const toViewMessage = ({ message_id, run_id, generation, role, content }: Message): ViewMessage => ({
  message_id,
  run_id,
  generation,
  role,
  content,
})

/** Replaces the item with the same ID, for example a streamed message by the complete one, or appends a new item. */
const put = <Key extends string, T extends { readonly [K in Key]: string }>(
  items: readonly T[],
  key: Key,
  item: T,
  limit: number,
): readonly T[] => {
  const index = items.findLastIndex((other) => other[key] === item[key])
  return index < 0 ? [...items, item].slice(-limit) : items.with(index, item)
}

const putMessage = (messages: readonly ViewMessage[], message: ViewMessage): readonly ViewMessage[] =>
  put(messages, 'message_id', message, VIEW_MESSAGES)

/** A later piece of an unknown message belongs to a message that is too old for the view. */
const addDelta = (messages: readonly ViewMessage[], event: AssistantDeltaEvent): readonly ViewMessage[] => {
  const message = streamedMessage(messages, event)
  if (message === null || (message === undefined && event.payload.index > 0)) return messages
  const { text = '', ...content } = message?.content ?? {}
  return putStreamed(messages, event, { ...content, text: text + event.payload.text })
}

/** A later change of an unknown activity belongs to a message that is too old for the view. */
const addActivity = (messages: readonly ViewMessage[], event: AssistantActivityEvent): readonly ViewMessage[] => {
  const message = streamedMessage(messages, event)
  if (message === null) return messages
  const before = message?.content.activities ?? []
  const activities = changeActivities(before, event.payload.activity)
  return activities === before
    ? messages
    : putStreamed(messages, event, { text: '', ...message?.content, activities: [...activities] })
}

/** The message that the event concerns; undefined if the view does not have it, null if it is complete. */
const streamedMessage = (
  messages: readonly ViewMessage[],
  { message_id }: AssistantDeltaEvent | AssistantActivityEvent,
): ViewMessage | null | undefined => {
  const message = messages.findLast((each) => each.message_id === message_id)
  return message && !message.content.partial ? null : message
}

const putStreamed = (
  messages: readonly ViewMessage[],
  { message_id, run_id, generation }: AssistantDeltaEvent | AssistantActivityEvent,
  content: MessageContent,
): readonly ViewMessage[] =>
  putMessage(messages, { message_id, run_id, generation, role: 'assistant', content: { ...content, partial: true } })

const putRun = (runs: readonly ViewRun[], event: RunEvent): readonly ViewRun[] => {
  const { run_id, generation, payload } = event
  const before = runs.findLast((each) => each.run_id === run_id)
  const run = before ?? { run_id, generation, device_received: false, result: null, result_available: false }
  const { state } = payload
  const change = isTerminalRunEvent(event)
    ? { result: event.payload.result, result_available: event.payload.result !== null }
    : { device_received: event.type === 'run.started' || event.payload.delivery_state === 'device_received' }
  return put(runs, 'run_id', { ...run, state, ...change }, VIEW_RUNS)
}
