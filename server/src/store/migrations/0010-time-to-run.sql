-- How long a run may execute (D-59). What executes already gets the default from here on.
alter table endpoint_versions add column max_run_seconds integer not null default 3600;

alter table runs
  -- The moment at which its time is over; once it is, the moment by which its stop has to be confirmed.
  add column run_until timestamptz,
  -- What is left of its time while it waits for an approval; run_until is null then.
  add column run_left_ms bigint,
  add column timed_out boolean not null default false;
update runs set run_until = now() + interval '1 hour' where state in ('running', 'cancelling', 'reconciling');
update runs set run_left_ms = 3600000 where state = 'waiting_approval';
