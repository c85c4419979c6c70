-- What the assistant did beside its answer (D-69), once its message is complete; until then it is what its events say.
alter table messages add column activities json;
-- As data_bytes: the bytes of long ones, so that they are counted without being read.
alter table messages add column activities_bytes integer;
