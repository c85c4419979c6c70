-- An index that begins as the primary key does is as good as that one to a planner without statistics: in the first minute of a
-- database a run was looked for among all runs of its application. These begin with what is looked up in them instead.
-- Writers lock these tables in this order.
drop index runs_by_conversation;
create index runs_by_conversation on runs (conversation_id, app_id, position);
drop index deliveries_by_conversation;
create index deliveries_by_conversation on deliveries (conversation_id, app_id);
drop index operations_by_conversation;
create index operations_by_conversation on operations (conversation_id, app_id);
drop index approvals_by_conversation;
create index approvals_by_conversation on approvals (conversation_id, app_id);
drop index resource_uses_by_run;
create index resource_uses_by_run on resource_uses (run_id, app_id);
drop index resources_by_subject;
create index resources_by_subject on resources (subject, app_id);
