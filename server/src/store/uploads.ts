import type { Queryable, Statement } from './db.ts'

/** Content under way to an attachment, or there. */
export interface UploadRef {
  readonly appId: string
  readonly uploadId: string
}

const BEGIN: Statement = {
  name: 'begin_upload',
  text: 'insert into resource_uploads (app_id, upload_id, begun_at) values ($1, $2, $3)',
}

export const beginUpload = async (db: Queryable, { appId, uploadId }: UploadRef, now: Date): Promise<void> => {
  await db.query(BEGIN, [appId, uploadId, now])
}

const APPEND: Statement = {
  name: 'append_chunk',
  text: 'insert into resource_chunks (app_id, upload_id, ordinal, bytes) values ($1, $2, $3, $4)',
}

/** Writes the chunk with this number, counted from 0. */
export const appendChunk = async (
  db: Queryable,
  { appId, uploadId }: UploadRef,
  ordinal: number,
  bytes: Uint8Array,
): Promise<void> => {
  await db.query(APPEND, [appId, uploadId, ordinal, bytes])
}

const DISCARD: Statement = {
  name: 'discard_upload',
  text: `
with upload as (
  delete from resource_uploads where app_id = $1 and upload_id = $2 returning app_id, upload_id
)
delete from resource_chunks c using upload u where c.app_id = u.app_id and c.upload_id = u.upload_id`,
}

/** Forgets an upload that has become nobody's content; one that has is left alone. */
export const discardUpload = async (db: Queryable, { appId, uploadId }: UploadRef): Promise<void> => {
  await db.query(DISCARD, [appId, uploadId])
}

const READ: Statement = {
  name: 'read_chunk',
  text: 'select bytes from resource_chunks where app_id = $1 and upload_id = $2 and ordinal = $3',
}

/** The chunk with this number; null after the last one, or when the content has been deleted. */
export const readChunk = async (
  db: Queryable,
  { appId, uploadId }: UploadRef,
  ordinal: number,
): Promise<Uint8Array | null> =>
  (await db.query<{ bytes: Uint8Array }>(READ, [appId, uploadId, ordinal]))[0]?.bytes ?? null
