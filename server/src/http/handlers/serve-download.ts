import type { Found, Refusal } from '@conversation-gateway/openapi/behaviour/refusal'
import { attachmentDisposition } from '../../domain/content-disposition.ts'
import type { ResourceDownload } from '../../gateway/resources.ts'
import type { Download } from '../operation.ts'

/**
 * The bytes under their declared type. They are sent as an attachment, so that a browser only saves them. If a browser
 * displays them anyway, a sandbox policy blocks scripts and access to the origin.
 */
export const serveDownload = (outcome: Found<ResourceDownload> | Refusal): Download | Refusal => {
  if (outcome.kind === 'refused') return outcome
  const { filename, contentType, size, content } = outcome.body
  return {
    kind: 'download',
    headers: {
      'content-type': contentType,
      'content-length': String(size),
      'content-disposition': attachmentDisposition(filename),
      'content-security-policy': "default-src 'none'; sandbox",
    },
    content,
  }
}
