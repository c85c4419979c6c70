import type { Queryable, Statement } from './db.ts'

/** Uploaded content, whether or not it has become an attachment's. */
export interface UploadRef {
  readonly appId: string
  readonly uploadId: string
}

const BEGIN: Statement = {
  name: 'begin_upload',
  access: 'write',
  text: 'insert into resource_uploads (app_id, upload_id, begun_at) values ($1, $2, $3)',
}

export const beginUpload = async (db: Queryable, { appId, uploadId }: UploadRef, now: Date): Promise<void> => {
  await db.query(BEGIN, [appId, uploadId, now])
}

/**
 * The `begun_at` of an upload whose content is to be removed. It never changes again: the content can no longer grow or
 * become an attachment's.
 */
export const DISCARDED = `timestamptz 'epoch'`

// The lock makes a discard wait, so that no chunk is written after the removal.
const APPEND: Statement = {
  name: 'append_chunk',
  access: 'write',
  text: `
insert into resource_chunks (app_id, upload_id, ordinal, bytes)
select app_id, upload_id, $3::integer, $4::bytea from resource_uploads
where app_id = $1 and upload_id = $2 and begun_at <> ${DISCARDED} for share
returning ordinal`,
}

/** Writes the chunk with this number, counted from 0. @throws when the upload has been discarded. */
export const appendChunk = async (
  db: Queryable,
  { appId, uploadId }: UploadRef,
  ordinal: number,
  bytes: Uint8Array,
): Promise<void> => {
  const appended = await db.query(APPEND, [appId, uploadId, ordinal, bytes])
  if (appended.length === 0) throw new Error('the upload was discarded while its content arrived')
}

const DISCARD: Statement = {
  name: 'discard_upload',
  access: 'write',
  text: `update resource_uploads set begun_at = ${DISCARDED}
    where app_id = $1 and upload_id = $2 and begun_at <> ${DISCARDED}`,
}

/** Discards an upload, unless it has become an attachment's content. */
export const discardUpload = async (db: Queryable, { appId, uploadId }: UploadRef): Promise<void> => {
  await db.query(DISCARD, [appId, uploadId])
}

/** Chunks that one statement removes, half a megabyte. The embedded database serves nothing else meanwhile. */
const PIECE_CHUNKS = 2

// The row of the upload is removed last, so that another process can find the rest of the content.
const REMOVE_PIECE: Statement = {
  name: 'remove_discarded_piece',
  access: 'write',
  text: `
with upload as (
  select app_id, upload_id from resource_uploads where begun_at = ${DISCARDED} limit 1 for update skip locked
), piece as (
  select c.app_id, c.upload_id, c.ordinal from upload u
  join resource_chunks c on c.app_id = u.app_id and c.upload_id = u.upload_id
  order by c.ordinal limit $1
), removed as (
  delete from resource_chunks c using piece p
  where c.app_id = p.app_id and c.upload_id = p.upload_id and c.ordinal = p.ordinal
), complete as (
  delete from resource_uploads u using upload d
  where u.app_id = d.app_id and u.upload_id = d.upload_id and not exists (select 1 from piece)
)
select count(*) as uploads from upload`,
}

/** Removes a piece of discarded content. Returns 0 if nothing is left or other processes are removing it. */
export const removeDiscardedPiece = async (db: Queryable): Promise<number> =>
  (await db.query<{ uploads: number }>(REMOVE_PIECE, [PIECE_CHUNKS]))[0]?.uploads ?? 0

const HAS_DISCARDED: Statement = {
  name: 'has_discarded_content',
  access: 'read',
  text: `select exists (select 1 from resource_uploads where begun_at = ${DISCARDED} and app_id = $1) as "hasDiscarded"`,
}

/** Whether discarded content of an application has not been removed yet. */
export const hasDiscardedContent = async (db: Queryable, appId: string): Promise<boolean> =>
  (await db.query<{ hasDiscarded: boolean }>(HAS_DISCARDED, [appId]))[0]?.hasDiscarded ?? false

const READ: Statement = {
  name: 'read_chunk',
  access: 'read',
  text: 'select bytes from resource_chunks where app_id = $1 and upload_id = $2 and ordinal = $3',
}

/** The chunk with this number; null after the last one, or when the content has been deleted. */
export const readChunk = async (
  db: Queryable,
  { appId, uploadId }: UploadRef,
  ordinal: number,
): Promise<Uint8Array | null> =>
  (await db.query<{ bytes: Uint8Array }>(READ, [appId, uploadId, ordinal]))[0]?.bytes ?? null
