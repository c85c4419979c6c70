-- Workers elsewhere (D-67): the keys of devices, and the sessions of their workers, which are rows of processes.
create table device_keys (
  key_id text not null,
  device_id text not null,
  name text,
  secret_hash bytea not null,
  created_at timestamptz not null,
  revoked_at timestamptz,
  -- To the minute.
  last_used_at timestamptz,
  constraint device_keys_pkey primary key (key_id),
  constraint device_keys_secret_hash unique (secret_hash)
);
create index device_keys_of_device on device_keys (device_id, created_at, key_id);

-- A device that ever had a key is its workers'. A process of the gateway serves it only if its settings name it.
alter table devices add column has_workers boolean not null default false;

-- Only of a worker's session.
alter table processes
  add column worker_device_id text,
  add column worker_key_id text,
  add column worker_name text,
  add column worker_version text,
  add column opened_at timestamptz,
  add column beaten_at timestamptz;
create index processes_of_device on processes (worker_device_id) where worker_device_id is not null;

-- What a worker has sent of the run that executes: {"steps":…,"deltas":…,"bytes":…}. Null where nothing has come.
alter table conversations add column executing_output json;
