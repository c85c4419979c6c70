-- Rotation with an overlap: until a moment the secret from before is in use beside the new one, or in its place.
alter table webhooks add column previous_secret bytea, add column previous_secret_until timestamptz;
alter table callbacks add column previous_secret bytea, add column previous_secret_until timestamptz;

-- The query of a callback's URL, encrypted; `url` is the URL without it. In rows from before the query stands in `url`
-- until they change or are re-encrypted.
alter table callbacks add column url_query bytea;

-- The hash of the secret that a bootstrap file has set, encrypted: by it an edited secret is told from a rotated one.
alter table webhooks add column file_secret bytea;
alter table callbacks add column file_secret bytea;

-- What an operator looks for among millions that were delivered.
create index deliveries_ended_badly on deliveries (state, delivery_id)
  where state in ('needs_action', 'expired', 'cancelled_config_changed');
