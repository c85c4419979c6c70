import { describeAttachmentFault } from '@conversation-gateway/openapi/behaviour/attachments'
import type { Found, Refusal } from '@conversation-gateway/openapi/behaviour/refusal'
import { found, refuse } from '@conversation-gateway/openapi/behaviour/refusal'
import { tooLarge } from '@conversation-gateway/openapi/behaviour/requests/refused-requests'
import { LIMITS } from '@conversation-gateway/openapi/generated/limits'
import type { RunResource } from '@conversation-gateway/openapi/generated/worker-closed'
import { asChunks, collectBytes } from '../../domain/collect-bytes.ts'
import type { StoredResource } from '../../store/resources.ts'
import type { SessionRun } from '../../store/worker-sessions.ts'
import type { DeviceIdentity } from '../access/device-gate.ts'
import type { GatewayContext } from '../context.ts'
import type { ResourceDownload } from '../resources.ts'
import { createRunAttachment, findRunAttachment, readRunAttachment } from '../run-attachments.ts'
import { resourceRecord } from './worker-records.ts'

/** The run that a session or a run token names, or why the caller cannot use it. */
export type FindRun = (
  device: DeviceIdentity,
  sessionId: string | undefined,
  runId: string,
) => Promise<SessionRun | Refusal>

interface RunResourcePlace {
  readonly runId: string
  /** The session of a worker; a run token needs none. */
  readonly sessionId: string | undefined
  readonly resourceId: string
}

const NO_RESOURCE = refuse('NOT_FOUND', 'There is no such attachment.')

/** A worker's access to attachments by the ID of its run. */
export const createRunResources = (context: GatewayContext, findRun: FindRun) => {
  const findResource = async (
    device: DeviceIdentity,
    place: RunResourcePlace,
  ): Promise<{ readonly run: SessionRun; readonly resource: StoredResource } | Refusal> => {
    const run = await findRun(device, place.sessionId, place.runId)
    if ('kind' in run) return run
    const resource = await findRunAttachment(context, run, place.resourceId)
    return resource === null ? NO_RESOURCE : { run, resource }
  }

  const readResource = async (
    device: DeviceIdentity,
    place: RunResourcePlace,
  ): Promise<Found<RunResource> | Refusal> => {
    const read = await findResource(device, place)
    return 'kind' in read ? read : found(resourceRecord(read.resource))
  }

  const readResourceContent = async (
    device: DeviceIdentity,
    place: RunResourcePlace,
  ): Promise<Found<ResourceDownload> | Refusal> => {
    const read = await findResource(device, place)
    if ('kind' in read) return read
    const { filename, contentType, size } = read.resource
    const content = await readRunAttachment(context, read.run, read.resource)
    return found({ filename, contentType, size, content: asChunks(content) })
  }

  const putResource = async (
    device: DeviceIdentity,
    place: RunResourcePlace & { readonly filename: string; readonly contentType: string },
    bytes: AsyncIterable<Uint8Array>,
  ): Promise<Found<RunResource> | Refusal> => {
    const run = await findRun(device, place.sessionId, place.runId)
    if ('kind' in run) return run
    const content = await collectBytes(bytes, LIMITS.attachmentBytes)
    if (content === null) return tooLarge(LIMITS.attachmentBytes)
    const { resourceId, filename, contentType } = place
    const fault = describeAttachmentFault({ filename, contentType, size: content.byteLength })
    if (fault !== null) return refuse('INVALID_REQUEST', `The attachment cannot be stored: ${fault}.`)
    await createRunAttachment(context, run, { resourceId, filename, contentType, content })
    const stored = await findRunAttachment(context, run, resourceId)
    return stored === null ? NO_RESOURCE : found(resourceRecord(stored))
  }

  return { readResource, readResourceContent, putResource }
}
