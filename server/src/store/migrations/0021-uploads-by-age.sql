-- Finds lost uploads from the oldest on, and discarded content (begun at the epoch) of all applications or of one.
create index resource_uploads_by_age on resource_uploads (begun_at, app_id);
