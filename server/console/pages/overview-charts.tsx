import { useMemo } from 'preact/hooks'
import { type Sample, samples } from '../data/samples.ts'
import { Chart } from '../parts/chart.tsx'

/** What was seen since signing in. */
export const OverviewCharts = () => {
  const seen = samples.value
  const charts = useMemo(() => chartsOf(seen), [seen])
  const times = useMemo(() => seen.map(({ atSeconds }) => atSeconds), [seen])
  return (
    <section class="charts" aria-label="Charts">
      {charts.map((chart) => (
        <Chart key={chart.title} {...chart} times={times} />
      ))}
    </section>
  )
}

const chartsOf = (seen: readonly Sample[]) => {
  const line = (name: string, color: `--${string}`, read: (sample: Sample) => number | null) => ({
    name,
    color,
    values: seen.map(read),
  })
  return [
    {
      title: 'Unfinished runs',
      series: [
        line('queued', '--violet', ({ overview }) => overview.runs.queued),
        line('running', '--busy', ({ overview }) => overview.runs.running),
        line('waiting approval', '--warn', ({ overview }) => overview.runs.waiting_approval),
        line('reconciling', '--bad', ({ overview }) => overview.runs.reconciling),
      ],
    },
    {
      title: 'Requests',
      unit: '/s',
      series: [
        line('admitted', '--good', ({ admittedPerSecond }) => admittedPerSecond),
        line('refused', '--bad', ({ refusedPerSecond }) => refusedPerSecond),
      ],
    },
    {
      title: 'Age of the queue',
      unit: ' s',
      series: [line('oldest', '--violet', ({ overview }) => overview.oldest_queued_seconds ?? 0)],
    },
    {
      title: 'Streams and callbacks',
      series: [
        line('streams', '--busy', ({ overview }) => overview.open_streams),
        line('under way', '--good', ({ overview: { deliveries } }) => deliveries.pending + deliveries.sending),
        line('stuck', '--bad', ({ overview: { deliveries } }) => deliveries.needs_action + deliveries.expired),
      ],
    },
  ]
}
