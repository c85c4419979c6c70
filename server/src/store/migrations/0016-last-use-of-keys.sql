-- What tells keys apart, and whether anybody still uses one.
alter table api_keys add column prefix text, add column last_used_at timestamptz;
