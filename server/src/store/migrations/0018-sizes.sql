-- Bytes of what is so long that PostgreSQL keeps it apart from its row, so that it is counted without being read. Null for what is
-- short, and in rows from before.
alter table messages add column data_bytes integer;
alter table events add column payload_bytes integer;
alter table runs add column result_bytes integer;
