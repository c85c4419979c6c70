import type { ClientCheck } from '../../targets/client/client-context.ts'
import { activityChecks } from './activities.ts'
import { admissionChecks } from './admission.ts'
import { attachmentChecks } from './attachments.ts'
import { conflictChecks } from './conflicts.ts'
import { enumerationChecks } from './enumerations.ts'
import { followingChecks } from './following.ts'
import { idempotencyChecks } from './idempotency.ts'
import { identifierChecks } from './identifiers.ts'
import { operationChecks } from './operations.ts'
import { readingChecks } from './reading.ts'
import { replyChecks } from './replies.ts'
import { requestChecks } from './requests.ts'
import { retryAfterChecks } from './retry-after.ts'
import { runChecks } from './runs.ts'
import { streamChecks } from './streams.ts'
import { transportSecurityChecks } from './transport-security.ts'
import { webhookChecks } from './webhooks.ts'

/** All checks of a client of the gateway. */
export const clientChecks: readonly ClientCheck[] = [
  ...requestChecks,
  ...identifierChecks,
  ...transportSecurityChecks,
  ...idempotencyChecks,
  ...admissionChecks,
  ...attachmentChecks,
  ...conflictChecks,
  ...retryAfterChecks,
  ...enumerationChecks,
  ...readingChecks,
  ...runChecks,
  ...operationChecks,
  ...streamChecks,
  ...replyChecks,
  ...followingChecks,
  ...activityChecks,
  ...webhookChecks,
]
