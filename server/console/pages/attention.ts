import type { Overview } from '@conversation-gateway/sdk/admin'
import { formatDuration } from '../parts/format.ts'
import type { Tone } from '../parts/state-pill.tsx'

/** Something that an operator should look at, and where. */
export interface AttentionItem {
  readonly text: string
  readonly href: string
  readonly tone: Tone
}

/** If the oldest queued run has waited longer than this, the queue needs attention. */
const LONG_WAIT_SECONDS = 30

/** The items that need attention, most severe first. Pure. */
export const attentionOf = (now: Overview): readonly AttentionItem[] => {
  const { runs, recent, deliveries, devices } = now
  const items: (AttentionItem | false)[] = [
    now.admission_paused && { text: 'Admission is paused: new work is refused', href: '/', tone: 'bad' },
    ...devices
      .filter(({ online, state }) => !online && state === 'active')
      .map(({ device_id }): AttentionItem => ({ text: `${device_id} is offline`, href: '/devices', tone: 'bad' })),
    recent.failed > 0 && {
      text: `${count(recent.failed, 'run')} failed within ${formatDuration(recent.window_seconds * 1000)}`,
      href: '/runs?state=failed',
      tone: 'bad',
    },
    runs.reconciling > 0 && {
      text: `${count(runs.reconciling, 'run')} whose worker was lost`,
      href: '/runs?state=reconciling',
      tone: 'bad',
    },
    deliveries.needs_action > 0 && {
      text: `${count(deliveries.needs_action, 'delivery needs', 'deliveries need')} action`,
      href: '/deliveries?state=needs_action',
      tone: 'bad',
    },
    deliveries.expired > 0 && {
      text: `${count(deliveries.expired, 'delivery', 'deliveries')} expired`,
      href: '/deliveries?state=expired',
      tone: 'bad',
    },
    now.approvals_pending > 0 && {
      text: `${count(now.approvals_pending, 'approval')} to decide`,
      href: '/approvals',
      tone: 'warn',
    },
    (now.oldest_queued_seconds ?? 0) > LONG_WAIT_SECONDS && {
      text: `A run has been waiting for ${formatDuration((now.oldest_queued_seconds ?? 0) * 1000)}`,
      href: '/runs?state=queued',
      tone: 'warn',
    },
    ...devices
      .filter(({ state }) => state === 'paused')
      .map(({ device_id }): AttentionItem => ({ text: `${device_id} is paused`, href: '/devices', tone: 'warn' })),
  ]
  return items.filter((item) => item !== false)
}

const count = (number: number, one: string, many = `${one}s`): string => `${number} ${number === 1 ? one : many}`
