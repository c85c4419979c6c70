import type { Mutant } from '../mutant.ts'
import { accessMutants } from './access.ts'
import { admissionMutants } from './admission.ts'
import { attachmentMutants } from './attachments.ts'
import { bodyMutants } from './bodies.ts'
import { callbackMutants } from './callbacks.ts'
import { controlMutants } from './control.ts'
import { conversationMutants } from './conversations.ts'
import { decisionMutants } from './decisions.ts'
import { deliveryMutants } from './deliveries.ts'
import { erasureMutants } from './erasures.ts'
import { eventMutants } from './events.ts'
import { fairnessMutants } from './fairness.ts'
import { generalMutants } from './general.ts'
import { historyMutants } from './history.ts'
import { idempotencyMutants } from './idempotency.ts'
import { integrationMutants } from './integrations.ts'
import { messageMutants } from './messages.ts'
import { operationMutants } from './operations.ts'
import { recordMutants } from './records.ts'
import { runMutants } from './runs.ts'
import { secretMutants } from './secrets.ts'
import { streamMutants } from './streams.ts'
import { structuredMutants } from './structured.ts'
import { tenancyMutants } from './tenancy.ts'
import { webhookMutants } from './webhooks.ts'

/** Faults of the reference gateway. */
export const serverMutants: readonly Mutant[] = [
  ...structuredMutants,
  ...tenancyMutants,
  ...accessMutants,
  ...idempotencyMutants,
  ...bodyMutants,
  ...admissionMutants,
  ...controlMutants,
  ...eventMutants,
  ...recordMutants,
  ...attachmentMutants,
  ...webhookMutants,
  ...callbackMutants,
  ...secretMutants,
  ...fairnessMutants,
  ...erasureMutants,
  ...generalMutants,
  ...conversationMutants,
  ...messageMutants,
  ...runMutants,
  ...historyMutants,
  ...streamMutants,
  ...operationMutants,
  ...integrationMutants,
  ...deliveryMutants,
  ...decisionMutants,
]
