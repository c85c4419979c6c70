import { randomUUID } from 'node:crypto'
import { newId } from '@conversation-gateway/openapi/behaviour/ids'
import { resourceRecord } from '@conversation-gateway/openapi/behaviour/records'
import type { Admitted, Found, Refusal } from '@conversation-gateway/openapi/behaviour/refusal'
import { found, notFound } from '@conversation-gateway/openapi/behaviour/refusal'
import type { ReceivedContent } from '@conversation-gateway/openapi/behaviour/requests/attachment-content'
import {
  ATTACHMENT_IN_USE,
  NO_CONTENT,
  refuseContent,
  refuseOtherContent,
} from '@conversation-gateway/openapi/behaviour/requests/attachment-content'
import type { Tenant } from '@conversation-gateway/openapi/behaviour/tenant'
import type { CreateResource, Resource } from '@conversation-gateway/openapi/generated/gateway-closed'
import type { StoredResource } from '../store/resources.ts'
import * as store from '../store/resources.ts'
import { beginUpload, discardUpload } from '../store/uploads.ts'
import type { IdempotentRequest } from '../writer/idempotency.ts'
import { digestContent, readContent, storeContent } from './attachment-content.ts'
import type { GatewayContext } from './context.ts'
import { executeOnce } from './idempotent.ts'

/** Declares an attachment (201, D-32): it is pending until its content has arrived. */
export const createResource = async (
  { db, clock }: GatewayContext,
  tenant: Tenant,
  request: IdempotentRequest,
  body: CreateResource,
): Promise<Admitted<Resource> | Refusal> => {
  const now = clock.now()
  return executeOnce<Resource>(db, tenant, request, now, async (tx) => {
    const resource: StoredResource = {
      resourceId: newId('res', now),
      filename: body.filename,
      contentType: body.content_type,
      size: body.size,
      sha256: body.sha256 ?? null,
      uploadId: null,
      createdAt: now,
    }
    await store.insertResource(tx, tenant, resource)
    return { status: 201, body: resourceRecord(tenant, resource) }
  })
}

export const readResource = async (
  { db }: GatewayContext,
  tenant: Tenant,
  resourceId: string,
): Promise<Found<Resource> | Refusal> => {
  const resource = await store.findResource(db, tenant, resourceId)
  return resource === null ? notFound('attachment') : found(resourceRecord(tenant, resource))
}

/**
 * Takes an attachment's content as it arrives (200, D-32). Content of another length or hash than declared is refused
 * (400) and leaves the attachment pending; once it is ready, the same content is accepted again and other content
 * refused (409).
 */
export const putResourceContent = async (
  { db, clock }: GatewayContext,
  tenant: Tenant,
  resourceId: string,
  content: AsyncIterable<Uint8Array>,
): Promise<Found<Resource> | Refusal> => {
  const resource = await store.findResource(db, tenant, resourceId)
  if (resource === null) return notFound('attachment')
  if (resource.uploadId !== null) return answerAgain(tenant, resource, await digestContent(content))

  const upload = { appId: tenant.appId, uploadId: randomUUID() }
  await beginUpload(db, upload, clock.now())
  try {
    const received = await storeContent(db, upload, content, resource.size)
    const refusal = refuseContent(resource, received)
    if (refusal !== null) return refusal
    const ready = await store.makeReady(db, tenant, resourceId, upload.uploadId, received.sha256)
    if (ready !== null) return found(resourceRecord(tenant, ready))
    const current = await store.findResource(db, tenant, resourceId)
    return current === null ? notFound('attachment') : answerAgain(tenant, current, received)
  } finally {
    // An upload that became the content is not discarded. If discarding fails now, retention removes it later.
    await discardUpload(db, upload).catch(() => {})
  }
}

/** The answer for an attachment that is ready already. */
const answerAgain = (tenant: Tenant, resource: StoredResource, received: ReceivedContent): Found<Resource> | Refusal =>
  refuseOtherContent(resource, received) ?? found(resourceRecord(tenant, resource))

/** An attachment's byte stream and metadata. */
export interface ResourceDownload {
  readonly filename: string
  readonly contentType: string
  readonly size: number
  readonly content: AsyncIterable<Uint8Array>
}

/** The content as it was uploaded; a pending attachment has none (404). */
export const readResourceContent = async (
  { db }: GatewayContext,
  tenant: Tenant,
  resourceId: string,
): Promise<Found<ResourceDownload> | Refusal> => {
  const resource = await store.findResource(db, tenant, resourceId)
  if (resource === null) return notFound('attachment')
  const { filename, contentType, size, uploadId } = resource
  if (uploadId === null) return NO_CONTENT
  return found({ filename, contentType, size, content: readContent(db, { appId: tenant.appId, uploadId }, size) })
}

/** Deletes record and content (204); refused with BUSY (409) while a run that has not ended uses the attachment. */
export const deleteResource = (
  { db }: GatewayContext,
  tenant: Tenant,
  resourceId: string,
): Promise<Found<undefined> | Refusal> =>
  db.transaction(async (tx) => {
    if ((await store.lockResource(tx, tenant, resourceId)) === null) return notFound('attachment')
    if (await store.isInUse(tx, tenant.appId, resourceId)) return ATTACHMENT_IN_USE
    await store.deleteResource(tx, tenant.appId, resourceId)
    return found(undefined)
  })
