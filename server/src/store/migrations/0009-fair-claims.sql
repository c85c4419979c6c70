-- Which queued runs can be started: the oldest of each conversation in which nothing executes. What a claim looks through
-- does not grow with what waits behind those (D-58).
alter table runs add column ready boolean not null default false;
update runs r set ready = true
from conversations c
where r.state = 'queued' and c.app_id = r.app_id and c.conversation_id = r.conversation_id and c.executing_run_id is null
  and not exists (select 1 from runs earlier
    where earlier.app_id = r.app_id and earlier.conversation_id = r.conversation_id
      and earlier.position < r.position and earlier.state = 'queued');

-- In a collation of its own, so that the primary key never looks like a way to find what waits: it holds all that ever was.
drop index runs_queued;
create index runs_queued on runs (device_id, ready, app_id collate "C", run_id collate "C") where state = 'queued';
-- What may occupy a slot of a device; what waits for an approval does not.
create index runs_in_slots on runs (device_id, app_id collate "C") where state in ('running', 'cancelling', 'reconciling');
-- What a process executes.
create index runs_held on runs (lease_owner) where state in ('running', 'waiting_approval', 'cancelling', 'reconciling');

-- Whose run the only slot of the device was given to last.
alter table devices add column served_app_id text;
