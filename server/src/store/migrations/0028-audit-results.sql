-- The numbers that a change was answered with, such as how many runs it cancelled. Null for changes from before.
alter table audit_records add column result json;
