import type { Message } from '../generated/gateway.ts'

/** A message as it is stored. `text` of a partial assistant message is what was streamed so far. */
export interface StoredMessage {
  readonly conversationId: string
  readonly messageId: string
  readonly runId: string
  readonly generation: number
  readonly cursor: number
  readonly role: 'user' | 'assistant'
  readonly text: string | null
  readonly data: Record<string, unknown> | null
  readonly resourceIds: string[] | null
  readonly partial: boolean
  readonly createdAt: Date
}

/** A message as history, snapshots and assistant.message events show it. */
export const messageRecord = (message: StoredMessage): Message => ({
  cursor: message.cursor,
  message_id: message.messageId,
  conversation_id: message.conversationId,
  run_id: message.runId,
  generation: message.generation,
  role: message.role,
  created_at: message.createdAt.toISOString(),
  content: {
    ...(message.text === null ? {} : { text: message.text }),
    ...(message.data === null ? {} : { data: message.data }),
    ...(message.resourceIds === null ? {} : { resource_ids: message.resourceIds }),
    ...(message.role === 'assistant' ? { partial: message.partial } : {}),
  },
})
