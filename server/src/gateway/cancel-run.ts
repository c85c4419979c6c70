import type { Draft } from '@conversation-gateway/openapi/behaviour/conversation-work'
import { newId } from '@conversation-gateway/openapi/behaviour/ids'
import type { Admitted, Refusal } from '@conversation-gateway/openapi/behaviour/refusal'
import { notFound } from '@conversation-gateway/openapi/behaviour/refusal'
import { cancelRun as cancel } from '@conversation-gateway/openapi/behaviour/stop-work'
import type { Tenant } from '@conversation-gateway/openapi/behaviour/tenant'
import type { Control } from '@conversation-gateway/openapi/generated/gateway-closed'
import { findConversationOfRun } from '../store/work.ts'
import { announceDraft, changeWork } from './change-work.ts'
import type { GatewayContext } from './context.ts'
import type { IdempotentRequest } from './idempotent.ts'
import { executeOnce, findReplay } from './idempotent.ts'
import { operationRecord } from './records.ts'

/** Cancels a run (202, D-20). The answer is an operation to be queried, whose state tells whether the run has stopped. */
export const cancelRun = async (
  context: GatewayContext,
  tenant: Tenant,
  runId: string,
  request: IdempotentRequest,
): Promise<Admitted<Control> | Refusal> => {
  const { db, clock } = context
  const conversationId = await findConversationOfRun(db, tenant, runId)
  if (conversationId === null) return notFound('run')
  let committed: Draft | undefined
  const outcome = await executeOnce<Control>(db, tenant, request, clock.now(), async (tx) => {
    const replay = await findReplay<Control>(tx, tenant, request)
    if (replay !== null) return replay
    const changed = await changeWork(context, tx, tenant.appId, conversationId, (draft) =>
      cancel(draft, runId, newId('op', draft.now)),
    )
    if (changed === null) return notFound('run')
    committed = changed.draft
    return { status: 202, body: operationRecord({ ...changed.result, conversationId }) }
  })
  if (committed !== undefined) announceDraft(context, committed)
  return outcome
}
