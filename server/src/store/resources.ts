import type { KnownAttachment } from '@conversation-gateway/openapi/behaviour/attachments'
import type { ShownResource } from '@conversation-gateway/openapi/behaviour/records'
import type { Tenant } from '@conversation-gateway/openapi/behaviour/tenant'
import type { Queryable, Statement, Tx } from './db.ts'
import { DISCARDED } from './uploads.ts'

/** An attachment's record without its content, in the form shown to its owner. */
export type StoredResource = ShownResource

/** The constraint that a taken ID violates. */
export const RESOURCE_ID_CONSTRAINT = 'resources_pkey'

const COLUMNS = `resource_id as "resourceId", filename, content_type as "contentType", size, sha256,
  upload_id as "uploadId", created_at as "createdAt"`

const FIND: Statement = {
  name: 'find_resource',
  access: 'read',
  text: `select ${COLUMNS} from resources where app_id = $1 and subject = $2 and resource_id = $3`,
}

export const findResource = async (
  db: Queryable,
  { appId, subject }: Tenant,
  resourceId: string,
): Promise<StoredResource | null> => (await db.query<StoredResource>(FIND, [appId, subject, resourceId]))[0] ?? null

const LOCK: Statement = { name: 'lock_resource', access: 'write', text: `${FIND.text} for update` }

/** The attachment as it is now, locked until the transaction ends: no admission can begin to use it meanwhile. */
export const lockResource = async (
  tx: Tx,
  { appId, subject }: Tenant,
  resourceId: string,
): Promise<StoredResource | null> => (await tx.query<StoredResource>(LOCK, [appId, subject, resourceId]))[0] ?? null

const KEEP: Statement = {
  name: 'keep_resources',
  access: 'write',
  text: `
select r.resource_id as "resourceId" from json_to_recordset($1::json) as n(app_id text, subject text, resource_id text)
join resources r on r.app_id = n.app_id and r.subject = n.subject and r.resource_id = n.resource_id
order by r.app_id, r.resource_id for key share of r`,
}

/**
 * Locks attachments until the transaction ends, so that a deletion happens either before the lock or after the
 * transaction's writes. Returns the IDs of those that still exist. The caller has already read their types and
 * readiness, which never change.
 */
export const keepResources = async (
  tx: Tx,
  resources: readonly (Tenant & { readonly resourceId: string })[],
): Promise<string[]> => {
  const rows = resources.map(({ appId, subject, resourceId }) => ({ app_id: appId, subject, resource_id: resourceId }))
  return (await tx.query<{ resourceId: string }>(KEEP, [JSON.stringify(rows)])).map(({ resourceId }) => resourceId)
}

const INSERT: Statement = {
  name: 'insert_resource',
  access: 'write',
  text: `insert into resources (app_id, subject, resource_id, filename, content_type, size, sha256, upload_id, created_at)
    values ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
}

/** @throws {UniqueViolation} `resources_pkey` when the ID is taken. */
export const insertResource = async (
  db: Queryable,
  { appId, subject }: Tenant,
  resource: StoredResource,
): Promise<void> => {
  const { resourceId, filename, contentType, size, sha256, uploadId, createdAt } = resource
  await db.query(INSERT, [appId, subject, resourceId, filename, contentType, size, sha256, uploadId, createdAt])
}

const MAKE_READY: Statement = {
  name: 'make_resource_ready',
  access: 'write',
  text: `
with upload as (
  -- The first transaction to lock the upload decides whether it becomes the content or is discarded.
  select upload_id from resource_uploads
  where app_id = $1 and upload_id = $4 and begun_at <> ${DISCARDED} for update
), resource as (
  update resources r set upload_id = $4, sha256 = $5
  where r.app_id = $1 and r.subject = $2 and r.resource_id = $3 and r.upload_id is null
    and exists (select 1 from upload)
  returning ${COLUMNS}
), complete as (
  delete from resource_uploads where app_id = $1 and upload_id = $4 and exists (select 1 from resource)
)
select * from resource`,
}

/** Gives a pending attachment its content; null when it is no longer pending, or the upload was discarded. */
export const makeReady = async (
  db: Queryable,
  { appId, subject }: Tenant,
  resourceId: string,
  uploadId: string,
  sha256: string,
): Promise<StoredResource | null> =>
  (await db.query<StoredResource>(MAKE_READY, [appId, subject, resourceId, uploadId, sha256]))[0] ?? null

const ADD_USE: Statement = {
  name: 'add_resource_use',
  access: 'write',
  text: `insert into resource_uses (app_id, resource_id, run_id) values ($1, $2, $3) on conflict do nothing`,
}

/** Records that a run produced the attachment. */
export const addResourceUse = async (tx: Tx, appId: string, resourceId: string, runId: string): Promise<void> => {
  await tx.query(ADD_USE, [appId, resourceId, runId])
}

const IN_USE: Statement = {
  name: 'resource_in_use',
  access: 'read',
  text: `select exists (select 1 from resource_uses u join runs r on r.app_id = u.app_id and r.run_id = u.run_id
    where u.app_id = $1 and u.resource_id = $2 and r.finished_at is null) as "inUse"`,
}

/** Whether a run that has not ended uses an attachment that the transaction has locked. */
export const isInUse = async (tx: Tx, appId: string, resourceId: string): Promise<boolean> =>
  (await tx.query<{ inUse: boolean }>(IN_USE, [appId, resourceId]))[0]?.inUse ?? false

const DELETE: Statement = {
  name: 'delete_resource',
  access: 'write',
  text: `
with resource as (
  delete from resources where app_id = $1 and resource_id = $2 returning upload_id
), used as (
  delete from resource_uses where app_id = $1 and resource_id = $2
)
insert into resource_uploads (app_id, upload_id, begun_at)
select $1, upload_id, ${DISCARDED} from resource where upload_id is not null`,
}

/** Deletes an attachment that the transaction has locked, and discards its content. */
export const deleteResource = async (tx: Tx, appId: string, resourceId: string): Promise<void> => {
  await tx.query(DELETE, [appId, resourceId])
}

/** The facts that decide whether attachments can be used in a conversation. */
export interface AttachmentConditions {
  /** Media ranges that the service accepts, in the version that the conversation is bound to. */
  readonly accepts: readonly string[]
  /** The tenant's attachments among the given IDs. */
  readonly known: readonly KnownAttachment[]
}

const CONDITIONS: Statement = {
  name: 'attachment_conditions',
  access: 'read',
  text: `
select v.accepts, (
    select coalesce(json_agg(json_build_object('resourceId', r.resource_id, 'contentType', r.content_type,
      'ready', r.upload_id is not null)), '[]')
    from resources r
    where r.app_id = $1 and r.subject = $2 and r.resource_id in (select json_array_elements_text($4::json))
  ) as known
from conversations c
join endpoint_versions v on v.app_id = c.app_id and v.endpoint_id = c.endpoint_id and v.version = c.binding_version
where c.app_id = $1 and c.subject = $2 and c.conversation_id = $3`,
}

/** Null if the conversation is not this tenant's. */
export const readAttachmentConditions = async (
  db: Queryable,
  { appId, subject }: Tenant,
  conversationId: string,
  resourceIds: readonly string[],
): Promise<AttachmentConditions | null> =>
  (
    await db.query<AttachmentConditions>(CONDITIONS, [appId, subject, conversationId, JSON.stringify(resourceIds)])
  )[0] ?? null
