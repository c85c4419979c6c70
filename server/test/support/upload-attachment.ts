import type { Resource } from '@conversation-gateway/openapi/generated/gateway-closed'
import type { Client } from './client.ts'

/** Uploads an attachment, and returns its ID. */
export const uploadAttachment = async (
  client: Client,
  { filename = 'notes.txt', contentType = 'text/plain', content = 'hello' } = {},
): Promise<string> => {
  const declared = { filename, content_type: contentType, size: Buffer.byteLength(content) }
  const { status, body } = await client.post<Resource>('/api/v1/resources', declared)
  if (status !== 201) throw new Error(`${status} ${JSON.stringify(body)}`)
  await client.request('PUT', `/api/v1/resources/${body.resource_id}/content`, { rawBody: content })
  return body.resource_id
}
