import type { Approval } from '@conversation-gateway/sdk/admin'
import { gateway, LIVE_MS } from '../data/gateway.ts'
import { useLiveList } from '../data/live-list.ts'
import { type Column, DataTable } from '../parts/data-table.tsx'
import { Identifier } from '../parts/identifier.tsx'
import { Page, Problem } from '../parts/page.tsx'
import { StatePill } from '../parts/state-pill.tsx'
import { Ago } from '../parts/time.tsx'
import { ToDecide } from './to-decide.tsx'

const idOf = (approval: Approval): string => approval.approval_id

export const Approvals = () => {
  const pending = useLiveList({
    key: 'pending',
    read: async (query, signal) =>
      (await gateway().approvals.list({ ...query, state: 'pending' }, { signal })).approvals,
    idOf,
    everyMs: LIVE_MS,
  })
  const all = useLiveList({
    key: 'all',
    read: async (query, signal) => (await gateway().approvals.list(query, { signal })).approvals,
    idOf,
    everyMs: LIVE_MS,
  })
  const decided = all.items.filter(({ state }) => state !== 'pending')
  const refresh = (): void => {
    pending.refresh()
    all.refresh()
  }
  return (
    <Page title="Approvals">
      <Problem text={pending.error} />
      <section aria-label="To decide">
        {pending.isLoaded && pending.items.length === 0 && (
          <p class="calm">Nothing is waiting for a decision. New requests appear here automatically.</p>
        )}
        <ToDecide approvals={pending.items} refresh={refresh} />
      </section>
      <section>
        <h2>Decided</h2>
        <DataTable
          label="Decided approvals"
          columns={DECIDED}
          rows={decided}
          keyOf={idOf}
          empty="No approval has been decided yet."
          isWhole={all.isWhole}
          onShown={all.onShown}
        />
      </section>
    </Page>
  )
}

const DECIDED: readonly Column<Approval>[] = [
  {
    title: 'Asked for',
    cell: ({ summary }) => <span title={summary}>{summary}</span>,
    below: ({ app_id }) => app_id,
    grow: 2.2,
  },
  { title: 'State', cell: ({ state }) => <StatePill state={state} />, grow: 1.2 },
  { title: 'Run', cell: ({ run_id }) => <Identifier id={run_id} href={`/runs/${run_id}`} />, only: 'wide', grow: 1.4 },
  { title: 'Application', cell: ({ app_id }) => app_id, only: 'wide' },
  { title: 'Decided', cell: ({ decided_at }) => decided_at && <Ago at={decided_at} />, grow: 1.2 },
]
