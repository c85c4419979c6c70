-- Keys that an operator chose have no ID in them: they are found by their hash. IDs are random, and show nothing of it.
create unique index api_keys_secret_hash on api_keys (secret_hash);
