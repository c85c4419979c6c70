import type { Found, Refusal } from '@conversation-gateway/openapi/behaviour/refusal'
import { found } from '@conversation-gateway/openapi/behaviour/refusal'
import type { ConversationRecord, ConversationRecordList } from '@conversation-gateway/openapi/generated/admin-closed'
import { findObservedConversation, listObservedConversations } from '../../store/admin/conversations.ts'
import type { GatewayContext } from '../context.ts'
import type { PageQuery } from './outcomes.ts'
import { pageSize, unknown } from './outcomes.ts'
import { SUBJECT_WITHOUT_APP } from './runs.ts'
import { conversationRecord } from './work-records.ts'

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
