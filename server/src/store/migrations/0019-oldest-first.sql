-- What goes by its age is found from the oldest on. A summary of blocks (BRIN) cannot tell where that is: it keeps the oldest moment
-- that a block ever had, so once new rows have taken the place of removed ones, each look would read the whole table.
-- Writers lock these tables in this order.
create index messages_by_age on messages (created_at);
create index events_by_age on events (created_at);
create index deliveries_by_age on deliveries (created_at);
create index deliveries_failed_by_age on deliveries (created_at) where body is not null and state in ('needs_action', 'expired');
create index operations_by_age on operations (updated_at) where state in ('succeeded', 'failed');
create index approvals_by_age on approvals (decided_at) where state <> 'pending';
create index idempotency_by_age on idempotency (created_at);
create index resources_by_age on resources (created_at) where upload_id is not null;
create index resources_pending_by_age on resources (created_at) where upload_id is null;
create index audit_records_by_age on audit_records (at);
