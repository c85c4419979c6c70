import type { Message } from '../../generated/gateway-closed.ts'
import type { Activity } from './activities.ts'
import type { JsonObject } from './conversation-changes.ts'
import type { Json } from './refusal.ts'

/** A stored message. `text` of a partial assistant message is the text streamed so far. */
export interface StoredMessage {
  readonly conversationId: string
  readonly messageId: string
  readonly runId: string
  readonly generation: number
  readonly cursor: number
  readonly role: 'user' | 'assistant'
  readonly text: string | null
  /** In JSON, as it was sent. */
  readonly data: string | null
  readonly resourceIds: string[] | null
  /** The activities of an assistant message; empty if it has none. */
  readonly activities: readonly Activity[]
  readonly partial: boolean
  readonly createdAt: Date
}

/** A message as assistant.message events show it. */
export const messageRecord = (
  message: Omit<StoredMessage, 'data'> & { readonly data: JsonObject | null },
): Message => ({
  cursor: message.cursor,
  message_id: message.messageId,
  conversation_id: message.conversationId,
  run_id: message.runId,
  generation: message.generation,
  role: message.role,
  created_at: message.createdAt.toISOString(),
  content: {
    ...(message.text === null ? {} : { text: message.text }),
    ...(message.resourceIds === null ? {} : { resource_ids: message.resourceIds }),
    ...(message.data === null ? {} : { data: message.data }),
    ...(message.activities.length === 0 ? {} : { activities: [...message.activities] }),
    ...(message.role === 'assistant' ? { partial: message.partial } : {}),
  },
})

/** A message as history and snapshots show it, in JSON: its data is not parsed, so it stays exactly as sent. */
export const messageJson = (message: StoredMessage): Json<Message> => {
  const { content, ...record } = messageRecord({ ...message, data: null })
  if (message.data === null) return JSON.stringify({ ...record, content })
  const members = JSON.stringify(content).slice(1, -1)
  const all = members === '' ? `"data":${message.data}` : `${members},"data":${message.data}`
  return `${JSON.stringify(record).slice(0, -1)},"content":{${all}}}`
}
