import type { Delivery } from '@conversation-gateway/sdk/admin'
import { gateway, LIVE_MS } from '../../data/gateway.ts'
import { useLiveList } from '../../data/live-list.ts'
import { may } from '../../data/permissions.ts'
import type { Column } from '../../parts/data-table.tsx'
import { Choice, FilterBar, suggestFrom, useFilters, Word } from '../../parts/filters.tsx'
import { Identifier } from '../../parts/identifier.tsx'
import { LiveTable } from '../../parts/live-table.tsx'
import { Page } from '../../parts/page.tsx'
import { StatePill } from '../../parts/state-pill.tsx'
import { Ago, Ahead } from '../../parts/time.tsx'
import { type Narrowed, RetryMany } from './retry-many.tsx'

const STATES = ['pending', 'sending', 'delivered', 'needs_action', 'expired', 'cancelled_config_changed'] as const
const isState = (value: string | undefined): value is (typeof STATES)[number] => STATES.some((each) => each === value)

/** The filters of the list that select the deliveries to retry. */
const narrowedOf = ({ state, ...others }: { state?: string; app_id?: string; callback_id?: string }): Narrowed => ({
  ...others,
  ...(state === 'expired' || state === 'needs_action' ? { state } : {}),
})

export const Deliveries = () => {
  const [filters, set] = useFilters(['state', 'app_id', 'callback_id'])
  const isFiltered = Object.keys(filters).length > 0
  const { state, ...others } = filters
  const list = useLiveList({
    key: JSON.stringify(filters),
    read: async (query, signal) => {
      const narrowed = { ...query, ...others, ...(isState(state) ? { state } : {}) }
      return (await gateway().callbacks.listDeliveries(narrowed, { signal })).deliveries
    },
    idOf: (delivery) => delivery.delivery_id,
    everyMs: LIVE_MS,
  })
  return (
    <Page
      title="Deliveries"
      actions={may('retryDeliveries') && <RetryMany narrowed={narrowedOf(filters)} onDone={list.refresh} />}
    >
      <FilterBar>
        <Choice label="State" value={state} options={STATES} onChoose={(value) => set('state', value)} />
        <Word
          label="Application"
          value={filters.app_id}
          suggestions={suggestFrom(list.items, (delivery) => delivery.app_id)}
          onEnter={(value) => set('app_id', value)}
        />
        <Word
          label="Callback"
          value={filters.callback_id}
          suggestions={suggestFrom(list.items, (delivery) => delivery.callback_id)}
          onEnter={(value) => set('callback_id', value)}
        />
      </FilterBar>
      <LiveTable
        label="Deliveries"
        list={list}
        columns={COLUMNS}
        empty={
          isFiltered
            ? 'No delivery matches the filters.'
            : 'No delivery yet. Each event that a callback is configured for appears here.'
        }
      />
    </Page>
  )
}

/** The error without its subject “The receiver”, because space is limited. */
const shorten = (error: string): string => error.replace(/^The receiver /, '')

const COLUMNS: readonly Column<Delivery>[] = [
  {
    title: 'Delivery',
    cell: ({ delivery_id }) => <Identifier id={delivery_id} href={`/deliveries/${delivery_id}`} />,
    below: ({ app_id }) => app_id,
    grow: 1.3,
  },
  {
    title: 'State',
    cell: ({ state }) => <StatePill state={state} />,
    below: ({ last_error }) => last_error && shorten(last_error.message),
    grow: 1.3,
  },
  { title: 'Event', cell: ({ event_type }) => event_type, only: 'wide', grow: 1.3 },
  { title: 'Application', cell: ({ app_id }) => app_id, only: 'wide' },
  { title: 'Callback', cell: ({ callback_id }) => <Identifier id={callback_id} />, only: 'wider', grow: 1.2 },
  { title: 'Attempts', cell: ({ attempts }) => attempts, isNumber: true, only: 'wide', grow: 0.8 },
  {
    title: 'Last error',
    cell: ({ last_error }) => last_error && <span title={last_error.message}>{last_error.message}</span>,
    only: 'wide',
    grow: 2,
  },
  { title: 'Next', cell: ({ next_attempt_at }) => next_attempt_at && <Ahead at={next_attempt_at} />, only: 'wider' },
  { title: 'Created', cell: ({ created_at }) => <Ago at={created_at} /> },
]
