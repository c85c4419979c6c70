import { attachmentFaults } from '../../../openapi/src/behaviour/attachments.ts'
import { resourceRecord } from '../../../openapi/src/behaviour/records.ts'
import { notFound, type Refusal } from '../../../openapi/src/behaviour/refusal.ts'
import {
  ATTACHMENT_IN_USE,
  NO_CONTENT,
  refuseContent,
  refuseOtherContent,
} from '../../../openapi/src/behaviour/requests/attachment-content.ts'
import { refuseFaults } from '../../../openapi/src/behaviour/requests/refused-requests.ts'
import type { MessageInput } from '../generated/gateway.ts'
import { sha256Hex } from '../signature/sign.ts'
import type { Handler, TestedRequest } from './handler.ts'
import { once } from './idempotency.ts'
import { answer, raw } from './respond.ts'
import { type GatewayState, isUnfinished, type StoredResource } from './state.ts'

/** Attachments in two steps: the record, then the bytes (D-32). */

export const createResource: Handler<'createResource'> = (state, request) =>
  once(state, request, () => {
    const { filename, content_type: contentType, size, sha256 = null } = request.body
    const resource: StoredResource = {
      resourceId: state.newId('res'),
      appId: 'app_test',
      subject: request.subject,
      filename,
      contentType,
      size,
      sha256,
      uploadId: null,
      createdAt: state.now(),
      content: null,
    }
    state.resources.set(resource.resourceId, resource)
    return shown(201, resource)
  })

export const getResource: Handler<'getResource'> = (state, request) => {
  const resource = findResource(state, request)
  return resource === undefined ? notFound('attachment') : shown(200, resource)
}

export const deleteResource: Handler<'deleteResource'> = (state, request) => {
  const resource = findResource(state, request)
  if (resource === undefined) return notFound('attachment')
  const { resourceId } = resource
  const isUsed = [...state.conversations.values()].some(({ runs }) =>
    runs.some((run) => isUnfinished(run) && run.resourceIds.includes(resourceId)),
  )
  if (isUsed) return ATTACHMENT_IN_USE
  state.resources.delete(resourceId)
  return raw(204, null)
}

export const putResourceContent: Handler<'putResourceContent'> = async (state, request) => {
  const { bytes } = request
  const received = { size: bytes.length, sha256: await sha256Hex(bytes) }
  const resource = findResource(state, request)
  if (resource === undefined) return notFound('attachment')
  if (resource.content !== null) return refuseOtherContent(resource, received) ?? shown(200, resource)
  const refusal = refuseContent(resource, received)
  if (refusal !== null) return refusal
  Object.assign(resource, { content: bytes, sha256: received.sha256, uploadId: resource.resourceId })
  return shown(200, resource)
}

export const getResourceContent: Handler<'getResourceContent'> = (state, request) => {
  const resource = findResource(state, request)
  if (resource === undefined) return notFound('attachment')
  const { content, contentType, filename } = resource
  if (content === null) return NO_CONTENT
  return raw(200, content, {
    'content-type': contentType,
    'content-disposition': `attachment; filename*=UTF-8''${encodeURIComponent(filename)}`,
    'x-content-type-options': 'nosniff',
  })
}

/** Refuses an input whose attachments cannot be used (D-33); null if all can. */
export const refuseUnusable = (
  state: GatewayState,
  subject: string,
  { resource_ids = [] }: MessageInput,
): Refusal | null => {
  const own = [...state.resources.values()].filter((resource) => resource.subject === subject)
  const known = own.map((resource) => ({ ...resource, ready: resource.content !== null }))
  const faults = attachmentFaults(resource_ids, known, EVERY_TYPE)
  return faults.length === 0 ? null : refuseFaults({ faults })
}

/** Services of the in-memory gateway accept every type. */
const EVERY_TYPE = ['*/*']

const findResource = (
  state: GatewayState,
  { subject, ids }: Pick<TestedRequest<'getResource'>, 'subject' | 'ids'>,
): StoredResource | undefined => {
  const resource = state.resources.get(ids.resource_id)
  return resource?.subject === subject ? resource : undefined
}

const shown = (status: number, resource: StoredResource) => answer(status, resourceRecord(resource, resource))
