import type { Found, Refusal } from '@conversation-gateway/openapi/behaviour/refusal'
import { found } from '@conversation-gateway/openapi/behaviour/refusal'
import type {
  ConversationRecord,
  ConversationRecordList,
  MessageRecordList,
} from '@conversation-gateway/openapi/generated/admin-closed'
import { LIMITS } from '@conversation-gateway/openapi/generated/limits'
import { findObservedConversation, listObservedConversations } from '../../store/admin/conversations.ts'
import { readHistory } from '../../store/history/history.ts'
import type { GatewayContext } from '../context.ts'
import type { AskedText } from './message-contents.ts'
import { mayRead, NO_TEXT } from './message-contents.ts'
import type { PageQuery } from './outcomes.ts'
import { pageSize, unknown } from './outcomes.ts'
import { SUBJECT_WITHOUT_APP } from './runs.ts'
import { conversationRecord, timelineMessage } from './work-records.ts'

/** Conversations of all applications, newest first; an empty page ends the list. */
export const listConversations = async (
  { db }: GatewayContext,
  query: PageQuery & { readonly app_id?: string; readonly subject?: string },
): Promise<Found<ConversationRecordList> | Refusal> => {
  const { app_id: appId = null, subject = null, before = null } = query
  if (subject !== null && appId === null) return SUBJECT_WITHOUT_APP
  if (before !== null && (await findObservedConversation(db, before)) === null) return unknown('conversation', before)
  const conversations = await listObservedConversations(db, { appId, subject }, before, pageSize(query))
  return found({ conversations: conversations.map(conversationRecord) })
}

export const getConversation = async (
  { db }: GatewayContext,
  conversationId: string,
): Promise<Found<ConversationRecord> | Refusal> => {
  const conversation = await findObservedConversation(db, conversationId)
  return conversation === null ? unknown('conversation', conversationId) : found(conversationRecord(conversation))
}

/** Messages of a conversation, newest first, of all its generations; an empty page ends the list. */
export const listMessageRecords = async (
  { db }: GatewayContext,
  conversationId: string,
  { limit, before = null }: { readonly limit: number; readonly before?: number | null },
  asked: AskedText,
): Promise<Found<MessageRecordList> | Refusal> => {
  if (!mayRead(asked)) return NO_TEXT
  const conversation = await findObservedConversation(db, conversationId)
  const messages =
    conversation === null
      ? null
      : await readHistory(db, conversation, conversationId, {
          generation: null,
          before,
          limit: pageSize({ limit }),
          bodyBytes: LIMITS.historyPageBytes,
        })
  if (messages === null) return unknown('conversation', conversationId)
  return found({
    messages: messages.reverse().map((message) => ({
      ...timelineMessage(message, asked.withText),
      run_id: message.runId,
      generation: message.generation,
    })),
  })
}
