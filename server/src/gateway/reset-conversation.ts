import { newId } from '@conversation-gateway/openapi/behaviour/ids'
import { operationRecord } from '@conversation-gateway/openapi/behaviour/records'
import type { Admitted, Refusal } from '@conversation-gateway/openapi/behaviour/refusal'
import { generationConflict, notFound } from '@conversation-gateway/openapi/behaviour/refusal'
import { resetConversation as reset } from '@conversation-gateway/openapi/behaviour/stop-work'
import type { Tenant } from '@conversation-gateway/openapi/behaviour/tenant'
import type { Control, ResetConversation } from '@conversation-gateway/openapi/generated/gateway-closed'
import type { IdempotentRequest } from '../writer/idempotency.ts'
import { workChange } from './change-work.ts'
import type { GatewayContext } from './context.ts'
import { writeOnce } from './idempotent.ts'

/** Resets a conversation (202, D-21). The generation advances when the operation succeeds. */
export const resetConversation = async (
  context: GatewayContext,
  tenant: Tenant,
  conversationId: string,
  request: IdempotentRequest,
  body: ResetConversation,
): Promise<Admitted<Control> | Refusal> => {
  const key = { appId: tenant.appId, conversationId }
  const change = workChange(key, (draft): Admitted<Control> | Refusal => {
    const { generation } = draft.work
    if (generation !== body.expected_generation) return generationConflict(body.expected_generation, generation)
    const operation = reset(draft, body.busy_policy ?? 'reject', newId('op', draft.now))
    if ('kind' in operation && operation.kind === 'refused') return operation
    return { kind: 'admitted', status: 202, body: operationRecord({ ...operation, conversationId }), replayed: false }
  })
  return (await writeOnce(context, tenant, request, change)) ?? notFound('conversation')
}
