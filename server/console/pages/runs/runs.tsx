import { gateway, LIVE_MS } from '../../data/gateway.ts'
import { useLiveList } from '../../data/live-list.ts'
import { Choice, FilterBar, suggestFrom, useFilters, Word } from '../../parts/filters.tsx'
import { LiveTable } from '../../parts/live-table.tsx'
import { Page } from '../../parts/page.tsx'
import { CancelMany } from './cancel-many.tsx'
import { narrowToUnfinished } from './describe-cancellations.ts'
import { RUN_COLUMNS } from './run-columns.tsx'

const STATES = [
  'queued',
  'running',
  'waiting_approval',
  'cancelling',
  'reconciling',
  'succeeded',
  'failed',
  'cancelled',
  'interrupted',
  'expired',
] as const
const isState = (value: string | undefined): value is (typeof STATES)[number] => STATES.some((each) => each === value)

/** The time windows in seconds, with their labels. */
const WINDOWS = [
  ['300', 'last 5 minutes'],
  ['3600', 'last hour'],
  ['86400', 'last day'],
  ['604800', 'last week'],
] as const

const FILTERS = [
  'state',
  'app_id',
  'subject',
  'endpoint_id',
  'device_id',
  'conversation_id',
  'error_code',
  'within',
] as const

export const Runs = () => {
  const [filters, set] = useFilters(FILTERS)
  const isFiltered = Object.keys(filters).length > 0
  const list = useLiveList({
    key: JSON.stringify(filters),
    read: async (query, signal) => {
      const { state, within, ...others } = filters
      const since = new Date(Date.now() - Number(within) * 1000)
      const narrowed = {
        ...query,
        ...others,
        ...(isState(state) ? { state } : {}),
        ...(within === undefined ? {} : { created_after: since.toISOString() }),
      }
      return (await gateway().runs.list(narrowed, { signal })).runs
    },
    idOf: (run) => run.run_id,
    everyMs: LIVE_MS,
  })
  const { state, within, app_id, subject, endpoint_id, device_id, conversation_id, error_code } = filters
  const narrowed = narrowToUnfinished(filters, Date.now())
  return (
    <Page
      title="Runs"
      aside={list.isLoaded && <CountOf count={list.items.length} isWhole={list.isWhole} />}
      actions={narrowed !== null && <CancelMany narrowed={narrowed} onDone={list.refresh} />}
    >
      <FilterBar>
        <Choice label="State" value={state} options={STATES} onChoose={(value) => set('state', value)} />
        <Choice label="Created" value={within} options={WINDOWS} onChoose={(value) => set('within', value)} />
        <Word
          label="Error code"
          value={error_code}
          suggestions={suggestFrom(list.items, ({ error }) => error?.code)}
          onEnter={(value) => set('error_code', value)}
        />
        <Word
          label="Application"
          value={app_id}
          suggestions={suggestFrom(list.items, (run) => run.app_id)}
          onEnter={(value) => set('app_id', value)}
        />
        <Word
          label="Subject"
          value={subject}
          suggestions={suggestFrom(list.items, (run) => run.subject)}
          placeholder={app_id === undefined ? 'needs application' : 'any'}
          isDisabled={app_id === undefined && subject === undefined}
          onEnter={(value) => set('subject', value)}
        />
        <Word
          label="Service"
          value={endpoint_id}
          suggestions={suggestFrom(list.items, (run) => run.endpoint_id)}
          onEnter={(value) => set('endpoint_id', value)}
        />
        <Word
          label="Device"
          value={device_id}
          suggestions={suggestFrom(list.items, (run) => run.device_id)}
          onEnter={(value) => set('device_id', value)}
        />
        <Word label="Conversation" value={conversation_id} onEnter={(value) => set('conversation_id', value)} />
      </FilterBar>
      <LiveTable
        label="Runs"
        list={list}
        columns={RUN_COLUMNS}
        empty={
          isFiltered
            ? 'No run matches the filters.'
            : 'No run yet. Runs appear here when an application sends a message.'
        }
      />
    </Page>
  )
}

const CountOf = ({ count, isWhole }: { count: number; isWhole: boolean }) => (
  <span class="muted">{isWhole ? `${count}` : `${count} and more`}</span>
)
