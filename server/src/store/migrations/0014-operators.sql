-- Operators beside the one of GATEWAY_ADMIN_TOKEN, and what all of them changed. Neither names an application's subject.
create table operators (
  operator_id text primary key,
  name text not null,
  role text not null check (role in ('read', 'operate', 'admin')),
  may_read_text boolean not null,
  token_hash bytea not null,
  created_at timestamptz not null,
  expires_at timestamptz,
  revoked_at timestamptz,
  -- To the minute.
  last_used_at timestamptz,
  constraint operators_token_hash unique (token_hash)
);
create unique index operators_name on operators (name) where revoked_at is null;

create table audit_records (
  audit_id text primary key,
  at timestamptz not null,
  operator_id text,
  operator text not null,
  role text not null,
  operation text not null,
  target json not null,
  input json not null,
  request_id text not null,
  -- Null until the answer is known.
  status smallint,
  code text
);
create index audit_records_by_operator on audit_records (operator, audit_id);
create index audit_records_by_operation on audit_records (operation, audit_id);
