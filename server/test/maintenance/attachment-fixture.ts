import { randomUUID } from 'node:crypto'
import { expect } from 'vitest'
import { CHUNK_BYTES, storeContent } from '../../src/gateway/attachment-content.ts'
import { createResource, putResourceContent, readResource } from '../../src/gateway/resources.ts'
import { createSweeps, removeDiscardedContent } from '../../src/gateway/retention.ts'
import { findRunAttachment, readRunAttachment } from '../../src/gateway/run-attachments.ts'
import type { Queryable, Statement } from '../../src/store/db.ts'
import { makeReady } from '../../src/store/resources.ts'
import { beginUpload, discardUpload } from '../../src/store/uploads.ts'
import { answerOf } from '../admin/support.ts'
import type { TestDatabase } from '../support/databases/databases.ts'
import { intention, newConversation } from '../support/gateway-fixture.ts'

export const NEVER = new AbortController().signal

const ACCEPT_ALL: Statement = {
  name: 'test_accept_all',
  access: 'write',
  text: `update endpoint_versions set accepts = '["*/*"]' where app_id = $1`,
}
const LEFT: Statement = {
  name: 'test_attachment_rows',
  access: 'read',
  text: `select (select count(*) from resources where app_id = $1)::integer as resources,
    (select count(*) from resource_chunks where app_id = $1)::integer as chunks,
    (select count(*) from resource_uploads where app_id = $1)::integer as uploads,
    (select count(*) from resource_uses where app_id = $1)::integer as uses`,
}

async function* contentOf(text: string) {
  yield Buffer.from(text)
}

export const setUp = async (database: TestDatabase) => {
  const fixture = await newConversation(database.db)
  const { context, service, tenant } = fixture
  await database.db.query(ACCEPT_ALL, [service.appId])
  const sweeps = createSweeps(context)
  return {
    ...fixture,
    sweep: async () => {
      for (const sweep of sweeps) await sweep.run(NEVER)
      await removeDiscardedContent(context)
    },
    left: async () => (await database.db.query(LEFT, [service.appId]))[0],
    declare: async (size = 5) => {
      const body = { filename: 'a', content_type: 'text/plain', size }
      return answerOf(await createResource(context, tenant, intention(), body)).resource_id
    },
    exists: async (id: string) => (await readResource(context, tenant, id)).kind === 'found',
  }
}
export type Fixture = Awaited<ReturnType<typeof setUp>>

export const attach = async (fixture: Fixture): Promise<string> => {
  const id = await fixture.declare()
  answerOf(await putResourceContent(fixture.context, fixture.tenant, id, contentOf('hello')))
  return id
}

export const CHUNKS = 5
export const SIZE = CHUNKS * CHUNK_BYTES

/** Yields several chunks, then calls `end`. */
export async function* largeContent(end: () => void = () => {}) {
  for (let n = 0; n < CHUNKS; n += 1) yield Buffer.alloc(CHUNK_BYTES, n)
  end()
}

export const attachLarge = async ({ declare, context, tenant }: Fixture): Promise<string> => {
  const id = await declare(SIZE)
  answerOf(await putResourceContent(context, tenant, id, largeContent()))
  return id
}

export const abortUpload = async ({ declare, context, tenant }: Fixture): Promise<string> => {
  const id = await declare(SIZE)
  const content = largeContent(() => {
    throw new Error('aborted')
  })
  await expect(putResourceContent(context, tenant, id, content)).rejects.toThrow('aborted')
  return id
}

/**
 * A pending attachment, and an upload with all its chunks. `ready` makes the upload its content; `discard` drops it.
 */
export const uploadAll = async ({ declare, context, tenant }: Fixture) => {
  const upload = { appId: tenant.appId, uploadId: randomUUID() }
  const id = await declare(SIZE)
  await beginUpload(context.db, upload, context.clock.now())
  const { sha256 } = await storeContent(context.db, upload, largeContent(), SIZE)
  const ready = (db: Queryable) => makeReady(db, tenant, id, upload.uploadId, sha256)
  const discard = (db: Queryable) => discardUpload(db, upload)
  return { id, upload, ready, discard }
}

/** Reads the whole content; returns null if the attachment has no content. */
export const readAll = async ({ context, tenant }: Fixture, id: string): Promise<Uint8Array | null> => {
  const attachment = await findRunAttachment(context, tenant, id)
  return attachment === null ? null : readRunAttachment(context, tenant, attachment)
}

export const WHOLE = Buffer.concat(Array.from({ length: CHUNKS }, (_, n) => Buffer.alloc(CHUNK_BYTES, n)))
