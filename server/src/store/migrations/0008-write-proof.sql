-- The one row that a process writes to learn whether the database takes writes (D-50). Its page holds the versions of some
-- seconds, so that it is updated in place.
create table write_proof (
  row_number integer not null default 1 check (row_number = 1),
  proved_at timestamptz not null,
  constraint write_proof_pkey primary key (row_number)
) with (fillfactor = 10);

insert into write_proof (proved_at) values (to_timestamp(0));
