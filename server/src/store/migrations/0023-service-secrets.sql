-- What signs the requests to a service's http assistant (D-66); null until it has one. The columns are those of webhooks.
alter table endpoints
  add column secret bytea,
  add column previous_secret bytea,
  add column previous_secret_until timestamptz,
  add column file_secret bytea;
