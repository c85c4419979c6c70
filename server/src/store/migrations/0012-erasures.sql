-- Erasures of conversations and subjects (D-63). What is left of them stays here and in the rows of conversations and runs.
create table erasures (
  app_id text not null,
  erasure_id text not null,
  -- What is erased: everything of a subject, which goes with the rest, or one conversation.
  subject text,
  conversation_id text,
  state text not null default 'pending',
  -- By then work has stopped, or is ended.
  stop_until timestamptz not null,
  conversations bigint not null default 0,
  runs bigint not null default 0,
  messages bigint not null default 0,
  events bigint not null default 0,
  resources bigint not null default 0,
  deliveries bigint not null default 0,
  replays bigint not null default 0,
  created_at timestamptz not null,
  completed_at timestamptz,
  constraint erasures_pkey primary key (app_id, erasure_id),
  constraint erasures_erasure_id unique (erasure_id)
);
create index erasures_pending on erasures (app_id, erasure_id) where state = 'pending';

-- By which erasure a conversation was taken from its subject, and when the last of it was gone.
alter table conversations add column erasure_id text, add column erased_at timestamptz;
create index conversations_to_erase on conversations (app_id, erasure_id, conversation_id)
  where erasure_id is not null and erased_at is null;

-- What belongs to a conversation, a run or a subject.
create index operations_by_conversation on operations (app_id, conversation_id);
create index approvals_by_conversation on approvals (app_id, conversation_id);
create index deliveries_by_conversation on deliveries (app_id, conversation_id);
create index resource_uses_by_run on resource_uses (app_id, run_id);
create index resources_by_subject on resources (app_id, subject);
