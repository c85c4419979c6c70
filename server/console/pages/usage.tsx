import { gateway, SLOW_MS } from '../data/gateway.ts'
import { usePolled } from '../data/poll.ts'
import { type Column, DataTable } from '../parts/data-table.tsx'
import { Choice, FilterBar, suggestFrom, useFilters, Word } from '../parts/filters.tsx'
import { formatCount } from '../parts/format.ts'
import { Identifier } from '../parts/identifier.tsx'
import { Page, Problem } from '../parts/page.tsx'
import { UsageChart } from './usage-chart.tsx'
import { type Counts, daysOf, startOfDays, totalOf, type UsageRow } from './usage-days.ts'

/** The periods to choose from, in days. The longest one is the gateway's maximum for one request. */
const WINDOWS = [
  ['1', 'today'],
  ['7', 'last 7 days'],
  ['31', 'last 31 days'],
] as const
const USUAL = '7'

const keyOf = ({ app_id, endpoint_id, day }: UsageRow): string => `${day} ${app_id} ${endpoint_id}`

const BY = [
  ['application', 'application'],
  ['service', 'service'],
] as const

/** The usage of applications: their runs by day of admission, and the outcomes. */
export const Usage = () => {
  const [{ app_id, days = USUAL, by = 'application' }, set] = useFilters(['app_id', 'days', 'by'])
  const isByService = by === 'service'
  const count = Number(WINDOWS.find(([each]) => each === days)?.[0] ?? USUAL)
  const { data, error } = usePolled(
    `${app_id} ${count} ${isByService}`,
    async (signal) => {
      const now = Date.now()
      const window = { created_after: startOfDays(count, now).toISOString() }
      const query = {
        ...window,
        ...(app_id === undefined ? {} : { app_id }),
        ...(isByService ? { by: 'service' as const } : {}),
      }
      return { rows: (await gateway().gateway.usage(query, { signal })).usage, now }
    },
    SLOW_MS,
  )
  return (
    <Page title="Usage">
      <FilterBar>
        <Word
          label="Application"
          value={app_id}
          suggestions={suggestFrom(data?.rows ?? [], (row) => row.app_id)}
          onEnter={(value) => set('app_id', value)}
        />
        <Choice label="Days" value={days} options={WINDOWS} isRequired onChoose={(value) => set('days', value)} />
        <Choice label="Group by" value={by} options={BY} isRequired onChoose={(value) => set('by', value)} />
      </FilterBar>
      <Problem text={error} />
      {data === undefined ? (
        error === null && <p class="calm">Loading …</p>
      ) : (
        <>
          <Figures total={totalOf(data.rows)} />
          <UsageChart days={daysOf(data.rows, count, data.now)} />
          <section>
            <h2>By {isByService ? 'service' : 'application'} and day</h2>
            <DataTable
              label="Usage"
              columns={
                isByService
                  ? [DAY, SERVICE, { ...APPLICATION, only: 'wide' }, ...COUNTS]
                  : [DAY, APPLICATION, ...COUNTS]
              }
              rows={data.rows}
              keyOf={keyOf}
              empty="No application had a run in these days."
            />
          </section>
        </>
      )}
    </Page>
  )
}

const Figures = ({ total }: { total: Counts }) => {
  const otherwise = total.cancelled + total.interrupted + total.expired
  const figures = [
    ['Admitted', formatCount(total.admitted), 'runs'],
    ['Succeeded', formatCount(total.succeeded), shareOf(total.succeeded, total.admitted)],
    ['Failed', formatCount(total.failed), shareOf(total.failed, total.admitted)],
    ['Ended otherwise', formatCount(otherwise), 'cancelled, lost, expired'],
    ['Unfinished', formatCount(total.unfinished), 'now'],
    [
      'Tokens',
      formatCount(total.input_tokens + total.output_tokens),
      `${formatCount(total.output_tokens)} of them output`,
    ],
  ] as const
  return (
    <ul class="figures few">
      {figures.map(([name, value, note]) => (
        <li key={name}>
          <span class="name">{name}</span>
          <b>{value}</b>
          <span class="muted small">{note}</span>
        </li>
      ))}
    </ul>
  )
}

const shareOf = (part: number, whole: number): string =>
  whole === 0 ? 'runs' : `${((100 * part) / whole).toFixed(1)} % of runs`

const number = (title: string, count: (row: UsageRow) => number, only?: 'wide' | 'wider'): Column<UsageRow> => ({
  title,
  cell: (row) => formatCount(count(row)),
  isNumber: true,
  grow: 1.15,
  ...(only === undefined ? {} : { only }),
})

const costsOf = (costs: UsageRow['costs']): string =>
  costs.map(({ amount, currency }) => `${amount} ${currency}`).join(', ') || '–'

const DAY: Column<UsageRow> = { title: 'Day', cell: ({ day }) => <time dateTime={day}>{day}</time>, grow: 1.5 }
const APPLICATION: Column<UsageRow> = {
  title: 'Application',
  cell: ({ app_id }) => <Identifier id={app_id} href={`/apps/${app_id}`} />,
  grow: 1.6,
}
const SERVICE: Column<UsageRow> = {
  title: 'Service',
  cell: ({ endpoint_id }) => endpoint_id ?? '–',
  below: ({ app_id }) => app_id,
  grow: 1.6,
}
const COUNTS: readonly Column<UsageRow>[] = [
  number('Admitted', ({ admitted }) => admitted),
  number('Succeeded', ({ succeeded }) => succeeded, 'wide'),
  { ...number('Failed', ({ failed }) => failed), grow: 0.8 },
  number('Cancelled', ({ cancelled }) => cancelled, 'wider'),
  number('Interrupted', ({ interrupted }) => interrupted, 'wider'),
  number('Expired', ({ expired }) => expired, 'wider'),
  number('Unfinished', ({ unfinished }) => unfinished, 'wider'),
  number('Tokens in', ({ input_tokens }) => input_tokens, 'wide'),
  number('Tokens out', ({ output_tokens }) => output_tokens, 'wide'),
  { title: 'Cost', cell: ({ costs }) => costsOf(costs), isNumber: true, only: 'wide', grow: 1.5 },
]
