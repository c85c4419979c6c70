import { DELIVERY_WINDOW_MS } from '@conversation-gateway/openapi/behaviour/retry-schedule'
import type { Statement } from '../db.ts'
import { longBytesSql } from '../history/stored-size.ts'
import { newIdSql } from '../new-id-sql.ts'
import { type Columns, listOf, type RowOf, shortListOf } from './columns.ts'

/**
 * The writes of a batch: one list of rows and one statement for each kind of write. `$1` is the list in JSON, `$2` the
 * time. The columns are defined only here; the row types are derived from them.
 */

interface TableWrite<C extends Columns> {
  readonly columns: C
  readonly statement: Statement
}

/** The time of the batch. */
export const NOW = '$2'

/** Expressions by column; `n` is the row of the list. */
type Expressions = Readonly<Record<string, string>>

const valuesOf = (columns: Columns): Expressions =>
  Object.fromEntries(Object.keys(columns).map((name) => [name, `n.${name}`]))

/** @param computed Columns with a computed value. */
const insert = <const C extends Columns>(
  name: string,
  table: string,
  columns: C,
  { computed = {}, rest = '' }: { readonly computed?: Expressions; readonly rest?: string } = {},
): TableWrite<C> => {
  const values = { ...valuesOf(columns), ...computed }
  return {
    columns,
    statement: {
      name,
      access: 'write',
      text: `insert into ${table} as t (${Object.keys(values).join(', ')})
  select ${Object.values(values).join(', ')} from ${listOf(columns)} ${rest}`,
    },
  }
}

/** Updates the rows that have the key of a row in the list. */
const update = <const K extends Columns, const C extends Columns>(
  name: string,
  table: string,
  key: K,
  columns: C,
  { computed = {}, where = [] }: { readonly computed?: Expressions; readonly where?: readonly string[] } = {},
): TableWrite<K & C> => {
  const values = Object.entries({ ...valuesOf(columns), ...computed })
  const conditions = [...Object.keys(key).map((column) => `t.${column} = n.${column}`), ...where]
  return {
    columns: { ...key, ...columns },
    statement: {
      name,
      access: 'write',
      text: `update ${table} t set ${values.map(([column, value]) => `${column} = ${value}`).join(', ')}
  from ${shortListOf({ ...key, ...columns })} where ${conditions.join(' and ')}`,
    },
  }
}

// A later time that another process or statement wrote is kept, so that no record's times go backwards.
const UPDATED = { updated_at: `greatest(t.updated_at, ${NOW})` }

const CONVERSATION = { app_id: 'text', conversation_id: 'text' } as const
const RUN = { app_id: 'text', run_id: 'text' } as const

/** The mutable columns of a run. */
const RUN_STATE = {
  state: 'text',
  delivery_state: 'text',
  result: 'json?',
  /** The usage in the result, which `readUsage` sums up. */
  usage: 'json?',
  reconcile_cause: 'text?',
  reconcile_until: 'timestamptz?',
  run_until: 'timestamptz?',
  run_left_ms: 'bigint?',
  timed_out: 'boolean',
  finished_at: 'timestamptz?',
  reply_message_id: 'text?',
  reply_cursor: 'bigint?',
} as const

const EVENT = {
  ...CONVERSATION,
  seq: 'bigint',
  event_id: 'text',
  generation: 'bigint',
  run_id: 'text?',
  message_id: 'text?',
  type: 'text',
  /** In wire format. */
  payload: 'json_text',
  /** The size of a long payload. */
  payload_bytes: 'integer?',
} as const

const OUTGOING = { ...EVENT, device_id: 'text' } as const

/**
 * In the order in which the statements are executed. Rows that other batches may also write come last: keys and
 * counters, each in sorted order. No row is in two lists, and none is changed twice.
 */
