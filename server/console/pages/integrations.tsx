import type { Callback, Webhook } from '@conversation-gateway/sdk/admin'
import { gateway, SLOW_MS } from '../data/gateway.ts'
import { useLiveList } from '../data/live-list.ts'
import { ActionButton } from '../parts/action-button.tsx'
import type { Column } from '../parts/data-table.tsx'
import { Identifier } from '../parts/identifier.tsx'
import { LiveTable } from '../parts/live-table.tsx'
import { Page } from '../parts/page.tsx'
import { StatePill } from '../parts/state-pill.tsx'
import { askToCreateCallback } from './create-callback.ts'
import { INTEGRATIONS, type Integration, rotateSecret, switchIntegration } from './integration-switches.ts'

/** The callbacks that send events, and the webhooks that receive them. */
export const Integrations = () => {
  const callbacks = useLiveList({
    key: 'callbacks',
    read: async (query, signal) => (await gateway().callbacks.list(query, { signal })).callbacks,
    idOf: (callback) => callback.callback_id,
    everyMs: SLOW_MS,
  })
  const webhooks = useLiveList({
    key: 'webhooks',
    read: async (query, signal) => (await gateway().webhooks.list(query, { signal })).webhooks,
    idOf: (webhook) => webhook.integration_id,
    everyMs: SLOW_MS,
  })
  return (
    <Page title="Integrations">
      <section>
        <header class="section-head">
          <h2>Callbacks</h2>
          <ActionButton operation="createCallback" onClick={() => askToCreateCallback(callbacks.refresh)}>
            New callback
          </ActionButton>
        </header>
        <LiveTable
          label="Callbacks"
          list={callbacks}
          columns={[
            ...CALLBACK_COLUMNS,
            switchColumn<Callback>(
              ({ callback_id: id, enabled }) => ({ kind: 'callback', id, enabled }),
              callbacks.refresh,
            ),
          ]}
          empty="No callback yet. Create one with New callback."
        />
      </section>
      <section>
        <h2>Webhooks</h2>
        <LiveTable
          label="Webhooks"
          list={webhooks}
          columns={[
            ...WEBHOOK_COLUMNS,
            switchColumn<Webhook>(
              ({ integration_id: id, enabled }) => ({ kind: 'webhook', id, enabled }),
              webhooks.refresh,
            ),
          ]}
          empty="No webhook yet. Create one on the command line: admin webhooks create."
        />
      </section>
    </Page>
  )
}

const CALLBACK_COLUMNS: readonly Column<Callback>[] = [
  {
    title: 'Callback',
    cell: ({ callback_id }) => <Identifier id={callback_id} href={`/deliveries?callback_id=${callback_id}`} />,
    below: ({ app_id }) => app_id,
    grow: 1.5,
  },
  { title: 'State', cell: ({ enabled }) => <StatePill state={enabled ? 'enabled' : 'disabled'} /> },
  { title: 'Receiver', cell: ({ url }) => <span title={url}>{url}</span>, only: 'wide', grow: 2.4 },
  { title: 'Application', cell: ({ app_id }) => app_id, only: 'wide' },
  {
    title: 'Events',
    cell: ({ events }) => <span title={events.join(', ')}>{events.length}</span>,
    isNumber: true,
    only: 'wider',
    grow: 0.6,
  },
  { title: 'Version', cell: ({ version }) => version, isNumber: true, only: 'wider', grow: 0.6 },
]

const WEBHOOK_COLUMNS: readonly Column<Webhook>[] = [
  {
    title: 'Webhook',
    cell: ({ integration_id }) => <Identifier id={integration_id} />,
    below: ({ app_id }) => app_id,
    grow: 1.5,
  },
  { title: 'State', cell: ({ enabled }) => <StatePill state={enabled ? 'enabled' : 'disabled'} /> },
  { title: 'Action', cell: ({ action }) => action, only: 'wide' },
  { title: 'Application', cell: ({ app_id }) => app_id, only: 'wide' },
  { title: 'Service', cell: ({ endpoint_id }) => endpoint_id, only: 'wide' },
  { title: 'Subject', cell: ({ subject }) => subject, only: 'wider' },
]

const switchColumn = <Row,>(read: (row: Row) => Integration, refresh: () => void): Column<Row> => ({
  title: 'Actions',
  cell: (row) => {
    const integration = read(row)
    const { enabled, id, kind } = integration
    const action = enabled ? 'Disable' : 'Enable'
    return (
      <span class="row-actions">
        <ActionButton
          operation={INTEGRATIONS[kind].updating}
          class="small"
          label={`${action} ${id}`}
          onClick={() => switchIntegration(integration, refresh)}
        >
          {action}
        </ActionButton>
        <ActionButton
          operation={INTEGRATIONS[kind].rotatingOperation}
          class="small"
          label={`Rotate the secret of ${kind} ${id}`}
          onClick={() => rotateSecret(integration, refresh)}
        >
          Rotate
        </ActionButton>
      </span>
    )
  },
  grow: 1.6,
})
