import type { App } from '@conversation-gateway/sdk/admin'
import { gateway, SLOW_MS } from '../../data/gateway.ts'
import { useLiveList } from '../../data/live-list.ts'
import { ActionButton } from '../../parts/action-button.tsx'
import type { Column } from '../../parts/data-table.tsx'
import { formatLimit } from '../../parts/format.ts'
import { Identifier } from '../../parts/identifier.tsx'
import { LiveTable } from '../../parts/live-table.tsx'
import { Page } from '../../parts/page.tsx'
import { StatePill } from '../../parts/state-pill.tsx'
import { Ago } from '../../parts/time.tsx'
import { askToCreateApplication } from './create-application.ts'

export const Applications = () => {
  const list = useLiveList({
    key: 'apps',
    read: async (query, signal) => (await gateway().apps.list(query, { signal })).apps,
    idOf: (app) => app.app_id,
    everyMs: SLOW_MS,
  })
  return (
    <Page
      title="Applications"
      actions={
        <ActionButton operation="createApp" onClick={() => askToCreateApplication(list.refresh)}>
          New application
        </ActionButton>
      }
    >
      <LiveTable
        label="Applications"
        list={list}
        columns={COLUMNS}
        empty="No application yet. Create one with New application."
      />
    </Page>
  )
}

const COLUMNS: readonly Column<App>[] = [
  { title: 'Application', cell: ({ app_id }) => <Identifier id={app_id} href={`/apps/${app_id}`} whole />, grow: 1.6 },
  { title: 'Name', cell: ({ name }) => name ?? '–', only: 'wide', grow: 1.4 },
  { title: 'Owner', cell: ({ owner_id }) => owner_id, only: 'wide' },
  { title: 'State', cell: ({ state }) => <StatePill state={state} /> },
  {
    title: 'Pending',
    cell: ({ limits_in_force }) => formatLimit(limits_in_force.pending_limit),
    isNumber: true,
    only: 'wider',
  },
  {
    title: 'Requests/s',
    cell: ({ limits_in_force }) => formatLimit(limits_in_force.rate_limit_per_second),
    isNumber: true,
    only: 'wider',
  },
  {
    title: 'Streams',
    cell: ({ limits_in_force }) => formatLimit(limits_in_force.stream_limit),
    isNumber: true,
    only: 'wider',
  },
  { title: 'Created', cell: ({ created_at }) => <Ago at={created_at} /> },
]