export const TABLES = {
  conversations: update('write_conversations', 'conversations', CONVERSATION, {
    generation: 'bigint',
    binding_version: 'integer',
    state: 'text',
    last_cursor: 'bigint',
    last_seq: 'bigint',
    queued_runs: 'integer',
    executing_run_id: 'text?',
    executing_output: 'json?',
  }),
  newRuns: insert(
    'write_new_runs',
    'runs',
    {
      ...RUN,
      ...RUN_STATE,
      conversation_id: 'text',
      subject: 'text',
      endpoint_id: 'text',
      device_id: 'text',
      message_id: 'text',
      generation: 'bigint',
      binding_version: 'integer',
      position: 'bigint',
      admitted_seq: 'bigint',
      ready: 'boolean',
      start_before: 'timestamptz',
      traceparent: 'text?',
      lease_owner: 'text?',
    },
    { computed: { created_at: NOW, updated_at: NOW } },
  ),
  runs: update('write_runs', 'runs', RUN, RUN_STATE, {
    computed: {
      result_bytes: longBytesSql('n.result::text'),
      reply_message_id: 'coalesce(n.reply_message_id, t.reply_message_id)',
      reply_cursor: 'coalesce(n.reply_cursor, t.reply_cursor)',
      ...UPDATED,
    },
  }),
  replyStarts: update('write_reply_starts', 'runs', RUN, { reply_message_id: 'text', reply_cursor: 'bigint' }),
  /** Queued runs that have become startable. */
  ready: update('write_ready_runs', 'runs', RUN, {}, { computed: { ready: 'true' } }),
  messages: insert(
    'write_messages',
    'messages',
    {
      ...CONVERSATION,
      cursor: 'bigint',
      message_id: 'text',
      run_id: 'text',
      generation: 'bigint',
      role: 'text',
      text: 'text?',
      data: 'text?',
      resource_ids: 'json?',
      activities: 'json?',
      partial: 'boolean',
    },
    {
      computed: {
        data: 'n.data::json',
        data_bytes: longBytesSql('n.data'),
        activities_bytes: longBytesSql('n.activities::text'),
        created_at: NOW,
      },
    },
  ),
  replies: update(
    'write_replies',
    'messages',
    { ...CONVERSATION, cursor: 'bigint' },
    { text: 'text', data: 'text?', activities: 'json?', partial: 'boolean' },
    {
      computed: {
        data: 'n.data::json',
        data_bytes: longBytesSql('n.data'),
        activities_bytes: longBytesSql('n.activities::text'),
      },
    },
  ),
  events: insert('write_events', 'events', EVENT, { computed: { created_at: NOW } }),
  /** Events of the types that callbacks can subscribe to. */
  outgoing: {
    columns: OUTGOING,
    statement: {
      name: 'write_deliveries',
      access: 'write',
      text: `insert into deliveries (app_id, callback_id, event_id, delivery_id, callback_version, callback_revision,
    conversation_id, seq, event_type, body, next_attempt_at, expires_at, created_at, updated_at)
  select n.app_id, k.callback_id, n.event_id,
    ${newIdSql('dlv', NOW)},
    k.version, k.revision, n.conversation_id, n.seq, n.type,
    '{"conversation_id":"' || n.conversation_id || '","generation":' || n.generation || ',"event_id":"' || n.event_id
      || '","seq":' || n.seq || ',"run_id":' || coalesce('"' || n.run_id || '"', 'null')
      || ',"message_id":' || coalesce('"' || n.message_id || '"', 'null')
      || ',"type":"' || n.type || '","payload":' || n.payload || '}',
    ${NOW}, ${NOW}::timestamptz + make_interval(secs => ${DELIVERY_WINDOW_MS / 1000}), ${NOW}, ${NOW}
  from ${shortListOf(OUTGOING)}
  join callbacks k on k.app_id = n.app_id and k.device_id = n.device_id and k.enabled
    and n.type = any(string_to_array(k.event_types, ' '))
  returning delivery_id`,
    },
  } satisfies TableWrite<typeof OUTGOING>,
  operations: insert(
    'write_operations',
    'operations',
    {
      ...CONVERSATION,
      operation_id: 'text',
      subject: 'text',
      kind: 'text',
      run_id: 'text?',
      state: 'text',
      generation: 'bigint',
      stop_until: 'timestamptz',
    },
    {
      computed: { created_at: NOW, updated_at: NOW },
      rest: `on conflict (app_id, operation_id) do update
    set state = excluded.state, generation = excluded.generation,
      updated_at = greatest(t.updated_at, excluded.updated_at)`,
    },
  ),
  approvals: insert(
    'write_approvals',
    'approvals',
    { ...CONVERSATION, approval_id: 'text', run_id: 'text', summary: 'text', state: 'text' },
    { computed: { created_at: NOW, decided_at: `case when n.state <> 'pending' then ${NOW}::timestamptz end` } },
  ),
  /** Runs whose pending approvals are withdrawn. */
  withdrawn: update(
    'withdraw_approvals',
    'approvals',
    RUN,
    {},
    { computed: { state: "'withdrawn'", decided_at: NOW }, where: ["t.state = 'pending'"] },
  ),
  resourceUses: insert('write_resource_uses', 'resource_uses', { ...RUN, resource_id: 'text' }),
  /** Answers by idempotency keys. */
  records: insert(
    'write_idempotency_records',
    'idempotency',
    {
      app_id: 'text',
      /** The scope of the key. */
      subject: 'text',
      key: 'text',
      /** In hexadecimal. */
      fingerprint: 'text',
      status: 'smallint',
      response: 'json',
    },
    {
      computed: { fingerprint: "decode(n.fingerprint, 'hex')", created_at: NOW },
      rest: 'order by n.app_id, n.subject, n.key',
    },
  ),
  /** The change of the number of unfinished runs. */
  pending: insert(
    'write_pending_runs',
    'pending_runs',
    { app_id: 'text', device_id: 'text', shard: 'smallint', unfinished: 'integer' },
    {
      rest: `order by n.app_id, n.device_id
  on conflict on constraint pending_runs_pkey do update set unfinished = t.unfinished + excluded.unfinished`,
    },
  ),
}

export type BatchRows = {
  readonly [Name in keyof typeof TABLES]: RowOf<(typeof TABLES)[Name]['columns']>[]
}

export type EventRow = RowOf<typeof EVENT>
export type RunStateRow = RowOf<typeof RUN & typeof RUN_STATE>
export type MessageRow = BatchRows['messages'][number]
