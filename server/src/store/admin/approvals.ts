import type { ApprovalState } from '../approvals.ts'
import type { Queryable, Statement, Tx } from '../db.ts'

export interface StoredApproval {
  readonly approvalId: string
  readonly appId: string
  readonly conversationId: string
  readonly runId: string
  readonly summary: string
  readonly state: ApprovalState
  readonly createdAt: Date
  readonly decidedAt: Date | null
}

export const APPROVAL_COLUMNS = `approval_id as "approvalId", app_id as "appId", conversation_id as "conversationId", run_id as "runId",
  summary, state, created_at as "createdAt", decided_at as "decidedAt"`

const FIND: Statement = {
  name: 'find_approval',
  access: 'read',
  text: `select ${APPROVAL_COLUMNS} from approvals where approval_id = $1`,
}

export const findApproval = async (db: Queryable, approvalId: string): Promise<StoredApproval | null> =>
  (await db.query<StoredApproval>(FIND, [approvalId]))[0] ?? null

const LIST: Statement = {
  name: 'list_approvals',
  access: 'read',
  text: `select ${APPROVAL_COLUMNS} from approvals
    where ($1::text is null or app_id = $1) and ($2::text is null or state = $2)
      and ($3::text is null or approval_id < $3)
    order by approval_id desc limit $4`,
}

export interface ApprovalFilter {
  readonly appId: string | null
  readonly state: ApprovalState | null
}

/** Approvals that were requested before the approval `before`, newest first. */
export const listApprovals = (
  db: Queryable,
  filter: ApprovalFilter,
  before: string | null,
  limit: number,
): Promise<StoredApproval[]> => db.query<StoredApproval>(LIST, [filter.appId, filter.state, before, limit])

// Ending a run withdraws its approval while holding the conversation's lock, so use the same lock order here.
const LOCK_CONVERSATION: Statement = {
  name: 'lock_conversation_of_approval',
  access: 'write',
  text: 'select 1 from conversations where app_id = $1 and conversation_id = $2 for update',
}

const DECIDE: Statement = {
  name: 'decide_approval',
  access: 'write',
  text: `update approvals set state = $3, decided_at = $4
    where app_id = $1 and approval_id = $2 and state = 'pending' returning ${APPROVAL_COLUMNS}`,
}

/** Records a decision and keeps the conversation locked. Null if the approval is no longer pending. */
export const decideApproval = async (
  tx: Tx,
  { appId, conversationId, approvalId }: StoredApproval,
  state: 'approved' | 'denied',
  now: Date,
): Promise<StoredApproval | null> => {
  await tx.query(LOCK_CONVERSATION, [appId, conversationId])
  return (await tx.query<StoredApproval>(DECIDE, [appId, approvalId, state, now]))[0] ?? null
}
