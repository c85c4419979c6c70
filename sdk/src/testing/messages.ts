import type { Message, MessageInput } from '../generated/gateway.ts'
import { emitRunEvent } from './event-log.ts'
import type { GatewayState, StoredConversation, StoredRun } from './state.ts'
import { timestamp } from './state.ts'

type RunIds = Pick<Message, 'message_id' | 'conversation_id' | 'run_id' | 'generation'>

/** The message that a run was admitted with. */
export const addInput = (
  state: GatewayState,
  conversation: StoredConversation,
  ids: RunIds,
  input: MessageInput,
): void => {
  conversation.messages.push({
    ...ids,
    ...nextPlace(state, conversation),
    role: 'user',
    content: structuredClone(input),
  })
}

/** Adds a piece to the message that a run streams (D-28). */
export const addDelta = (state: GatewayState, conversation: StoredConversation, run: StoredRun, text: string): void => {
  run.streamed ??= addAssistantMessage(state, conversation, run, '', true)
  run.streamed.content.text += text
  const index = run.deltas++
  emitRunEvent(state, conversation, run, { type: 'assistant.delta', payload: { text, index } }, run.streamed.message_id)
}

/** Adds a message that came whole: it has no deltas (D-28). */
export const addMessage = (
  state: GatewayState,
  conversation: StoredConversation,
  run: StoredRun,
  text: string,
): void => {
  run.hasWholeMessage = true
  emitMessage(state, conversation, run, addAssistantMessage(state, conversation, run, text, false))
}

/** Tells of a complete message. */
export const emitMessage = (
  state: GatewayState,
  conversation: StoredConversation,
  run: StoredRun,
  message: Message,
): void =>
  emitRunEvent(state, conversation, run, { type: 'assistant.message', payload: { message } }, message.message_id)

const addAssistantMessage = (
  state: GatewayState,
  conversation: StoredConversation,
  { record }: StoredRun,
  text: string,
  partial: boolean,
): Message => {
  const message: Message = {
    ...nextPlace(state, conversation),
    message_id: state.newId('msg'),
    conversation_id: record.conversation_id,
    run_id: record.run_id,
    generation: record.generation,
    role: 'assistant',
    content: { text, partial },
  }
  conversation.messages.push(message)
  return message
}

/** Messages are never removed, so the history's cursors have no gaps. */
const nextPlace = (state: GatewayState, { messages }: StoredConversation) => ({
  cursor: messages.length + 1,
  created_at: timestamp(state),
})
