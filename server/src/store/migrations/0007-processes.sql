-- The processes of the gateway. What one holds, streams and runs, counts as long as its row does: keeping all of it costs
-- one row a second (D-60).
create table processes (
  process_id text not null,
  expires_at timestamptz not null,
  -- Runs that it executes at once for each device that it serves; 0 where it serves none.
  run_slots integer not null,
  -- The devices that it serves; null for all.
  device_ids text[],
  constraint processes_pkey primary key (process_id)
) with (fillfactor = 50);

-- From here on a time of its own stands on a run only when its worker has let go of it. Runs from before have one and keep it.
alter table streams drop column expires_at;
create index streams_by_process on streams (process_id);
