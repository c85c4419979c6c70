import { newId } from '@conversation-gateway/openapi/behaviour/ids'
import type { Tenant } from '@conversation-gateway/openapi/behaviour/tenant'
import type { Admission } from '@conversation-gateway/openapi/generated/gateway-closed'
import type { TakenMessage } from '../src/domain/message-input.ts'
import type { Access, Db, Param, Statement } from '../src/store/db.ts'
import { findIdempotencyRecord, recordIdempotency } from '../src/store/idempotency.ts'
import type { IdempotentRequest } from '../src/writer/idempotency.ts'

const statement = (name: string, access: Access, text: string): Statement => ({
  name: `interactive_${name}`,
  access,
  text,
})

const LOCK = statement(
  'lock',
  'write',
  `select c.generation, c.state, c.queued_runs, c.binding_version, c.endpoint_id, c.device_id, c.last_seq, c.last_cursor,
    e.breaking_version, d.state as device_state, d.heartbeat_at, d.pending_limit, g.admission_paused
  from conversations c join endpoints e on e.app_id = c.app_id and e.endpoint_id = c.endpoint_id
  join devices d on d.device_id = c.device_id cross join gateway g
  where c.app_id = $1 and c.subject = $2 and c.conversation_id = $3 for update of c`,
)
const PENDING = statement(
  'pending',
  'read',
  `select (select coalesce(sum(unfinished), 0)::integer from pending_runs where app_id = $1) as of_app,
    (select coalesce(sum(unfinished), 0)::integer from pending_runs where device_id = $2) as of_device`,
)
const COUNT = statement(
  'count',
  'write',
  `update pending_runs set unfinished = unfinished + 1 where app_id = $1 and device_id = $2 and shard = abs(hashtext($3)) % 64`,
)
const ADVANCE = statement(
  'advance',
  'write',
  `update conversations set queued_runs = queued_runs + 1, last_seq = last_seq + 1, last_cursor = last_cursor + 1
  where app_id = $1 and conversation_id = $2`,
)
const MESSAGE = statement(
  'message',
  'write',
  `insert into messages (app_id, conversation_id, cursor, message_id, run_id, generation, role, text, data, created_at)
  values ($1, $2, $3, $4, $5, $6, 'user', $7, $8::json, $9)`,
)
const RUN = statement(
  'run',
  'write',
  `insert into runs (app_id, run_id, conversation_id, subject, endpoint_id, device_id, message_id, generation, binding_version,
    position, admitted_seq, state, delivery_state, start_before, created_at, updated_at)
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, 'queued', 'waiting_device', $12, $13, $13)`,
)
const EVENT = statement(
  'event',
  'write',
  `insert into events (app_id, conversation_id, seq, event_id, generation, run_id, message_id, type, payload, created_at)
  values ($1, $2, $3, $4, $5, $6, $7, 'run.updated', '{"state":"queued","delivery_state":"waiting_device"}', $8)`,
)

interface Locked {
  readonly generation: number
  readonly state: string
  readonly queued_runs: number
  readonly binding_version: number
  readonly breaking_version: number
  readonly endpoint_id: string
  readonly device_id: string
  readonly device_state: string
  readonly heartbeat_at: Date | null
  readonly pending_limit: number | null
  readonly admission_paused: boolean
  readonly last_seq: number
  readonly last_cursor: number
}

/**
 * A straightforward implementation of the admission, as a baseline: a transaction with one statement per step. It makes
 * the gateway's checks, except that of the heartbeat's age, writes to the same tables, and gives the same answer.
 */
export const admitInteractively = (
  db: Db,
  { appId, subject }: Tenant,
  conversationId: string,
  request: IdempotentRequest,
  body: TakenMessage,
  limits: { readonly queued: number; readonly app: number; readonly device: number },
): Promise<Admission> =>
  db.transaction(async (tx) => {
    const now = new Date()
    const write = (which: Statement, ...params: Param[]) => tx.query(which, params)
    const [locked] = await tx.query<Locked>(LOCK, [appId, subject, conversationId])
    if (locked === undefined) throw new Error('no such conversation')
    if ((await findIdempotencyRecord(tx, { appId, subject }, request.key)) !== null) throw new Error('the key is used')
    const [pending] = await tx.query<{ of_app: number; of_device: number }>(PENDING, [appId, locked.device_id])
    const admissible =
      locked.generation === body.expected_generation &&
      locked.state === 'active' &&
      locked.queued_runs < limits.queued &&
      locked.binding_version >= locked.breaking_version &&
      !locked.admission_paused &&
      locked.device_state === 'active' &&
      locked.heartbeat_at !== null &&
      pending !== undefined &&
      pending.of_app < limits.app &&
      pending.of_device < (locked.pending_limit ?? limits.device)
    if (!admissible) throw new Error('refused')
    const [messageId, runId, eventId] = [newId('msg'), newId('run'), newId('evt')]
    const [seq, cursor] = [locked.last_seq + 1, locked.last_cursor + 1]
    const deadline = new Date(now.getTime() + 300_000)
    await write(ADVANCE, appId, conversationId)
    await write(COUNT, appId, locked.device_id, conversationId)
    const { text = null, data } = body.input
    const sent = data?.text ?? null
    await write(MESSAGE, appId, conversationId, cursor, messageId, runId, locked.generation, text, sent, now)
    await write(
      RUN,
      appId,
      runId,
      conversationId,
      subject,
      locked.endpoint_id,
      locked.device_id,
      messageId,
      locked.generation,
      locked.binding_version,
      cursor,
      seq,
      deadline,
      now,
    )
    await write(EVENT, appId, conversationId, seq, eventId, locked.generation, runId, messageId, now)
    const response: Admission = {
      conversation_id: conversationId,
      generation: locked.generation,
      message_id: messageId,
      run_id: runId,
      state: 'queued',
      event_cursor: seq,
    }
    await recordIdempotency(
      tx,
      { appId, subject },
      request.key,
      { fingerprint: request.fingerprint, status: 202, response },
      now,
    )
    return response
  })
