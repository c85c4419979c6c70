import type { Db, Queryable, Statement } from '../db.ts'
import { queryByOwnPlan } from '../maintenance/own-plan.ts'
import type { Due, RemovalStep } from '../maintenance/retention.ts'

/**
 * Pruning advances `pruned_seq` of a conversation and removes rows in the same statement, under the conversation's
 * lock. A reader that checks `pruned_seq` after reading events therefore detects every gap. The deltas and activities
 * of a message that is still being streamed are the only copy of its content. They are kept, without being served,
 * until its run has ended.
 */

/** The result of a step. `pruned` counts the events that it stopped serving, `settled` the rows that it removed. */
export interface PruningStep {
  readonly pruned: number
  readonly settled: number
}

/** The events that make up a streamed message. */
const CONTENT = `('assistant.delta', 'assistant.activity')`

const PRUNE_CONVERSATION: Statement = {
  name: 'prune_conversation',
  access: 'write',
  text: `
with place as (
  select pruned_seq, greatest(pruned_seq, least($3::bigint, last_seq)) as wanted_seq
  from conversations where app_id = $1 and conversation_id = $2 for update
), advanced as (
  update conversations c set pruned_seq = p.wanted_seq
  from place p where c.app_id = $1 and c.conversation_id = $2 and p.wanted_seq > p.pruned_seq
), doomed as (
  select e.seq from place p
  join events e on e.app_id = $1 and e.conversation_id = $2 and e.seq <= p.wanted_seq
  left join runs r on r.app_id = e.app_id and r.run_id = e.run_id
  where e.type not in ${CONTENT} or r.finished_at is not null
  limit $4
), removed as (
  delete from events e using doomed d where e.app_id = $1 and e.conversation_id = $2 and e.seq = d.seq
)
select wanted_seq - pruned_seq as pruned, (select count(*) from doomed) as settled from place`,
}

/**
 * Prunes a conversation up to and including a seq, at most its newest, and removes at most `rows` rows. To remove the
 * rest, repeat it until `settled` is less than `rows`. Null if the conversation does not exist.
 */
export const pruneConversation = async (
  db: Queryable,
  { appId, conversationId }: { readonly appId: string; readonly conversationId: string },
  upToSeq: number,
  rows: number,
): Promise<PruningStep | null> =>
  (await db.query<PruningStep>(PRUNE_CONVERSATION, [appId, conversationId, upToSeq, rows]))[0] ?? null

// Locked conversations are skipped; the next round handles them.
const PRUNE_OLD: Statement = {
  name: 'prune_old_events',
  access: 'write',
  text: `
with old as (
  select e.app_id, e.conversation_id, e.seq, e.created_at as age,
    e.type in ${CONTENT} and r.run_id is not null as streaming
  from events e
  join conversations c on c.app_id = e.app_id and c.conversation_id = e.conversation_id
  left join runs r on r.app_id = e.app_id and r.run_id = e.run_id and r.finished_at is null
  where e.created_at >= $1 and e.created_at < $2
    and (e.seq > c.pruned_seq or e.type not in ${CONTENT} or r.run_id is null)
  order by e.created_at limit $3
), place as (
  select c.app_id, c.conversation_id, c.pruned_seq, n.seq as wanted_seq
  from (select app_id, conversation_id, max(seq) as seq from old group by app_id, conversation_id) n
  join conversations c on c.app_id = n.app_id and c.conversation_id = n.conversation_id
  for update of c skip locked
), advanced as (
  update conversations c set pruned_seq = p.wanted_seq
  from place p where c.app_id = p.app_id and c.conversation_id = p.conversation_id and p.wanted_seq > p.pruned_seq
), settled as (
  select o.* from old o join place p on p.app_id = o.app_id and p.conversation_id = o.conversation_id
), removed as (
  delete from events e using settled s
  where e.app_id = s.app_id and e.conversation_id = s.conversation_id and e.seq = s.seq and not s.streaming
)
select coalesce(sum(greatest(wanted_seq - pruned_seq, 0)), 0)::bigint as pruned,
  (select count(*) from settled) as found, (select max(age) from old) as reached
from place`,
}

/** Prunes due events of all conversations, oldest first, at most `rows` events; locked conversations are skipped. */
export const pruneOldEvents = async (
  db: Db,
  { from, before }: Due,
  rows: number,
): Promise<RemovalStep & Pick<PruningStep, 'pruned'>> => {
  const [step] = await queryByOwnPlan<RemovalStep & Pick<PruningStep, 'pruned'>>(db, PRUNE_OLD, [from, before, rows])
  return step ?? { pruned: 0, found: 0, reached: null }
}

const LEFT_BEHIND: Statement = {
  name: 'left_behind_events',
  access: 'read',
  text: `
select distinct c.app_id as "appId", c.conversation_id as "conversationId"
from runs r
join conversations c on c.app_id = r.app_id and c.conversation_id = r.conversation_id and c.pruned_seq > r.admitted_seq
where r.finished_at >= $1 and exists (select 1 from events e
  where e.app_id = c.app_id and e.conversation_id = c.conversation_id and e.seq <= c.pruned_seq)
limit $2`,
}

/** Conversations that were pruned during a run that has ended since, so that its content can be removed. */
export const findLeftBehindEvents = (
  db: Db,
  endedSince: Date,
  limit: number,
): Promise<{ readonly appId: string; readonly conversationId: string }[]> =>
  queryByOwnPlan(db, LEFT_BEHIND, [endedSince, limit])
