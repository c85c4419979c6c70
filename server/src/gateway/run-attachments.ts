import { hash, randomUUID } from 'node:crypto'
import type { Tenant } from '@conversation-gateway/openapi/behaviour/tenant'
import { asChunks } from '../domain/collect-bytes.ts'
import { UniqueViolation } from '../store/db.ts'
import type { StoredResource } from '../store/resources.ts'
import { addResourceUse, findResource, insertResource, makeReady, RESOURCE_ID_CONSTRAINT } from '../store/resources.ts'
import { beginUpload } from '../store/uploads.ts'
import { readContent, storeContent } from './attachment-content.ts'
import type { GatewayContext } from './context.ts'

/** A worker's access to the attachments of a run's application and subject. */

/** How long storing an attachment may take; enough for the largest. */
const STORING_MS = 60_000

export interface NewRunAttachment {
  readonly resourceId: string
  readonly filename: string
  readonly contentType: string
  readonly content: Uint8Array
}

/** Finds an attachment whose content has arrived; null otherwise. */
export const findRunAttachment = async (
  { db }: GatewayContext,
  tenant: Tenant,
  resourceId: string,
): Promise<StoredResource | null> => {
  const resource = await findResource(db, tenant, resourceId)
  return resource === null || resource.uploadId === null ? null : resource
}

/** Reads the whole content. @throws if it is pending or has been deleted. */
export const readRunAttachment = async (
  { db }: GatewayContext,
  { appId }: Tenant,
  { size, uploadId }: StoredResource,
): Promise<Uint8Array> => {
  if (uploadId === null) throw new Error('a pending attachment has no content')
  const chunks: Uint8Array[] = []
  for await (const chunk of readContent(db, { appId, uploadId }, size)) chunks.push(chunk)
  return Buffer.concat(chunks)
}

/** Stores an attachment that a run produced; idempotent for the same ID. */
export const createRunAttachment = async (
  { db, clock }: GatewayContext,
  run: Tenant & { readonly runId: string },
  { resourceId, filename, contentType, content }: NewRunAttachment,
): Promise<void> => {
  const sha256 = hash('sha256', content, 'hex')
  const size = content.byteLength
  const now = clock.now()
  const resource: StoredResource = { resourceId, filename, contentType, size, sha256, uploadId: null, createdAt: now }
  const upload = { appId: run.appId, uploadId: randomUUID() }
  try {
    await db.transaction(
      async (tx) => {
        await insertResource(tx, run, resource)
        await beginUpload(tx, upload, now)
        await storeContent(tx, upload, asChunks(content), size)
        await makeReady(tx, run, resourceId, upload.uploadId, sha256)
        await addResourceUse(tx, run.appId, resourceId, run.runId)
      },
      { deadlineMs: STORING_MS },
    )
  } catch (error) {
    if (!(error instanceof UniqueViolation && error.constraint === RESOURCE_ID_CONSTRAINT)) throw error
  }
}
