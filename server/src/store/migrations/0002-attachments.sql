-- Attachments. The bytes lie in chunks under the ID of the upload that brought them, and an attachment is ready once it
-- names its upload: until then an upload is nobody's, so that two at once cannot mix, and none holds a lock while its
-- client sends.
create table resources (
  app_id text not null,
  resource_id text not null,
  subject text not null,
  filename text not null,
  content_type text not null,
  size bigint not null,
  -- Hexadecimal: as declared, or as found. Null while neither is known.
  sha256 text,
  upload_id text,
  created_at timestamptz not null,
  constraint resources_pkey primary key (app_id, resource_id)
);
create index resources_created on resources using brin (created_at);

create table resource_chunks (
  app_id text not null,
  upload_id text not null,
  ordinal integer not null,
  bytes bytea not null,
  constraint resource_chunks_pkey primary key (app_id, upload_id, ordinal)
);
-- Files are mostly compressed already.
alter table resource_chunks alter column bytes set storage external;

-- Uploads under way; what a lost one leaves behind is found here.
create table resource_uploads (
  app_id text not null,
  upload_id text not null,
  begun_at timestamptz not null,
  constraint resource_uploads_pkey primary key (app_id, upload_id)
);

-- Which runs were given an attachment, or produced it.
create table resource_uses (
  app_id text not null,
  resource_id text not null,
  run_id text not null,
  constraint resource_uses_pkey primary key (app_id, resource_id, run_id)
);
