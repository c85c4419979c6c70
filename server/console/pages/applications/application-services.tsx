import type { Endpoint } from '@conversation-gateway/sdk/admin'
import { gateway, SLOW_MS } from '../../data/gateway.ts'
import { useLiveList } from '../../data/live-list.ts'
import { ActionButton } from '../../parts/action-button.tsx'
import type { Column } from '../../parts/data-table.tsx'
import { formatDuration } from '../../parts/format.ts'
import { Identifier } from '../../parts/identifier.tsx'
import { LiveTable } from '../../parts/live-table.tsx'
import { Ago } from '../../parts/time.tsx'
import { askToRotateSecret } from '../rotate-secret.ts'
import { askToCreateService } from './create-service.ts'

/** The services that an application can call. */
export const ApplicationServices = ({ appId }: { appId: string }) => {
  const list = useLiveList({
    key: appId,
    read: async (query, signal) => (await gateway().endpoints.list(appId, query, { signal })).endpoints,
    idOf: (endpoint) => endpoint.endpoint_id,
    everyMs: SLOW_MS,
  })
  const columns: readonly Column<Endpoint>[] = [
    ...COLUMNS,
    {
      title: 'Actions',
      cell: (endpoint) =>
        endpoint.assistant.type === 'http' && (
          <ActionButton
            operation="rotateEndpointSecret"
            class="small"
            label={`Rotate secret of service ${endpoint.endpoint_id}`}
            onClick={() => askToRotate(endpoint, list.refresh)}
          >
            Rotate secret
          </ActionButton>
        ),
      grow: 1.5,
    },
  ]
  return (
    <section>
      <header class="section-head">
        <h2>Services</h2>
        <ActionButton operation="createEndpoint" onClick={() => askToCreateService(appId, list.refresh)}>
          New service
        </ActionButton>
      </header>
      <LiveTable
        label="Services"
        list={list}
        columns={columns}
        empty="It has no service yet, so it cannot start runs. Create one with New service."
      />
    </section>
  )
}

const COLUMNS: readonly Column<Endpoint>[] = [
  { title: 'Service', cell: ({ endpoint_id }) => <Identifier id={endpoint_id} whole />, grow: 1.6 },
  {
    title: 'Assistant',
    cell: ({ assistant }) => (
      <span title={assistant.type === 'http' ? assistant.url : assistant.type}>{assistant.type}</span>
    ),
  },
  { title: 'Device', cell: ({ device_id }) => device_id, only: 'wide' },
  { title: 'Version', cell: ({ binding_version }) => binding_version, isNumber: true, only: 'wide', grow: 0.6 },
  {
    title: 'Longest run',
    cell: ({ max_run_seconds }) => formatDuration(1000 * max_run_seconds),
    isNumber: true,
    only: 'wide',
  },
  { title: 'Published', cell: ({ published_at }) => <Ago at={published_at} />, only: 'wide' },
]

const askToRotate = ({ app_id, endpoint_id }: Endpoint, refresh: () => void): void =>
  askToRotateSecret(
    {
      noun: 'service',
      id: endpoint_id,
      overlap:
        'For one hour runs are still signed with the old secret, so that the assistant can learn the new one first.',
      rotate: (overlap) => gateway().endpoints.rotateSecret(app_id, endpoint_id, overlap),
    },
    refresh,
  )
