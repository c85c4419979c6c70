import type { Db, Statement } from './db.ts'
import { queryByOwnPlan } from './own-plan.ts'

/**
 * What is kept for a time and then removed, a bounded number of rows at a time. Rows that another process is removing are
 * skipped, never waited for. Every function returns how many it dealt with; none means that nothing is left to do here.
 */
type Removal = (db: Db, before: Date, rows: number) => Promise<number>

const removal =
  (statement: Statement): Removal =>
  async (db, before, rows) =>
    (await queryByOwnPlan<{ found: number }>(db, statement, [before, rows]))[0]?.found ?? 0

/**
 * Bodies of runs that ended before a moment: their messages go, their results become null, the records of the runs
 * stay. The input message leads to the run, so that runs whose bodies are gone are not looked at again.
 */
export const removeBodies = removal({
  name: 'remove_bodies',
  text: `
with ended as (
  select r.app_id, r.run_id, r.conversation_id, r.position
  from messages m
  join runs r on r.app_id = m.app_id and r.run_id = m.run_id and r.position = m.cursor
  where m.created_at < $1 and r.finished_at < $1
  limit $2 for update of r skip locked
), run as (
  update runs r set result = null
  from ended e where r.app_id = e.app_id and r.run_id = e.run_id and r.result is not null
), begun as (
  select app_id, conversation_id, min(position) as position, array_agg(run_id) as run_ids
  from ended group by app_id, conversation_id
), message as (
  delete from messages m using begun b
  where m.app_id = b.app_id and m.conversation_id = b.conversation_id and m.cursor >= b.position
    and m.run_id = any(b.run_ids)
)
select count(*) as found from ended`,
})

/** Complete operations that have not changed since a moment. */
export const removeOperations = removal({
  name: 'remove_operations',
  text: `
with old as (
  select app_id, operation_id from operations where state in ('succeeded', 'failed') and updated_at < $1
  limit $2 for update skip locked
), removed as (
  delete from operations o using old where o.app_id = old.app_id and o.operation_id = old.operation_id
)
select count(*) as found from old`,
})

/** Approvals that were decided or withdrawn before a moment. */
export const removeApprovals = removal({
  name: 'remove_approvals',
  text: `
with old as (
  select app_id, approval_id from approvals where state <> 'pending' and decided_at < $1
  limit $2 for update skip locked
), removed as (
  delete from approvals a using old where a.app_id = old.app_id and a.approval_id = old.approval_id
)
select count(*) as found from old`,
})

/** Idempotency records of requests admitted before a moment (D-12). */
export const removeIdempotencyRecords = removal({
  name: 'remove_idempotency_records',
  text: `
with old as (
  select app_id, subject, key from idempotency where created_at < $1 limit $2 for update skip locked
), removed as (
  delete from idempotency i using old where i.app_id = old.app_id and i.subject = old.subject and i.key = old.key
)
select count(*) as found from old`,
})
