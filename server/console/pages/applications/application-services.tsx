import type { Endpoint } from '@conversation-gateway/sdk/admin'
import { gateway, SLOW_MS } from '../../data/gateway.ts'
import { useLiveList } from '../../data/live-list.ts'
import { type Column, DataTable } from '../../parts/data-table.tsx'
import { Identifier } from '../../parts/identifier.tsx'
import { Problem } from '../../parts/page.tsx'
import { Ago } from '../../parts/time.tsx'

const idOf = (endpoint: Endpoint): string => endpoint.endpoint_id

/** What an application can call. */
export const ApplicationServices = ({ appId }: { appId: string }) => {
  const list = useLiveList({
    key: appId,
    read: async (query, signal) => (await gateway().endpoints.list(appId, query, { signal })).endpoints,
    idOf,
    everyMs: SLOW_MS,
  })
  return (
    <section>
      <h2>Services</h2>
      <Problem text={list.error} />
      <DataTable
        label="Services"
        columns={COLUMNS}
        rows={list.items}
        keyOf={idOf}
        empty={list.isLoaded ? 'No service is published for this application yet.' : 'Reading …'}
        isWhole={list.isWhole}
        onShown={list.onShown}
      />
    </section>
  )
}

const COLUMNS: readonly Column<Endpoint>[] = [
  { title: 'Service', cell: ({ endpoint_id }) => <Identifier id={endpoint_id} whole />, grow: 1.6 },
  { title: 'Assistant', cell: ({ assistant }) => assistant.type },
  { title: 'Device', cell: ({ device_id }) => device_id, only: 'wide' },
  { title: 'Version', cell: ({ binding_version }) => binding_version, isNumber: true, only: 'wide', grow: 0.6 },
  { title: 'Longest run', cell: ({ max_run_seconds }) => `${max_run_seconds} s`, isNumber: true, only: 'wide' },
  { title: 'Published', cell: ({ published_at }) => <Ago at={published_at} />, only: 'wide' },
]
