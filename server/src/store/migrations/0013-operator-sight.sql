-- What an operator looks for among all runs (D-46). Each run enters an index once, at its end: what is unfinished is few, and
-- has indexes of its own.
create index runs_ended_by_endpoint on runs (app_id, endpoint_id, run_id)
  where state in ('succeeded', 'failed', 'cancelled', 'interrupted', 'expired');
create index runs_ended_by_device on runs (app_id, device_id, run_id)
  where state in ('succeeded', 'failed', 'cancelled', 'interrupted', 'expired');
create index runs_ended_badly on runs (app_id, state, run_id)
  where state in ('failed', 'cancelled', 'interrupted', 'expired');
create index runs_by_error on runs (app_id, (result #>> '{error,code}'), run_id) where state = 'failed';
