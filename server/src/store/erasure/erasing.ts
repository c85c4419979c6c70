import type { Statement, Tx } from '../db.ts'
import type { ConversationKey } from '../runs.ts'
import { DISCARDED } from '../uploads.ts'
import { ERASED_SUBJECT } from './erased.ts'
import type { ErasedCounts, StoredErasure } from './erasures.ts'

/**
 * Statements that detach records from their subject and erase their contents, a bounded number of rows at a time.
 * Repeating them until nothing is found erases everything. Every statement needs a transaction that holds the lock of
 * its erasure.
 */

const ERASED_LITERAL = `'${ERASED_SUBJECT}'`

/** The scope of stored answers to webhooks. */
const WEBHOOK_SCOPES = `(select ' webhook ' || integration_id from webhooks where app_id = $1)`

// Only a hash of the request's key remains. It identifies a replay but does not reveal the key (`forgottenKey`).
const REMEMBER = `
  insert into idempotency (app_id, subject, key, fingerprint, status, response, created_at)
  select $1, ${ERASED_LITERAL}, encode(sha256(convert_to(old.key || ' ' || old.subject, 'UTF8')), 'hex'), '', 404, 'null',
    old.created_at
  from old on conflict do nothing`

const DETACH: Statement = {
  name: 'detach_conversation',
  access: 'write',
  text: `
with conversation as (
  -- A gap in the log ends the streams that are open.
  update conversations set subject = ${ERASED_LITERAL}, business_key = null, erasure_id = $4,
    last_seq = last_seq + 1, pruned_seq = last_seq + 1
  where app_id = $1 and conversation_id = $2
), run as (
  update runs set subject = ${ERASED_LITERAL} where app_id = $1 and conversation_id = $2
), operation as (
  update operations set subject = ${ERASED_LITERAL} where app_id = $1 and conversation_id = $2
), old as (
  delete from idempotency
  where app_id = $1 and subject = any(array${WEBHOOK_SCOPES} || $3::text) and response->>'conversation_id' = $2
  returning subject, key, created_at
), remembered as (${REMEMBER}
)
select count(*) as replays from old`,
}

/** Detaches a conversation from its subject. Afterwards, requests for it and its contents are answered with 404. */
export const detachConversation = async (
  tx: Tx,
  { appId, conversationId }: ConversationKey,
  subject: string,
  erasureId: string,
): Promise<Pick<ErasedCounts, 'replays'>> => {
  const [counts] = await tx.query<{ replays: number }>(DETACH, [appId, conversationId, subject, erasureId])
  return counts ?? { replays: 0 }
}

const OF_SUBJECT: Statement = {
  name: 'conversations_of_subject',
  access: 'read',
  text: `
select c.conversation_id as "conversationId" from devices d
join conversations c on c.device_id = d.device_id and c.app_id = $1 and c.subject = $2
where c.created_at <= $3
order by c.conversation_id limit $4`,
}

/** Conversations that the subject of an erasure had when it began, and still has. */
export const findConversationsToDetach = async (
  tx: Tx,
  { appId, createdAt }: StoredErasure,
  subject: string,
  limit: number,
): Promise<ConversationKey[]> =>
  (await tx.query<{ conversationId: string }>(OF_SUBJECT, [appId, subject, createdAt, limit])).map(
    ({ conversationId }) => ({ appId, conversationId }),
  )

const DETACHED: Statement = {
  name: 'conversations_to_erase',
  access: 'read',
  text: `
select conversation_id as "conversationId" from conversations
where app_id = $1 and erasure_id = $2 and erased_at is null and conversation_id > $3
order by conversation_id limit $4`,
}

/** Conversations of an erasure that are not erased yet, in the order of their IDs. */
export const findConversationsToErase = async (
  tx: Tx,
  { appId, erasureId }: StoredErasure,
  after: string,
  limit: number,
): Promise<ConversationKey[]> =>
  (await tx.query<{ conversationId: string }>(DETACHED, [appId, erasureId, after, limit])).map(
    ({ conversationId }) => ({ appId, conversationId }),
  )

const ERASE: Statement = {
  name: 'erase_conversation',
  access: 'write',
  text: `
with event as (
  delete from events e using (
    select seq from events where app_id = $1 and conversation_id = $2 order by seq limit $3
  ) old where e.app_id = $1 and e.conversation_id = $2 and e.seq = old.seq
  returning 1
), message as (
  delete from messages m using (
    select cursor from messages where app_id = $1 and conversation_id = $2 order by cursor limit $3
  ) old where m.app_id = $1 and m.conversation_id = $2 and m.cursor = old.cursor
  returning 1
), run as (
  update runs r set result = null
  from (
    select run_id from runs where app_id = $1 and conversation_id = $2 and result is not null limit $3
  ) old where r.app_id = $1 and r.run_id = old.run_id
  returning 1
), approval as (
  delete from approvals a using (
    select approval_id from approvals where app_id = $1 and conversation_id = $2 limit $3
  ) old where a.app_id = $1 and a.approval_id = old.approval_id
  returning 1
), delivery as (
  delete from deliveries d using (
    select callback_id, event_id from deliveries where app_id = $1 and conversation_id = $2 limit $3
  ) old where d.app_id = $1 and d.callback_id = old.callback_id and d.event_id = old.event_id
  returning d.delivery_id
), attempt as (
  delete from delivery_attempts a using delivery d where a.app_id = $1 and a.delivery_id = d.delivery_id
)
select (select count(*) from event) as events, (select count(*) from message) as messages,
  (select count(*) from run) as results, (select count(*) from approval) as approvals,
  (select count(*) from delivery) as deliveries`,
}

