-- Tenant tables lead with app_id: a query that forgets the tenant has no index to use, and the schema can be
-- distributed by application without change. State names are those of the specification; the tables of allowed
-- transitions live in domain/, and the statements that write a state name the states they may write over.

create table gateway (
  singleton boolean primary key default true check (singleton),
  admission_paused boolean not null default false
);
insert into gateway default values;

create table apps (
  app_id text primary key,
  owner_id text not null,
  name text,
  state text not null check (state in ('active', 'disabled')),
  pending_limit integer,
  rate_limit_per_second integer,
  stream_limit integer,
  subject_stream_limit integer,
  created_at timestamptz not null
);

create table api_keys (
  app_id text not null,
  key_id text not null,
  name text,
  secret_hash bytea not null,
  scopes text not null,
  created_at timestamptz not null,
  expires_at timestamptz,
  revoked_at timestamptz,
  constraint api_keys_pkey primary key (app_id, key_id),
  constraint api_keys_key_id unique (key_id)
);

create table devices (
  device_id text primary key,
  name text,
  state text not null check (state in ('active', 'paused', 'disabled')),
  pending_limit integer,
  stream_limit integer,
  heartbeat_at timestamptz,
  created_at timestamptz not null
);

create table endpoints (
  app_id text not null,
  endpoint_id text not null,
  device_id text not null,
  name text,
  published_version integer not null,
  -- Conversations bound to an older version than this one are refused until they are reset (D-23).
  breaking_version integer not null,
  created_at timestamptz not null,
  constraint endpoints_pkey primary key (app_id, endpoint_id)
);

create table endpoint_versions (
  app_id text not null,
  endpoint_id text not null,
  version integer not null,
  compatibility text not null check (compatibility in ('compatible', 'breaking')),
  assistant json not null,
  accepts json not null,
  created_at timestamptz not null,
  constraint endpoint_versions_pkey primary key (app_id, endpoint_id, version)
);

-- From here on there are no CHECK constraints: PostgreSQL reads each of them anew from its catalogue text for every
-- statement, which was a quarter of the cost of an admission. The states are those of the types in domain/.

-- The row of a conversation is the lock of everything in it, and its counters are tested in the WHERE of the statement
-- that takes the lock: after a wait only the locked row is read again, a count over other rows would be stale.
create table conversations (
  app_id text not null,
  conversation_id text not null,
  subject text not null,
  owner_id text not null,
  endpoint_id text not null,
  device_id text not null,
  business_key text,
  binding_version integer not null,
  generation bigint not null default 1,
  state text not null default 'active',
  queued_runs integer not null default 0,
  executing_run_id text,
  last_seq bigint not null default 0,
  -- Events up to this seq are no longer served.
  pruned_seq bigint not null default 0,
  last_cursor bigint not null default 0,
  -- Which of the application's pending counters this conversation uses.
  shard smallint not null,
  created_at timestamptz not null,
  constraint conversations_pkey primary key (app_id, conversation_id)
) with (fillfactor = 70);
create unique index conversations_business_key on conversations (app_id, subject, endpoint_id, business_key)
  where business_key is not null;
-- The device leads, or a table without statistics would be searched by this index for the admission's key.
create index conversations_by_device on conversations (device_id, app_id, subject, conversation_id);

create table messages (
  app_id text not null,
  conversation_id text not null,
  cursor bigint not null,
  message_id text not null,
  run_id text not null,
  generation bigint not null,
  role text not null,
  -- Null while an assistant message is streamed: until it is complete its text is that of its delta events.
  text text,
  data json,
  resource_ids json,
  partial boolean not null default false,
  created_at timestamptz not null,
  constraint messages_pkey primary key (app_id, conversation_id, cursor)
);
create index messages_created on messages using brin (created_at);

create table runs (
  app_id text not null,
  run_id text not null,
  conversation_id text not null,
  subject text not null,
  endpoint_id text not null,
  device_id text not null,
  message_id text not null,
  generation bigint not null,
  binding_version integer not null,
  -- The cursor of the input message: the order of admission within the conversation.
  position bigint not null,
  admitted_seq bigint not null,
  state text not null,
  delivery_state text not null,
  start_before timestamptz not null,
  reply_message_id text,
  reply_cursor bigint,
  result json,
  lease_owner text,
  lease_expires_at timestamptz,
  reconcile_cause text,
  reconcile_until timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  finished_at timestamptz,
  constraint runs_pkey primary key (app_id, run_id)
) with (fillfactor = 80);
create index runs_by_conversation on runs (app_id, conversation_id, position);
create index runs_queued on runs (device_id, run_id) where state = 'queued';
-- Two runs of one conversation cannot execute at the same time, whatever a program does.
create unique index runs_one_executing on runs (app_id, conversation_id)
  where state in ('running', 'waiting_approval', 'cancelling', 'reconciling');
create index runs_finished on runs using brin (finished_at);

create table approvals (
  app_id text not null,
  approval_id text not null,
  conversation_id text not null,
  run_id text not null,
  summary text not null,
  state text not null,
  created_at timestamptz not null,
  decided_at timestamptz,
  constraint approvals_pkey primary key (app_id, approval_id)
);
create index approvals_by_id on approvals (approval_id);
create index approvals_pending on approvals (app_id, run_id) where state = 'pending';

create table operations (
  app_id text not null,
  operation_id text not null,
  conversation_id text not null,
  subject text not null,
  kind text not null,
  run_id text,
  state text not null,
  generation bigint not null,
  stop_until timestamptz not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  constraint operations_pkey primary key (app_id, operation_id)
);
create index operations_incomplete on operations (app_id, conversation_id)
  where state in ('pending', 'waiting_device', 'stopping');

create table events (
  app_id text not null,
  conversation_id text not null,
  seq bigint not null,
  event_id text not null,
  generation bigint not null,
  run_id text,
  message_id text,
  type text not null,
  -- json, not jsonb: what is sent is what was written, byte for byte.
  payload json not null,
  created_at timestamptz not null,
  constraint events_pkey primary key (app_id, conversation_id, seq)
);
create index events_created on events using brin (created_at);

create table idempotency (
  app_id text not null,
  subject text not null,
  key text not null,
  fingerprint bytea not null,
  status smallint not null,
  response json not null,
  created_at timestamptz not null,
  constraint idempotency_pkey primary key (app_id, subject, key)
);
create index idempotency_created on idempotency using brin (created_at);

-- Unfinished runs by application and device, spread over shards so that admissions of one application do not queue
-- up behind one row. The sum over an application, or over a device, is its count.
create table pending_runs (
  app_id text not null,
  device_id text not null,
  shard smallint not null,
  unfinished integer not null default 0,
  constraint pending_runs_pkey primary key (app_id, device_id, shard)
) with (fillfactor = 50);
create index pending_runs_by_device on pending_runs (device_id);

-- Open event streams of all processes; a crashed process's rows lapse with its lease (D-31).
create unlogged table streams (
  app_id text not null,
  stream_id text not null,
  subject text not null,
  device_id text not null,
  process_id text not null,
  expires_at timestamptz not null,
  constraint streams_pkey primary key (app_id, stream_id)
);
create index streams_by_device on streams (device_id);
