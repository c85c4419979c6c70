import type { Draft } from '@conversation-gateway/openapi/behaviour/conversation-work'
import { newId } from '@conversation-gateway/openapi/behaviour/ids'
import type { Admitted, Refusal } from '@conversation-gateway/openapi/behaviour/refusal'
import { notFound, refuse } from '@conversation-gateway/openapi/behaviour/refusal'
import { resetConversation as reset } from '@conversation-gateway/openapi/behaviour/stop-work'
import type { Tenant } from '@conversation-gateway/openapi/behaviour/tenant'
import type { Control, ResetConversation } from '@conversation-gateway/openapi/generated/gateway-closed'
import { findConversationPlace } from '../store/conversations.ts'
import { announceDraft, changeWork } from './change-work.ts'
import type { GatewayContext } from './context.ts'
import type { IdempotentRequest } from './idempotent.ts'
import { executeOnce, findReplay } from './idempotent.ts'
import { operationRecord } from './records.ts'

/** Resets a conversation (202, D-21). The generation advances when the operation succeeds. */
export const resetConversation = async (
  context: GatewayContext,
  tenant: Tenant,
  conversationId: string,
  request: IdempotentRequest,
  body: ResetConversation,
): Promise<Admitted<Control> | Refusal> => {
  const { db, clock } = context
  if ((await findConversationPlace(db, tenant, conversationId)) === null) return notFound('conversation')
  let committed: Draft | undefined
  const outcome = await executeOnce<Control>(db, tenant, request, clock.now(), async (tx) => {
    const replay = await findReplay<Control>(tx, tenant, request)
    if (replay !== null) return replay
    const changed = await changeWork(context, tx, tenant.appId, conversationId, (draft) => {
      const { generation } = draft.work
      if (generation !== body.expected_generation)
        return refuse(
          'GENERATION_CONFLICT',
          `expected_generation is ${body.expected_generation}, the conversation is at ${generation}. Reload the snapshot.`,
        )
      return reset(draft, body.busy_policy ?? 'reject', newId('op', draft.now))
    })
    if (changed === null) return notFound('conversation')
    if ('kind' in changed.result && changed.result.kind === 'refused') return changed.result
    committed = changed.draft
    return { status: 202, body: operationRecord({ ...changed.result, conversationId }) }
  })
  if (outcome.kind === 'admitted' && committed !== undefined) announceDraft(context, committed)
  return outcome
}
