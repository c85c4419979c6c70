-- What a version of a service accepts and answers with as data (D-70), as JSON Schema, and whether its runs get the activities
-- of earlier answers as context (D-69).
alter table endpoint_versions
  add column input_schema json,
  add column output_schema json,
  add column context_activities boolean not null default false;
