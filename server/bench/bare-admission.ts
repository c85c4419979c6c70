import { newId } from '@conversation-gateway/openapi/behaviour/ids'
import type { Db, Statement } from '../src/store/db.ts'
import { FAR_LIMITS } from './support/far-limits.ts'

/**
 * An admission as one statement and one commit: the baseline for the gateway's writer when a batch has a single
 * admission.
 */
const ADMIT: Statement = {
  name: 'bench_admit',
  access: 'write',
  text: `
with conversation as (
  update conversations c
  set queued_runs = c.queued_runs + 1, last_seq = c.last_seq + 1, last_cursor = c.last_cursor + 1
  from endpoints e, devices d, gateway g
  where c.app_id = $1 and c.subject = $2 and c.conversation_id = $3
    and c.state = 'active' and c.generation = $4 and c.queued_runs < $15::integer
    and e.app_id = $1 and e.endpoint_id = c.endpoint_id and c.binding_version >= e.breaking_version
    and d.device_id = c.device_id and d.state = 'active' and d.heartbeat_at > $19
    and not g.admission_paused
    and (select coalesce(sum(unfinished), 0) from pending_runs where app_id = $1) < $16::integer - $18::integer
    and (select coalesce(sum(unfinished), 0) from pending_runs where device_id = c.device_id)
      < coalesce(d.pending_limit, $17::integer) - $18::integer
  returning c.endpoint_id, c.device_id, c.binding_version, c.last_seq, c.last_cursor,
    c.executing_run_id is null and c.queued_runs = 1 as ready
), counted as (
  update pending_runs p set unfinished = p.unfinished + 1
  from conversation c where p.app_id = $1 and p.device_id = c.device_id and p.shard = abs(hashtext($3)) % 64
), message as (
  insert into messages (app_id, conversation_id, cursor, message_id, run_id, generation, role, text, data, resource_ids, created_at)
  select $1, $3, last_cursor, $6, $7, $4, 'user', $9, $10::json, $11::json, $5 from conversation
), run as (
  insert into runs (app_id, run_id, conversation_id, subject, endpoint_id, device_id, message_id, generation,
    binding_version, position, admitted_seq, state, delivery_state, ready, start_before, created_at, updated_at)
  select $1, $7, $3, $2, endpoint_id, device_id, $6, $4, binding_version, last_cursor, last_seq,
    'queued', 'waiting_device', ready, $12, $5, $5 from conversation
), event as (
  insert into events (app_id, conversation_id, seq, event_id, generation, run_id, message_id, type, payload, created_at)
  select $1, $3, last_seq, $8, $4, $7, $6, 'run.updated', '{"state":"queued","delivery_state":"waiting_device"}', $5
  from conversation
), claim as (
  insert into idempotency (app_id, subject, key, fingerprint, status, response, created_at)
  select $1, $20, $13, $14, 202, json_build_object('conversation_id', $3::text, 'generation', $4::bigint,
    'message_id', $6::text, 'run_id', $7::text, 'state', 'queued', 'event_cursor', last_seq), $5
  from conversation
)
select last_seq as "eventCursor" from conversation`,
}

export const admitBare = async (
  db: Db,
  { appId, subject }: { readonly appId: string; readonly subject: string },
  conversationId: string,
): Promise<void> => {
  const now = new Date()
  const rows = await db.query(ADMIT, [
    ...[
      appId,
      subject,
      conversationId,
      1,
      now,
      newId('msg', now),
      newId('run', now),
      newId('evt', now),
      'hello',
      null,
      null,
    ],
    ...[new Date(now.getTime() + 300_000), newId('req'), new Uint8Array(32), FAR_LIMITS.queuedPerConversation],
    ...[
      FAR_LIMITS.pendingPerApp,
      FAR_LIMITS.pendingPerDevice,
      0,
      new Date(now.getTime() - FAR_LIMITS.deviceOfflineMs),
      subject,
    ],
  ])
  if (rows.length === 0) throw new Error('refused')
}
