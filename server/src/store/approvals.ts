import type { Queryable, Statement } from './db.ts'

/** `withdrawn`: the run ended before a decision. */
export type ApprovalState = 'pending' | 'approved' | 'denied' | 'withdrawn'

export interface ApprovalRef {
  readonly appId: string
  readonly approvalId: string
}

export interface StoredApproval extends ApprovalRef {
  readonly state: ApprovalState
}

const FIND: Statement = {
  name: 'find_approvals',
  access: 'read',
  text: `
select a.app_id as "appId", a.approval_id as "approvalId", a.state
from approvals a
join json_to_recordset($1::json) as wanted(app_id text, approval_id text)
  on a.app_id = wanted.app_id and a.approval_id = wanted.approval_id`,
}

/** The states of approvals; unknown ones are missing from the answer. */
export const findApprovals = (db: Queryable, approvals: readonly ApprovalRef[]): Promise<StoredApproval[]> =>
  db.query<StoredApproval>(FIND, [
    JSON.stringify(approvals.map(({ appId, approvalId }) => ({ app_id: appId, approval_id: approvalId }))),
  ])
