import type { AuditRecord } from '@conversation-gateway/sdk/admin'
import { gateway, LIVE_MS } from '../data/gateway.ts'
import { useLiveList } from '../data/live-list.ts'
import { type Column, DataTable } from '../parts/data-table.tsx'
import { FilterBar, suggestFrom, useFilters, Word } from '../parts/filters.tsx'
import { Page, Problem } from '../parts/page.tsx'
import { StatePill } from '../parts/state-pill.tsx'
import { Ago, Moment } from '../parts/time.tsx'

type Change = AuditRecord & { readonly created_at: string }

const idOf = (change: Change): string => change.audit_id

/** Who asked for which change, and what became of it. */
export const Audit = () => {
  const [filters, set] = useFilters(['operator', 'operation'])
  const list = useLiveList({
    key: JSON.stringify(filters),
    read: async (query, signal): Promise<readonly Change[]> => {
      const { audit_records } = await gateway().audit.list({ ...query, ...filters }, { signal })
      return audit_records.map((record) => ({ ...record, created_at: record.at }))
    },
    idOf,
    everyMs: LIVE_MS,
  })
  return (
    <Page title="Audit">
      <FilterBar>
        <Word
          label="Operator"
          value={filters.operator}
          suggestions={suggestFrom(list.items, ({ operator }) => operator)}
          onEnter={(value) => set('operator', value)}
        />
        <Word
          label="Operation"
          value={filters.operation}
          suggestions={suggestFrom(list.items, ({ operation }) => operation)}
          onEnter={(value) => set('operation', value)}
        />
      </FilterBar>
      <Problem text={list.error} />
      <DataTable
        label="Changes"
        columns={COLUMNS}
        rows={list.items}
        keyOf={idOf}
        empty={list.isLoaded ? 'No change matches.' : 'Reading …'}
        isWhole={list.isWhole}
        onShown={list.onShown}
      />
    </Page>
  )
}

const COLUMNS: readonly Column<Change>[] = [
  { title: 'When', cell: ({ at }) => <Ago at={at} />, grow: 0.9 },
  { title: 'At', cell: ({ at }) => <Moment at={at} />, only: 'wider', grow: 1.3 },
  {
    title: 'Who',
    cell: ({ operator, role }) => <span title={`${operator}, role ${role}`}>{operator}</span>,
    grow: 1.2,
  },
  {
    title: 'Asked for',
    cell: ({ operation }) => <code>{operation}</code>,
    below: (change) => <Outcome change={change} />,
    grow: 1.6,
  },
  { title: 'Of', cell: ({ target }) => <Members of={target} />, only: 'wide', grow: 1.6 },
  { title: 'With', cell: ({ input }) => <Members of={input} />, only: 'wide', grow: 2 },
  { title: 'Outcome', cell: (change) => <Outcome change={change} />, only: 'wide' },
  { title: 'Counted', cell: ({ result }) => <Members of={result ?? {}} />, only: 'wider', grow: 1.2 },
]

const Members = ({ of }: { of: Readonly<Record<string, unknown>> }) => {
  const text = Object.entries(of)
    .map(([name, value]) => `${name} ${wordsOf(value)}`)
    .join(', ')
  return <span title={text}>{text}</span>
}

const wordsOf = (value: unknown): string => {
  if (Array.isArray(value)) return value.map(wordsOf).join(' ')
  return typeof value === 'string' ? value : JSON.stringify(value)
}

const Outcome = ({ change: { status, code } }: { change: Change }) => {
  if (status === null) return <StatePill state="unknown" tone="warn" />
  return status < 400 ? <StatePill state="done" tone="good" /> : <StatePill state={code ?? String(status)} tone="bad" />
}
