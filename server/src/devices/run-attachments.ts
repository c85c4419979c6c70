import { describeAttachmentFault } from '@conversation-gateway/openapi/behaviour/attachments'
import { newId } from '@conversation-gateway/openapi/behaviour/ids'
import type { AssistantRequest } from '../assistants/assistant.ts'
import type { ClaimedRun } from '../store/claims.ts'
import type { ExecutionPort } from './execution-port.ts'
import type { Persist } from './persist.ts'

/** What an assistant can do with attachments, over a database that may be away for a while. `lost` ends the waiting. */
export const createRunAttachments = (
  run: ClaimedRun,
  port: ExecutionPort,
  persist: Persist,
  lost: AbortSignal,
): Pick<AssistantRequest, 'readResource' | 'createResource'> => ({
  readResource: async (resourceId) => {
    const resource = await persist(lost, () => port.findAttachment(run, resourceId))
    if (resource === undefined || resource === null) return null
    const { filename, contentType, size } = resource
    return {
      filename,
      contentType,
      size,
      readContent: async () => (await persist(lost, () => port.readAttachment(run, resource))) ?? NOTHING,
    }
  },
  createResource: async ({ filename, contentType, content }) => {
    const fault = describeAttachmentFault({ filename, contentType, size: content.byteLength })
    if (fault !== null) throw new RangeError(`The attachment cannot be stored: ${fault}.`)
    const resourceId = newId('res')
    await persist(lost, () => port.createAttachment(run, { resourceId, filename, contentType, content }))
    return resourceId
  },
})

/** Of a lost run nothing is kept, so it does not matter what it reads. */
const NOTHING = new Uint8Array()
