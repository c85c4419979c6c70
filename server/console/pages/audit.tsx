import type { AuditRecord } from '@conversation-gateway/sdk/admin'
import { gateway, LIVE_MS } from '../data/gateway.ts'
import { useLiveList } from '../data/live-list.ts'
import type { Column } from '../parts/data-table.tsx'
import { FilterBar, suggestFrom, useFilters, Word } from '../parts/filters.tsx'
import { shortenId } from '../parts/format.ts'
import { LiveTable } from '../parts/live-table.tsx'
import { Page } from '../parts/page.tsx'
import { StatePill } from '../parts/state-pill.tsx'
import { Ago, Moment } from '../parts/time.tsx'

type Change = AuditRecord & { readonly created_at: string }

/** Who requested which change, and its outcome. */
export const Audit = () => {
  const [filters, set] = useFilters(['operator', 'operation'])
  const isFiltered = Object.keys(filters).length > 0
  const list = useLiveList({
    key: JSON.stringify(filters),
    read: async (query, signal): Promise<readonly Change[]> => {
      const { audit_records } = await gateway().audit.list({ ...query, ...filters }, { signal })
      return audit_records.map((record) => ({ ...record, created_at: record.at }))
    },
    idOf: (change) => change.audit_id,
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
      <LiveTable
        label="Changes"
        list={list}
        columns={COLUMNS}
        empty={
          isFiltered
            ? 'No change matches the filters.'
            : 'No change yet. Each change that an operator asks for appears here.'
        }
      />
    </Page>
  )
}

const COLUMNS: readonly Column<Change>[] = [
  { title: 'When', cell: ({ at }) => <Ago at={at} />, grow: 0.9 },
  { title: 'Time', cell: ({ at }) => <Moment at={at} />, only: 'wider', grow: 1.3 },
  {
    title: 'Operator',
    cell: ({ operator, role }) => <span title={`${operator}, role ${role}`}>{operator}</span>,
    only: 'wide',
    grow: 1.7,
  },
  {
    title: 'Operation',
    cell: ({ operation }) => <code title={operation}>{operation}</code>,
    below: (change) => (
      <span title={change.operator}>
        <Outcome change={change} /> by {change.operator}
      </span>
    ),
    grow: 1.6,
  },
  { title: 'Target', cell: ({ target }) => <Target of={target} />, only: 'wide', grow: 1.5 },
  { title: 'Input', cell: ({ input }) => <Members of={input} />, only: 'wide', grow: 1.7 },
  { title: 'Outcome', cell: (change) => <Outcome change={change} />, only: 'wide', grow: 1.3 },
  { title: 'Result', cell: ({ result }) => <Members of={result ?? {}} />, only: 'wider', grow: 1.2 },
]

type Named = Readonly<Record<string, unknown>>

const namesAndValues = (of: Named): string =>
  Object.entries(of)
    .map(([name, value]) => `${name}: ${wordsOf(value)}`)
    .join(', ')

const Members = ({ of }: { of: Named }) => {
  const text = namesAndValues(of)
  return <span title={text}>{text}</span>
}

/** Shows the values without their names, because the prefix of an ID shows the kind of its record. */
const Target = ({ of }: { of: Named }) => (
  <span title={namesAndValues(of)}>
    {Object.values(of)
      .map((value) => shortenId(wordsOf(value)))
      .join(', ')}
  </span>
)

const wordsOf = (value: unknown): string => {
  if (Array.isArray(value)) return value.map(wordsOf).join(' ')
  return typeof value === 'string' ? value : JSON.stringify(value)
}

/** A code is shown as the contract spells it, so that it can be searched for. */
const Outcome = ({ change: { status, code } }: { change: Change }) => {
  if (status === null) return <StatePill state="unknown" tone="warn" />
  if (status < 400) return <StatePill state="done" tone="good" />
  const text = code ?? String(status)
  return (
    <span class="pill tone-bad" title={text}>
      {text}
    </span>
  )
}
