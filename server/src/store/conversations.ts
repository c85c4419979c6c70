import type { ShownConversation } from '@conversation-gateway/openapi/behaviour/records'
import type { Tenant } from '@conversation-gateway/openapi/behaviour/tenant'
import type { Queryable, Statement, Tx } from './db.ts'

export interface StoredConversation extends ShownConversation {
  readonly deviceId: string
}

/** The constraint behind "one conversation for a business key of an app, subject and service". */
export const BUSINESS_KEY_CONSTRAINT = 'conversations_business_key'

const COLUMNS = `conversation_id as "conversationId", owner_id as "ownerId", app_id as "appId", subject,
  endpoint_id as "endpointId", device_id as "deviceId", binding_version as "bindingVersion", generation,
  business_key as "businessKey", state, created_at as "createdAt"`

const INSERT: Statement = {
  name: 'insert_conversation',
  access: 'write',
  text: `
insert into conversations (app_id, subject, conversation_id, owner_id, endpoint_id, device_id, business_key,
  binding_version, created_at)
values ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
}

/** @throws {UniqueViolation} `conversations_business_key` if the key already has a conversation. */
export const insertConversation = async (tx: Tx, conversation: StoredConversation): Promise<void> => {
  const c = conversation
  await tx.query(INSERT, [
    c.appId,
    c.subject,
    c.conversationId,
    c.ownerId,
    c.endpointId,
    c.deviceId,
    c.businessKey,
    c.bindingVersion,
    c.createdAt,
  ])
}

const FIND: Statement = {
  name: 'find_conversation',
  access: 'read',
  text: `select ${COLUMNS} from conversations where app_id = $1 and subject = $2 and conversation_id = $3`,
}

export const findConversation = async (
  db: Queryable,
  { appId, subject }: Tenant,
  conversationId: string,
): Promise<StoredConversation | null> =>
  (await db.query<StoredConversation>(FIND, [appId, subject, conversationId]))[0] ?? null

const FIND_BY_KEY: Statement = {
  name: 'find_conversation_by_key',
  access: 'write',
  text: `select ${COLUMNS} from conversations
    where app_id = $1 and subject = $2 and endpoint_id = $3 and business_key = $4 for update`,
}

/** The conversation of a business key, locked until the transaction ends. */
export const lockConversationByKey = async (
  tx: Tx,
  { appId, subject }: Tenant,
  endpointId: string,
  businessKey: string,
): Promise<StoredConversation | null> =>
  (await tx.query<StoredConversation>(FIND_BY_KEY, [appId, subject, endpointId, businessKey]))[0] ?? null

const PLACE: Statement = {
  name: 'conversation_place',
  access: 'read',
  text: `select device_id as "deviceId", last_seq as "lastSeq", pruned_seq as "prunedSeq" from conversations
    where app_id = $1 and subject = $2 and conversation_id = $3`,
}

/** A conversation's device, the newest seq of its log, and the newest that is no longer served. */
export interface ConversationPlace {
  readonly deviceId: string
  readonly lastSeq: number
  readonly prunedSeq: number
}

export const findConversationPlace = async (
  db: Queryable,
  { appId, subject }: Tenant,
  conversationId: string,
): Promise<ConversationPlace | null> =>
  (await db.query<ConversationPlace>(PLACE, [appId, subject, conversationId]))[0] ?? null

const LIST: Statement = {
  name: 'list_conversations',
  access: 'read',
  text: `select ${COLUMNS} from conversations
    where app_id = $1 and subject = $2 and device_id = $3 and conversation_id < $4
    order by conversation_id desc limit $5`,
}

const LIST_BY_KEY: Statement = {
  name: 'list_conversations_by_key',
  access: 'read',
  text: `select ${COLUMNS} from conversations
    where app_id = $1 and subject = $2 and endpoint_id = $3 and business_key = $4 and conversation_id < $5`,
}

/** The service's conversation of a business key, if it is older than `before`. */
export const listConversationsByKey = (
  db: Queryable,
  { appId, subject }: Tenant,
  endpointId: string,
  businessKey: string,
  before: string | null,
): Promise<StoredConversation[]> =>
  db.query<StoredConversation>(LIST_BY_KEY, [appId, subject, endpointId, businessKey, before ?? AFTER_ALL])

/** Sorts after every conversation ID, whose suffix is hexadecimal. */
const AFTER_ALL = 'conv_g'

/** Conversations of the device, newest first, older than `before`. */
export const listConversations = (
  db: Queryable,
  { appId, subject }: Tenant,
  deviceId: string,
  before: string | null,
  limit: number,
): Promise<StoredConversation[]> =>
  db.query<StoredConversation>(LIST, [appId, subject, deviceId, before ?? AFTER_ALL, limit])
