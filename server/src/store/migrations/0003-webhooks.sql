-- Incoming webhooks. Their deliveries are remembered where idempotent requests are.
create table webhooks (
  app_id text not null,
  integration_id text not null,
  -- In the contract's words, without the secret.
  configuration json not null,
  -- Encrypted under GATEWAY_SECRET_KEY and bound to the integration (D-36).
  secret bytea not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  constraint webhooks_pkey primary key (app_id, integration_id),
  -- The URL names nothing but the integration.
  constraint webhooks_integration_id unique (integration_id)
);
