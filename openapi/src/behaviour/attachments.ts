import { LIMITS } from '../../generated/limits.ts'
import type { Fault } from './refusal.ts'

/** A media type without its parameters, in lower case. */
export const mediaTypeOf = (contentType: string): string => contentType.split(';', 1)[0]?.trim().toLowerCase() ?? ''

/** Whether one of the media ranges, such as `text/plain` or `text/*`, includes the content type. */
export const acceptsType = (ranges: readonly string[], contentType: string): boolean => {
  const mediaType = mediaTypeOf(contentType)
  return ranges.some((range) => {
    const wanted = range.toLowerCase()
    if (wanted === '*/*' || wanted === mediaType) return true
    return wanted.endsWith('/*') && mediaType.startsWith(wanted.slice(0, -1))
  })
}

const FILENAME = /^[^/\\\p{Cc}]{1,255}$/u
const CONTENT_TYPE =
  /^[!#$%&'*+.^_`|~0-9A-Za-z-]+\/[!#$%&'*+.^_`|~0-9A-Za-z-]+(?: *; *[!#$%&'*+.^_`|~0-9A-Za-z-]+=(?:[!#$%&'*+.^_`|~0-9A-Za-z-]+|"[ !#-[\]-~]*"))*$/

/** The fault of an attachment that an assistant creates, as text; null if it is valid. */
export const describeAttachmentFault = (attachment: {
  readonly filename: string
  readonly contentType: string
  readonly size: number
}): string | null => {
  const { filename, contentType, size } = attachment
  if (!FILENAME.test(filename) || !filename.isWellFormed())
    return 'the file name must have 1 to 255 characters, none of them a path separator or a control character'
  if (contentType.length > 255 || !CONTENT_TYPE.test(contentType))
    return 'the content type must be a media type such as text/plain'
  if (size < 1 || size > LIMITS.attachmentBytes) return `the content must have 1 to ${LIMITS.attachmentBytes} bytes`
  return null
}

/** An attachment of the tenant, as far as its use in an input depends on it. */
export interface KnownAttachment {
  readonly resourceId: string
  readonly contentType: string
  readonly ready: boolean
}

/**
 * The faults of an input's attachments, each with its location (D-33). An unknown ID and one of another owner give the
 * same fault.
 */
export const attachmentFaults = (
  resourceIds: readonly string[],
  known: readonly KnownAttachment[],
  accepts: readonly string[],
): Fault[] =>
  resourceIds.flatMap((resourceId, index) => {
    const message = faultOf(
      known.find((attachment) => attachment.resourceId === resourceId),
      accepts,
    )
    return message === null ? [] : [{ pointer: `/input/resource_ids/${index}`, message }]
  })

const faultOf = (attachment: KnownAttachment | undefined, accepts: readonly string[]): string | null => {
  if (attachment === undefined) return 'is not an attachment of this application and subject'
  if (!attachment.ready) return 'is not ready: its content has not been uploaded'
  if (acceptsType(accepts, attachment.contentType)) return null
  const accepted = accepts.length === 0 ? 'no attachments' : accepts.join(', ')
  return `is ${mediaTypeOf(attachment.contentType)}; the service accepts ${accepted}`
}
