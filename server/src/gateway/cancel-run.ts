import { newId } from '@conversation-gateway/openapi/behaviour/ids'
import { operationRecord } from '@conversation-gateway/openapi/behaviour/records'
import type { Admitted, Refusal } from '@conversation-gateway/openapi/behaviour/refusal'
import { notFound } from '@conversation-gateway/openapi/behaviour/refusal'
import { cancelRun as cancel } from '@conversation-gateway/openapi/behaviour/stop-work'
import type { Tenant } from '@conversation-gateway/openapi/behaviour/tenant'
import type { Control } from '@conversation-gateway/openapi/generated/gateway-closed'
import { findRunPlace } from '../store/run-place.ts'
import type { IdempotentRequest } from '../writer/idempotency.ts'
import { workChange } from './change-work.ts'
import type { GatewayContext } from './context.ts'
import { writeOnce } from './idempotent.ts'

/** Cancels a run (202, D-20). The answer is an operation; its state tells whether the run has stopped. */
export const cancelRun = async (
  context: GatewayContext,
  tenant: Tenant,
  runId: string,
  request: IdempotentRequest,
): Promise<Admitted<Control> | Refusal> => {
  const place = await findRunPlace(context.db, tenant, runId)
  if (place === null) return notFound('run')
  const { conversationId } = place
  const change = workChange({ appId: tenant.appId, conversationId }, (draft): Admitted<Control> => {
    const operation = cancel(draft, runId, newId('op', draft.now))
    return { kind: 'admitted', status: 202, body: operationRecord({ ...operation, conversationId }), replayed: false }
  })
  return (await writeOnce(context, tenant, request, change)) ?? notFound('run')
}
