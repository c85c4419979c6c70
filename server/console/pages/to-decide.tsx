import type { Approval } from '@conversation-gateway/sdk/admin'
import { gateway } from '../data/gateway.ts'
import { ActionButton } from '../parts/action-button.tsx'
import { confirm } from '../parts/dialogs.tsx'
import { Identifier } from '../parts/identifier.tsx'
import { Ago } from '../parts/time.tsx'

/** Approvals that wait for a decision, with buttons to decide. */
export const ToDecide = ({ approvals, refresh }: { approvals: readonly Approval[]; refresh: () => void }) =>
  approvals.length === 0 ? null : (
    <ul class="approvals">
      {approvals.map((approval) => (
        <li key={approval.approval_id}>
          <div>
            <p class="summary">{approval.summary}</p>
            <p class="muted small">
              asked <Ago at={approval.created_at} /> · {approval.app_id} · run{' '}
              <Identifier id={approval.run_id} href={`/runs/${approval.run_id}`} />
            </p>
          </div>
          <div class="actions">
            <ActionButton operation="decideApproval" onClick={() => askToDecide(approval, 'deny', refresh)}>
              Deny
            </ActionButton>
            <ActionButton
              operation="decideApproval"
              class="primary"
              onClick={() => askToDecide(approval, 'approve', refresh)}
            >
              Approve
            </ActionButton>
          </div>
        </li>
      ))}
    </ul>
  )

const askToDecide = (approval: Approval, decision: 'approve' | 'deny', refresh: () => void): void =>
  confirm({
    title: decision === 'approve' ? 'Approve this?' : 'Deny this?',
    consequences: [
      `“${approval.summary}”`,
      decision === 'approve'
        ? 'The run resumes at once and does what it asked for.'
        : 'The run fails with the code APPROVAL_DENIED, which its application sees.',
      'A decision cannot be taken back.',
    ],
    action: decision === 'approve' ? 'Approve' : 'Deny',
    isDangerous: decision === 'deny',
    run: async () => {
      await gateway().approvals.decide(approval.approval_id, { decision })
      refresh()
    },
    done: decision === 'approve' ? 'Approved.' : 'Denied.',
  })
