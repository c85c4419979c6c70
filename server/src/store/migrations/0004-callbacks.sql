-- Outgoing callbacks: who wants which events, and one delivery for each event and configuration.
create table callbacks (
  app_id text not null,
  callback_id text not null,
  endpoint_id text not null,
  -- The device of the service when the configuration was saved: events of all services of the application on it.
  device_id text not null,
  url text not null,
  -- Separated by spaces.
  event_types text not null,
  enabled boolean not null,
  -- What the operator sees: grows with the URL and the secret.
  version bigint not null default 1,
  -- Grows with everything that cancels what is undelivered: deliveries of an older one are never sent.
  revision bigint not null default 1,
  -- Encrypted under GATEWAY_SECRET_KEY and bound to the configuration (D-36).
  secret bytea not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  constraint callbacks_pkey primary key (app_id, callback_id),
  constraint callbacks_callback_id unique (callback_id)
);

create table deliveries (
  app_id text not null,
  callback_id text not null,
  event_id text not null,
  delivery_id text not null,
  callback_version bigint not null,
  callback_revision bigint not null,
  conversation_id text not null,
  seq bigint not null,
  event_type text not null,
  -- What every attempt sends, byte for byte. Null once it will not be sent again.
  body text,
  state text not null default 'pending',
  -- Attempts begun in the current window, and ever.
  attempts smallint not null default 0,
  attempts_ever integer not null default 0,
  last_error json,
  next_attempt_at timestamptz,
  expires_at timestamptz not null,
  lease_owner text,
  lease_expires_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  -- One event is delivered once to a configuration.
  constraint deliveries_pkey primary key (app_id, callback_id, event_id)
);
create unique index deliveries_delivery_id on deliveries (delivery_id);
create index deliveries_pending on deliveries (app_id, callback_id, callback_revision, next_attempt_at) where state = 'pending';
create index deliveries_expiring on deliveries (expires_at) where state = 'pending';
create index deliveries_sending on deliveries (lease_expires_at) where state = 'sending';
-- First attempts: those of one conversation to one configuration are made one after the other.
create index deliveries_in_turn on deliveries (app_id, callback_id, conversation_id, seq)
  where attempts_ever <= 1 and state in ('pending', 'sending');
create index deliveries_created on deliveries using brin (created_at);

create table delivery_attempts (
  app_id text not null,
  delivery_id text not null,
  -- Counts from 1 over the life of the delivery.
  attempt integer not null,
  started_at timestamptz not null,
  -- Null when the process that made the attempt died.
  latency_ms integer,
  -- Null when there was no answer.
  status smallint,
  -- Null when the receiver took the event.
  error text,
  -- The beginning of the answer's body.
  excerpt text,
  constraint delivery_attempts_pkey primary key (app_id, delivery_id, attempt)
);
