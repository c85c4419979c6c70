import type { Overview } from '@conversation-gateway/sdk/admin'
import { expect, it } from 'vitest'
import { attentionOf } from './attention.ts'

const CALM: Overview = {
  at: '2026-03-02T09:30:00.123Z',
  admission_paused: false,
  runs: { queued: 3, running: 4, waiting_approval: 0, cancelling: 0, reconciling: 0 },
  oldest_queued_seconds: 1.25,
  recent: { window_seconds: 300, admitted: 120, succeeded: 110, failed: 0, cancelled: 1, interrupted: 0, expired: 0 },
  open_streams: 12,
  deliveries: { pending: 2, sending: 1, needs_action: 0, expired: 0, cancelled_config_changed: 0 },
  approvals_pending: 0,
  devices: [],
  process: { process_id: 'p', started_at: '2026-03-02T08:00:00.000Z', admitted: 4200, replayed: 17, refusals: [] },
}
const device = (device_id: string, state: string, online: boolean) => ({
  device_id,
  name: null,
  state,
  online,
  last_seen_at: null,
  queued: 0,
  executing: 0,
  waiting_approval: 0,
  run_slots: 16,
})

it('is empty while there are no problems', () => {
  expect(attentionOf({ ...CALM, devices: [device('dev_1', 'active', true)] })).toEqual([])
})

it('lists problems before pending decisions', () => {
  const items = attentionOf({
    ...CALM,
    admission_paused: true,
    recent: { ...CALM.recent, failed: 1 },
    approvals_pending: 2,
    oldest_queued_seconds: 75,
    devices: [device('dev_1', 'active', false), device('dev_2', 'paused', true)],
  })
  expect(items.map(({ text, tone }) => `${tone}: ${text}`)).toEqual([
    'bad: Admission is paused: new work is refused',
    'bad: dev_1 is offline',
    'bad: 1 run failed within 5 min',
    'warn: 2 approvals to decide',
    'warn: A run has been waiting for 1 min 15 s',
    'warn: dev_2 is paused',
  ])
})
