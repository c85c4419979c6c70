import { useMemo } from 'preact/hooks'
import type { Sample } from '../data/sample-log.ts'
import { samples } from '../data/samples.ts'
import { Chart } from '../parts/chart.tsx'

/** The past hour, as far as the page and the answering process have samples of it. */
export const OverviewCharts = () => {
  const seen = samples.value
  const charts = useMemo(() => chartsOf(seen), [seen])
  const times = useMemo(() => seen.map(({ atMs }) => atMs / 1000), [seen])
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
        line('queued', '--violet', ({ load }) => load.runs.queued),
        line('running', '--busy', ({ load }) => load.runs.running),
        line('waiting approval', '--warn', ({ load }) => load.runs.waiting_approval),
        line('reconciling', '--bad', ({ load }) => load.runs.reconciling),
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
      title: 'Queue age',
      unit: ' s',
      series: [line('oldest', '--violet', ({ load }) => load.oldest_queued_seconds ?? 0)],
    },
    {
      title: 'Streams and callbacks',
      series: [
        line('streams', '--busy', ({ load }) => load.open_streams),
        line('under way', '--good', ({ load: { deliveries } }) => deliveries.pending + deliveries.sending),
        line('stuck', '--bad', ({ load: { deliveries } }) => deliveries.needs_action + deliveries.expired),
      ],
    },
  ]
}
