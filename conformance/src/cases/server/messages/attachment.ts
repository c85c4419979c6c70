import type { Caller } from '../../../targets/server/caller.ts'
import type { ServerContext } from '../../../targets/server/context.ts'
import { expectStatus } from '../../../targets/server/expectations.ts'

const CONTENT = 'attached'

/** Declares an attachment, without its content (D-32). In the profile `core` another way of uploading is untestable. */
export async function declareAttachment(t: ServerContext, by: Caller, contentType = 'text/plain'): Promise<string> {
  const declared = await by.createResource({
    filename: 'notes.txt',
    content_type: contentType,
    size: Buffer.byteLength(CONTENT),
  })
  if (declared.status !== 201 && t.profile === 'core')
    t.untestable('attachments are uploaded in a way of its own, which the specification leaves open')
  return expectStatus(declared, 201).body.resource_id
}

/** A ready attachment. */
export async function uploadAttachment(t: ServerContext, by: Caller, contentType = 'text/plain'): Promise<string> {
  const id = await declareAttachment(t, by, contentType)
  const headers = { 'content-type': contentType }
  expectStatus(await by.request('PUT', `/resources/${id}/content`, { body: CONTENT, headers }), 200)
  return id
}
