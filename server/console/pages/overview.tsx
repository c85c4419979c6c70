import type { Overview as OverviewData } from '@conversation-gateway/sdk/admin'
import { Link } from 'wouter-preact'
import { gateway } from '../data/gateway.ts'
import { overview, refreshOverview } from '../data/samples.ts'
import { ActionButton } from '../parts/action-button.tsx'
import { confirm } from '../parts/dialogs.tsx'
import { formatCount, formatDuration } from '../parts/format.ts'
import { Page } from '../parts/page.tsx'
import { StatePill } from '../parts/state-pill.tsx'
import { attentionOf } from './attention.ts'
import { DeviceLoads } from './devices/device-loads.tsx'
import { OverviewCharts } from './overview-charts.tsx'

/** An overview of the gateway, updated every two seconds. */
export const Overview = () => {
  const now = overview.value
  return (
    <Page
      title="Overview"
      aside={now !== null && <StatePill state={now.admission_paused ? 'paused' : 'open'} />}
      actions={
        now !== null && (
          <ActionButton operation="setAdmission" onClick={() => askToSwitchAdmission(now.admission_paused)}>
            {now.admission_paused ? 'Resume admission' : 'Pause admission'}
          </ActionButton>
        )
      }
    >
      {now === null ? <p class="calm">Loading …</p> : <Seen now={now} />}
    </Page>
  )
}

const Seen = ({ now }: { now: OverviewData }) => (
  <>
    <Attention now={now} />
    <Figures now={now} />
    <OverviewCharts />
    <section>
      <h2>Devices</h2>
      <DeviceLoads loads={now.devices} />
    </section>
  </>
)

const Attention = ({ now }: { now: OverviewData }) => {
  const items = attentionOf(now)
  return (
    <section class="attention" aria-label="What needs attention">
      {items.length === 0 ? (
        <p class="all-well">Nothing needs attention.</p>
      ) : (
        <ul>
          {items.map(({ text, href, tone }) => (
            <li key={text}>
              <Link href={href} class={`tone-${tone}`}>
                {text}
              </Link>
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}

const Figures = ({ now }: { now: OverviewData }) => {
  const { runs, recent, deliveries } = now
  const window = formatDuration(recent.window_seconds * 1000)
  const figures = [
    { name: 'Queued', value: formatCount(runs.queued), note: 'now', href: '/runs?state=queued' },
    { name: 'Running', value: formatCount(runs.running), note: 'now', href: '/runs?state=running' },
    { name: 'Queue age', value: waitOf(now.oldest_queued_seconds), note: 'oldest run', href: '/runs?state=queued' },
    { name: 'Admitted', value: formatCount(recent.admitted), note: `in ${window}`, href: '/runs' },
    { name: 'Succeeded', value: formatCount(recent.succeeded), note: `in ${window}`, href: '/runs?state=succeeded' },
    { name: 'Failed', value: formatCount(recent.failed), note: `in ${window}`, href: '/runs?state=failed' },
    { name: 'Streams', value: formatCount(now.open_streams), note: 'open', href: null },
    {
      name: 'Callbacks',
      value: formatCount(deliveries.pending + deliveries.sending),
      note: 'under way',
      href: '/deliveries?state=pending',
    },
  ] as const
  return (
    <ul class="figures">
      {figures.map(({ name, value, note, href }) => (
        <li key={name}>
          <span class="name">{href === null ? name : <Link href={href}>{name}</Link>}</span>
          <b>{value}</b>
          <span class="muted small">{note}</span>
        </li>
      ))}
    </ul>
  )
}

const waitOf = (seconds: number | null): string => (seconds === null ? '–' : formatDuration(seconds * 1000))

const askToSwitchAdmission = (isPaused: boolean): void =>
  confirm({
    title: isPaused ? 'Resume admission?' : 'Pause admission of the whole gateway?',
    consequences: isPaused
      ? ['New work and new conversations are accepted again, by every process.']
      : [
          'New work and new conversations of every application are refused with 503 CAPABILITY_UNAVAILABLE.',
          'Admitted work continues: queued runs start, streams stay open, callbacks are delivered.',
          'Applications can still read.',
        ],
    action: isPaused ? 'Resume admission' : 'Pause admission',
    isDangerous: !isPaused,
    run: async () => {
      await gateway().admission.set({ paused: !isPaused })
      refreshOverview()
    },
    done: isPaused ? 'Admission is open.' : 'Admission is paused.',
  })
