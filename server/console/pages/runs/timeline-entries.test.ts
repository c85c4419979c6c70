import type { RunTimeline } from '@conversation-gateway/sdk/admin'
import { describe, expect, it } from 'vitest'
import { explainRun } from './explain-run.ts'
import { entriesOf } from './timeline-entries.ts'

const at = (ms: number): string => new Date(Date.UTC(2026, 2, 2, 9, 30) + ms).toISOString()

const RUN: RunTimeline['run'] = {
  run_id: 'run_1',
  app_id: 'app_shop',
  subject: 'customer-1',
  conversation_id: 'conv_1',
  generation: 1,
  endpoint_id: 'ep_1',
  device_id: 'dev_1',
  binding_version: 1,
  message_id: 'msg_1',
  state: 'failed',
  delivery_state: 'device_received',
  error: { code: 'NO_STOCK', message: 'None is left.', retryable: false },
  lease: null,
  start_before: at(300_000),
  created_at: at(0),
  updated_at: at(900),
  trace_id: null,
  finished_at: at(900),
}

const event = (seq: number, type: string, ms: number, members: Partial<RunTimeline['events'][number]> = {}) => ({
  seq,
  type,
  count: 1,
  last_seq: seq,
  state: null,
  error_code: null,
  activity: null,
  message_id: null,
  created_at: at(ms),
  last_at: at(ms),
  ...members,
})

const DELIVERY: RunTimeline['deliveries'][number] = {
  delivery_id: 'dlv_1',
  callback_id: 'cb_orders',
  callback_version: 1,
  app_id: 'app_shop',
  conversation_id: 'conv_1',
  event_id: 'evt_1',
  event_type: 'run.failed',
  seq: 14,
  state: 'delivered',
  attempts: 2,
  last_error: null,
  next_attempt_at: null,
  expires_at: at(86_400_000),
  created_at: at(900),
  updated_at: at(6000),
  attempt_log: [
    { attempt: 2, started_at: at(6000), latency_ms: 12, status: 204, error: null, excerpt: '' },
    {
      attempt: 1,
      started_at: at(950),
      latency_ms: 84,
      status: 503,
      error: 'The receiver answered 503.',
      excerpt: null,
    },
  ],
}

const TIMELINE: RunTimeline = {
  run: RUN,
  started_at: at(100),
  first_output_at: at(300),
  usage: null,
  messages: [],
  events: [
    event(2, 'run.started', 100),
    event(3, 'assistant.delta', 300, { count: 12, last_seq: 14, last_at: at(800) }),
    event(15, 'run.failed', 900, { state: 'failed', error_code: 'NO_STOCK' }),
  ],
  approvals: [],
  stops: [],
  deliveries: [DELIVERY],
}

describe('the timeline of a run', () => {
  it('shows events and delivery attempts in the order in which they happened', () => {
    expect(entriesOf(TIMELINE).map(({ title, detail }) => [title, detail])).toEqual([
      ['Admitted', 'Queued until earlier runs have ended and a slot is free'],
      ['Started', 'on dev_1'],
      ['Answered', '12 pieces within 500 ms'],
      ['Failed: NO_STOCK', 'None is left.'],
      ['Could not deliver run.failed to cb_orders', 'The receiver answered 503, 84 ms'],
      ['Delivered run.failed to cb_orders', 'answered 204, 12 ms, attempt 2'],
    ])
  })

  it('shows each activity of the assistant once, with its end', () => {
    const activity = { activity_id: 'call_1', kind: 'tool', name: 'find_order', state: 'failed' }
    const events = [event(3, 'assistant.activity', 200, { activity, count: 2, last_at: at(520) })]
    expect(entriesOf({ ...TIMELINE, events, deliveries: [] }).slice(-1)).toMatchObject([
      { title: 'find_order', detail: 'tool, failed, within 320 ms', tone: 'warn' },
    ])
    const rest = { activity_id: 'call_1', kind: null, name: null, state: null }
    const late = [event(3, 'assistant.activity', 200, { activity: rest })]
    expect(entriesOf({ ...TIMELINE, events: late, deliveries: [] }).slice(-1)).toMatchObject([
      { title: 'Activity', detail: null },
    ])
  })

  it('shows each request for approval with its own summary', () => {
    const approval = (n: number, ms: number) => ({
      approval_id: `apr_${n}`,
      app_id: 'app_1',
      conversation_id: 'conv_1',
      run_id: 'run_1',
      summary: `Refund ${n}`,
      state: 'pending' as const,
      created_at: at(ms),
      decided_at: null,
    })
    const events = [event(3, 'approval.required', 200), event(5, 'approval.required', 400)]
    const entries = entriesOf({ ...TIMELINE, events, approvals: [approval(1, 200), approval(2, 400)], deliveries: [] })
    expect(entries.slice(-2).map(({ detail }) => detail)).toEqual(['Refund 1', 'Refund 2'])
  })

  it('shows the admission once, with or without an event for it', () => {
    const events = [event(1, 'run.updated', 0, { state: 'queued' }), ...TIMELINE.events]
    expect(entriesOf({ ...TIMELINE, events }).filter(({ title }) => title === 'Admitted')).toHaveLength(1)
  })

  it('begins with the admission, even if the clocks of processes differ', () => {
    const events = [event(2, 'run.started', -3), ...TIMELINE.events.slice(1)]
    expect(
      entriesOf({ ...TIMELINE, events })
        .map(({ title }) => title)
        .slice(0, 2),
    ).toEqual(['Admitted', 'Started'])
  })

  it('shows an event of a later version by its type', () => {
    const [entry] = entriesOf({ ...TIMELINE, events: [event(1, 'run.moved_house', 0)], deliveries: [] }).slice(-1)
    expect(entry?.title).toBe('Moved house')
  })
})

describe('the explanation of a run', () => {
  it('is its error if it failed', () => {
    expect(explainRun(RUN)).toMatchObject({ tone: 'bad', code: 'NO_STOCK', text: 'None is left.' })
  })

  it('says that the error is no longer retained', () => {
    expect(explainRun({ ...RUN, error: null })?.text).toBe('Its result is no longer retained.')
  })

  it('is null for a run that succeeded', () => {
    expect(explainRun({ ...RUN, state: 'succeeded', error: null })).toBeNull()
  })
})
