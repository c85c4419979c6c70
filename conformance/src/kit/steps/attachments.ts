import type { Resource } from '#openapi/generated/gateway'
import type { Caller } from '../server/caller.ts'
import type { ServerContext } from '../server/context.ts'
import { expectStatus } from '../server/expectations.ts'
import type { Answer } from '../server/wire.ts'

export const HELLO = 'hello'
/** SHA-256 of `HELLO`. */
export const HELLO_SHA256 = '2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824'

export const declaration = (more: Readonly<Record<string, unknown>> = {}) => ({
  filename: 'notes.txt',
  content_type: 'text/plain',
  size: HELLO.length,
  ...more,
})

/**
 * Declares an attachment. The specification does not define the route (D-32 does). In `core`, any answer but 201 makes
 * the check untestable.
 */
export async function declare(
  t: ServerContext,
  more: Readonly<Record<string, unknown>> = {},
  caller: Caller = t.me,
): Promise<Resource> {
  const answer = await caller.createResource(declaration(more))
  if (t.profile === 'core' && answer.status !== 201)
    t.untestable('attachments are not uploaded at /api/v1/resources (the specification does not show where)')
  return expectStatus(answer, 201).body
}

export const putContent = (caller: Caller, resourceId: string, bytes: string | Uint8Array): Promise<Answer<Resource>> =>
  caller.request<Resource>('PUT', `/resources/${resourceId}/content`, {
    body: bytes,
    headers: { 'content-type': 'application/octet-stream' },
  })

/** Declares an attachment and uploads its content. */
export async function upload(
  t: ServerContext,
  more: Readonly<Record<string, unknown>> = {},
  caller: Caller = t.me,
): Promise<Resource> {
  const { resource_id } = await declare(t, more, caller)
  return expectStatus(await putContent(caller, resource_id, HELLO), 200).body
}
