-- Apart from the migration that makes what replaces them, so that nobody who reads waits while that is made.
drop index messages_created;
drop index events_created;
drop index deliveries_created;
drop index idempotency_created;
drop index resources_created;
