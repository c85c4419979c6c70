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
  run.streamed ??= beginReply(state, conversation, run)
  run.streamed.content.text += text
  const index = run.deltas++
  emitRunEvent(state, conversation, run, { type: 'assistant.delta', payload: { text, index } }, run.streamed.message_id)
}

const beginReply = (state: GatewayState, conversation: StoredConversation, { record }: StoredRun): Message => {
  const message: Message = {
    ...nextPlace(state, conversation),
    message_id: state.newId('msg'),
    conversation_id: record.conversation_id,
    run_id: record.run_id,
    generation: record.generation,
    role: 'assistant',
    content: { text: '', partial: true },
  }
  conversation.messages.push(message)
  return message
}

/** Messages are never removed, so the history's cursors have no gaps. */
const nextPlace = (state: GatewayState, { messages }: StoredConversation) => ({
  cursor: messages.length + 1,
  created_at: timestamp(state),
})
