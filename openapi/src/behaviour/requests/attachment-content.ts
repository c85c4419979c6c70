import { LIMITS } from '../../../generated/limits.ts'
import type { Refusal } from '../refusal.ts'
import { refuse } from '../refusal.ts'

/** The received content. If it exceeds the limit, `size` is any number above the limit. */
export interface ReceivedContent {
  readonly size: number
  readonly sha256: string
}

/** The refusal of content for a pending attachment; null if it matches the declaration (D-32). */
export const refuseContent = (
  { size, sha256 }: { readonly size: number; readonly sha256: string | null },
  received: ReceivedContent,
): Refusal | null => {
  if (received.size > LIMITS.attachmentBytes) return TOO_LARGE
  if (received.size !== size) return differs('size', `${received.size} bytes were received, ${size} were declared`)
  if (sha256 !== null && received.sha256 !== sha256)
    return differs('sha256', `the content has the SHA-256 ${received.sha256}, declared was ${sha256}`)
  return null
}

/** The refusal of content for an attachment that is ready; null if it is the same content. */
export const refuseOtherContent = (
  resource: { readonly size: number; readonly sha256: string | null },
  received: ReceivedContent,
): Refusal | null => {
  if (received.size > LIMITS.attachmentBytes) return TOO_LARGE
  return received.size === resource.size && received.sha256 === resource.sha256 ? null : OTHER_CONTENT
}

const TOO_LARGE = refuse('PAYLOAD_TOO_LARGE', `An attachment has at most ${LIMITS.attachmentBytes} bytes.`)

const OTHER_CONTENT = refuse(
  'IDEMPOTENCY_CONFLICT',
  'The attachment is ready with other content; upload this as a new attachment.',
)

const differs = (pointer: string, message: string): Refusal =>
  refuse('INVALID_REQUEST', `The content is not what was declared: ${message}. The attachment is still pending.`, {
    faults: [{ pointer: '', message: `differs from the declared ${pointer}` }],
  })

/** The refusal to read the content of a pending attachment. */
export const NO_CONTENT: Refusal = refuse('NOT_FOUND', 'The attachment is pending: its content has not been uploaded.')

export const ATTACHMENT_IN_USE: Refusal = refuse(
  'BUSY',
  'A run that has not ended uses the attachment; delete it afterwards, or cancel the run.',
)
