import { attachmentFaults } from '../behaviour/attachments.ts'
import type { Refusal } from '../behaviour/refusal.ts'
import { notFound, refuse } from '../behaviour/refusal.ts'
import type { CreateResource, MessageInput, Resource } from '../generated/gateway.ts'
import { LIMITS } from '../generated/limits.ts'
import type { Call } from './call.ts'
import type { Intention } from './idempotency.ts'
import { once } from './idempotency.ts'
import type { Outcome, RawAnswer } from './outcome.ts'
import { answer, refuseFaults } from './outcome.ts'
import type { GatewayState, StoredResource } from './state.ts'
import { isUnfinished, timestamp } from './state.ts'

/** Attachments in two steps: the record, then the bytes (D-32). */

export const createResource = (
  state: GatewayState,
  intention: Intention<CreateResource>,
): Outcome<Resource> | RawAnswer =>
  once(state, intention, () => {
    const { filename, content_type, size, sha256 = null } = intention.body
    const record: Resource = {
      resource_id: state.newId('res'),
      app_id: 'app_test',
      subject: intention.subject,
      filename,
      content_type,
      size,
      sha256,
      status: 'pending',
      created_at: timestamp(state),
    }
    state.resources.set(record.resource_id, { record, content: null })
    return answer(201, record)
  })

export const getResource = (state: GatewayState, call: Call): Outcome<Resource> => {
  const resource = findResource(state, call)
  return resource === undefined ? notFound('attachment') : answer(200, resource.record)
}

export const deleteResource = (state: GatewayState, call: Call): RawAnswer | Refusal => {
  const resource = findResource(state, call)
  if (resource === undefined) return notFound('attachment')
  const { resource_id } = resource.record
  const isUsed = [...state.conversations.values()].some(({ runs }) =>
    runs.some((run) => isUnfinished(run) && run.resourceIds.includes(resource_id)),
  )
  if (isUsed) return refuse('BUSY', 'An unfinished run uses the attachment.')
  state.resources.delete(resource_id)
  return { kind: 'raw', status: 204, content: null, headers: {} }
}

export const putResourceContent = async (state: GatewayState, call: Call): Promise<Outcome<Resource>> => {
  const { body } = call
  if (body.length > LIMITS.attachmentBytes)
    return refuse('PAYLOAD_TOO_LARGE', `The body may have at most ${LIMITS.attachmentBytes} bytes.`)
  const sha256 = await hash(body)
  const resource = findResource(state, call)
  if (resource === undefined) return notFound('attachment')
  const { record } = resource
  if (resource.content !== null)
    return record.sha256 === sha256
      ? answer(200, record)
      : refuse('IDEMPOTENCY_CONFLICT', 'The attachment is ready with other bytes.')
  if (body.length !== record.size)
    return refuseContent(`has ${body.length} bytes where the attachment declares ${record.size}`)
  if (record.sha256 !== null && record.sha256 !== sha256) return refuseContent('does not have the declared sha256')
  resource.content = body
  record.sha256 = sha256
  record.status = 'ready'
  return answer(200, record)
}

export const getResourceContent = (state: GatewayState, call: Call): RawAnswer | Refusal => {
  const resource = findResource(state, call)
  if (resource?.content == null) return notFound('content')
  const { filename, content_type } = resource.record
  return {
    kind: 'raw',
    status: 200,
    content: resource.content,
    headers: {
      'content-type': content_type,
      'content-disposition': `attachment; filename*=UTF-8''${encodeURIComponent(filename)}`,
      'x-content-type-options': 'nosniff',
    },
  }
}

/** The attachments of an input that cannot be used (D-33). */
export const refuseUnusable = (
  state: GatewayState,
  subject: string,
  { resource_ids = [] }: MessageInput,
): Refusal | null => {
  const known = [...state.resources.values()]
    .filter(({ record }) => record.subject === subject)
    .map(({ record }) => ({
      resourceId: record.resource_id,
      contentType: record.content_type,
      ready: record.status === 'ready',
    }))
  const faults = attachmentFaults(resource_ids, known, EVERY_TYPE)
  return faults.length === 0 ? null : refuseFaults(faults)
}

/** No service of the gateway in memory is particular. */
const EVERY_TYPE = ['*/*']

const findResource = (state: GatewayState, { subject, ids }: Call): StoredResource | undefined => {
  const resource = state.resources.get(ids.resource_id ?? '')
  return resource?.record.subject === subject ? resource : undefined
}

const refuseContent = (message: string): Refusal => refuseFaults([{ pointer: '', message }])

const hash = async (bytes: Uint8Array<ArrayBuffer>): Promise<string> =>
  Array.from(new Uint8Array(await crypto.subtle.digest('SHA-256', bytes)), (byte) =>
    byte.toString(16).padStart(2, '0'),
  ).join('')