/** Erases the contents of a conversation, at most `rows` of each kind, and returns how many of each were found. */
export const eraseConversationRows = async (
  tx: Tx,
  { appId, conversationId }: ConversationKey,
  rows: number,
): Promise<Pick<ErasedCounts, 'events' | 'messages' | 'deliveries'> & { results: number; approvals: number }> => {
  const [found] = await tx.query<{
    events: number
    messages: number
    results: number
    approvals: number
    deliveries: number
  }>(ERASE, [appId, conversationId, rows])
  if (found === undefined) throw new Error('a select of counts always returns one row')
  return found
}

const SETTLE: Statement = {
  name: 'settle_erased_conversation',
  access: 'write',
  text: `
update conversations set erased_at = $3, pruned_seq = last_seq where app_id = $1 and conversation_id = $2
returning (select count(*) from runs where app_id = $1 and conversation_id = $2) as runs`,
}

/** Marks an empty conversation as erased; returns how many runs it had. */
export const settleErasedConversation = async (
  tx: Tx,
  { appId, conversationId }: ConversationKey,
  now: Date,
): Promise<number> => (await tx.query<{ runs: number }>(SETTLE, [appId, conversationId, now]))[0]?.runs ?? 0

const USED = `exists (
    select 1 from resource_uses u join runs on runs.app_id = u.app_id and runs.run_id = u.run_id
    where u.app_id = r.app_id and u.resource_id = r.resource_id and runs.subject <> ${ERASED_LITERAL})`

const LOCK_OF_CONVERSATION: Statement = {
  name: 'lock_resources_of_conversation',
  access: 'write',
  text: `
select r.resource_id from resources r
where r.app_id = $1 and r.resource_id in (
    select u.resource_id from runs join resource_uses u on u.app_id = runs.app_id and u.run_id = runs.run_id
    where runs.app_id = $1 and runs.conversation_id = $2)
  and not ${USED}
limit $3 for update`,
}

const LOCK_OF_SUBJECT: Statement = {
  name: 'lock_resources_of_subject',
  access: 'write',
  text: `
select r.resource_id from resources r
where r.app_id = $1 and r.subject = $2 and r.created_at <= $4 and not ${USED}
limit $3 for update`,
}

// Check again under the lock whether an attachment is used, because an admission may have come first.
const REMOVE_LOCKED: Statement = {
  name: 'erase_locked_resources',
  access: 'write',
  text: `
with removed as (
  delete from resources r using json_to_recordset($2::json) as old(resource_id text)
  where r.app_id = $1 and r.resource_id = old.resource_id and not ${USED}
  returning r.app_id, r.resource_id, r.upload_id
), used as (
  delete from resource_uses u using removed r where u.app_id = r.app_id and u.resource_id = r.resource_id
), content as (
  insert into resource_uploads (app_id, upload_id, begun_at)
  select app_id, upload_id, ${DISCARDED} from removed where upload_id is not null
)
select count(*) as resources from removed`,
}

const removeLocked = async (tx: Tx, appId: string, locked: readonly object[]): Promise<number> => {
  if (locked.length === 0) return 0
  const [removed] = await tx.query<{ resources: number }>(REMOVE_LOCKED, [appId, JSON.stringify(locked)])
  return removed?.resources ?? 0
}

/**
 * Erases attachments that were used by the conversation's runs and by no run that still has its subject, at most
 * `rows`.
 */
export const eraseResourcesOfConversation = async (
  tx: Tx,
  { appId, conversationId }: ConversationKey,
  rows: number,
): Promise<number> => removeLocked(tx, appId, await tx.query(LOCK_OF_CONVERSATION, [appId, conversationId, rows]))

/** Erases unused attachments that the subject of an erasure had when it began, at most `rows`. */
export const eraseResourcesOfSubject = async (
  tx: Tx,
  { appId, createdAt }: StoredErasure,
  subject: string,
  rows: number,
): Promise<number> => removeLocked(tx, appId, await tx.query(LOCK_OF_SUBJECT, [appId, subject, rows, createdAt]))

const FORGET_SUBJECT: Statement = {
  name: 'forget_requests_of_subject',
  access: 'write',
  text: `
with due as (
  select key from idempotency where app_id = $1 and subject = $2 and created_at <= $3 limit $4 for update
), old as (
  delete from idempotency i using due where i.app_id = $1 and i.subject = $2 and i.key = due.key
  returning i.subject, i.key, i.created_at
), remembered as (${REMEMBER}
)
select count(*) as replays from old`,
}

/** Erases stored answers to the subject's requests from before the erasure, at most `rows`. */
export const forgetRequestsOfSubject = async (
  tx: Tx,
  { appId, createdAt }: StoredErasure,
  subject: string,
  rows: number,
): Promise<number> =>
  (await tx.query<{ replays: number }>(FORGET_SUBJECT, [appId, subject, createdAt, rows]))[0]?.replays ?? 0
