import type { ConversationRecord } from '@conversation-gateway/sdk/admin'
import { gateway, LIVE_MS } from '../data/gateway.ts'
import { useLiveList } from '../data/live-list.ts'
import type { Column } from '../parts/data-table.tsx'
import { FilterBar, suggestFrom, useFilters, Word } from '../parts/filters.tsx'
import { Identifier } from '../parts/identifier.tsx'
import { LiveTable } from '../parts/live-table.tsx'
import { Page } from '../parts/page.tsx'
import { StatePill } from '../parts/state-pill.tsx'
import { Ago } from '../parts/time.tsx'

export const Conversations = () => {
  const [filters, set] = useFilters(['app_id', 'subject'])
  const isFiltered = Object.keys(filters).length > 0
  const list = useLiveList({
    key: JSON.stringify(filters),
    read: async (query, signal) =>
      (await gateway().conversations.list({ ...query, ...filters }, { signal })).conversations,
    idOf: (conversation) => conversation.conversation_id,
    everyMs: LIVE_MS,
  })
  return (
    <Page title="Conversations">
      <FilterBar>
        <Word
          label="Application"
          value={filters.app_id}
          suggestions={suggestFrom(list.items, ({ app_id }) => app_id)}
          onEnter={(value) => set('app_id', value)}
        />
        <Word
          label="Subject"
          value={filters.subject}
          placeholder={filters.app_id === undefined ? 'needs application' : 'any'}
          isDisabled={filters.app_id === undefined && filters.subject === undefined}
          suggestions={suggestFrom(list.items, ({ subject }) => subject)}
          onEnter={(value) => set('subject', value)}
        />
      </FilterBar>
      <LiveTable
        label="Conversations"
        list={list}
        columns={COLUMNS}
        empty={
          isFiltered
            ? 'No conversation matches the filters.'
            : 'No conversation yet. An application starts the first one.'
        }
      />
    </Page>
  )
}

const COLUMNS: readonly Column<ConversationRecord>[] = [
  {
    title: 'Conversation',
    cell: ({ conversation_id }) => <Identifier id={conversation_id} href={`/conversations/${conversation_id}`} />,
    below: ({ app_id }) => app_id,
    grow: 1.4,
  },
  { title: 'State', cell: (conversation) => <StatePill state={stateOf(conversation)} /> },
  { title: 'Application', cell: ({ app_id }) => app_id, only: 'wide' },
  { title: 'Subject', cell: ({ subject }) => subject ?? '–', only: 'wide', grow: 1.3 },
  { title: 'Key', cell: ({ business_key }) => business_key ?? '–', only: 'wider', grow: 1.2 },
  { title: 'Service', cell: ({ endpoint_id }) => endpoint_id, only: 'wide' },
  { title: 'Queued', cell: ({ queued_runs }) => queued_runs, isNumber: true, only: 'wide', grow: 0.6 },
  { title: 'Generation', cell: ({ generation }) => generation, isNumber: true, only: 'wider', grow: 0.7 },
  { title: 'Created', cell: ({ created_at }) => <Ago at={created_at} />, grow: 0.85 },
]

/** The state to show: more specific than `active`, and `erased` if the conversation was erased. */
export const stateOf = ({ state, erasure_id, executing_run_id, queued_runs }: ConversationRecord): string => {
  if (erasure_id !== null) return 'erased'
  if (state !== 'active') return state
  if (executing_run_id !== null) return 'running'
  return queued_runs > 0 ? 'queued' : 'idle'
}
