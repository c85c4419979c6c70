import type { Queryable, Statement, Tx } from '../db.ts'

/** How much of each kind has been erased. */
export interface ErasedCounts {
  readonly conversations: number
  readonly runs: number
  readonly messages: number
  readonly events: number
  readonly resources: number
  readonly deliveries: number
  readonly replays: number
}

/** The erasure of a conversation or of a subject (D-63). */
export interface StoredErasure extends ErasedCounts {
  readonly appId: string
  readonly erasureId: string
  /** Null for a conversation's erasure, and once the subject's data is gone. */
  readonly subject: string | null
  readonly conversationId: string | null
  readonly state: 'pending' | 'succeeded'
  readonly stopUntil: Date
  readonly createdAt: Date
  readonly completedAt: Date | null
}

const COLUMNS = `app_id as "appId", erasure_id as "erasureId", subject, conversation_id as "conversationId", state,
  stop_until as "stopUntil", conversations, runs, messages, events, resources, deliveries, replays,
  created_at as "createdAt", completed_at as "completedAt"`

const FIND: Statement = {
  name: 'find_erasure',
  access: 'read',
  text: `select ${COLUMNS} from erasures where erasure_id = $1`,
}

export const findErasure = async (db: Queryable, erasureId: string): Promise<StoredErasure | null> =>
  (await db.query<StoredErasure>(FIND, [erasureId]))[0] ?? null

const LOCK_APP: Statement = {
  name: 'lock_app_of_erasure',
  access: 'write',
  text: 'select 1 from apps where app_id = $1 for update',
}

/** Prevents two erasures of one subject from starting concurrently. False if there is no such application. */
export const lockAppForErasure = async (tx: Tx, appId: string): Promise<boolean> =>
  (await tx.query(LOCK_APP, [appId])).length > 0

const FIND_OF_SUBJECT: Statement = {
  name: 'find_erasure_of_subject',
  access: 'read',
  text: `select ${COLUMNS} from erasures where app_id = $1 and subject = $2 and state = 'pending'`,
}

/** The pending erasure of a subject; null if none. */
export const findErasureOfSubject = async (tx: Tx, appId: string, subject: string): Promise<StoredErasure | null> =>
  (await tx.query<StoredErasure>(FIND_OF_SUBJECT, [appId, subject]))[0] ?? null

const LOCK_CONVERSATION: Statement = {
  name: 'lock_conversation_for_erasure',
  access: 'write',
  text: `
select c.app_id as "appId", c.subject, c.erasure_id as "erasureId" from apps a
join conversations c on c.app_id = a.app_id and c.conversation_id = $1
for update of c`,
}

/** Locks a conversation of any application; returns its application, subject and the erasure that has detached it. */
export const lockConversationForErasure = async (
  tx: Tx,
  conversationId: string,
): Promise<{ readonly appId: string; readonly subject: string; readonly erasureId: string | null } | null> =>
  (
    await tx.query<{ appId: string; subject: string; erasureId: string | null }>(LOCK_CONVERSATION, [conversationId])
  )[0] ?? null

const INSERT: Statement = {
  name: 'insert_erasure',
  access: 'write',
  text: `
insert into erasures (app_id, erasure_id, subject, conversation_id, stop_until, created_at)
values ($1, $2, $3, $4, $5, $6) returning ${COLUMNS}`,
}

export const insertErasure = async (
  tx: Tx,
  erasure: Pick<StoredErasure, 'appId' | 'erasureId' | 'subject' | 'conversationId' | 'stopUntil' | 'createdAt'>,
): Promise<StoredErasure> => {
  const { appId, erasureId, subject, conversationId, stopUntil, createdAt } = erasure
  const [row] = await tx.query<StoredErasure>(INSERT, [appId, erasureId, subject, conversationId, stopUntil, createdAt])
  if (row === undefined) throw new Error('an insert returns its row')
  return row
}

const PENDING: Statement = {
  name: 'pending_erasures',
  access: 'read',
  text: `select erasure_id as "erasureId" from erasures where state = 'pending' order by app_id, erasure_id limit $1`,
}

export const findPendingErasures = async (db: Queryable, limit: number): Promise<string[]> =>
  (await db.query<{ erasureId: string }>(PENDING, [limit])).map(({ erasureId }) => erasureId)

const LOCK_PENDING: Statement = {
  name: 'lock_pending_erasure',
  access: 'write',
  text: `select ${COLUMNS} from erasures where erasure_id = $1 and state = 'pending' for update skip locked`,
}

/** Null if it has ended, or another process is working on it. */
export const lockPendingErasure = async (tx: Tx, erasureId: string): Promise<StoredErasure | null> =>
  (await tx.query<StoredErasure>(LOCK_PENDING, [erasureId]))[0] ?? null

const COUNT: Statement = {
  name: 'count_erased',
  access: 'write',
  text: `
update erasures set conversations = conversations + $3::bigint, runs = runs + $4::bigint,
  messages = messages + $5::bigint, events = events + $6::bigint, resources = resources + $7::bigint,
  deliveries = deliveries + $8::bigint, replays = replays + $9::bigint
where app_id = $1 and erasure_id = $2`,
}

/** Adds to the counts of erased records. */
export const countErased = async (
  tx: Tx,
  { appId, erasureId }: StoredErasure,
  {
    conversations = 0,
    runs = 0,
    messages = 0,
    events = 0,
    resources = 0,
    deliveries = 0,
    replays = 0,
  }: Partial<ErasedCounts>,
): Promise<void> => {
  await tx.query(COUNT, [appId, erasureId, conversations, runs, messages, events, resources, deliveries, replays])
}

const COMPLETE: Statement = {
  name: 'complete_erasure',
  access: 'write',
  text: `update erasures set state = 'succeeded', subject = null, completed_at = $3 where app_id = $1 and erasure_id = $2`,
}

/** Completes the erasure, and removes the subject from its record. */
export const completeErasure = async (tx: Tx, { appId, erasureId }: StoredErasure, now: Date): Promise<void> => {
  await tx.query(COMPLETE, [appId, erasureId, now])
}
