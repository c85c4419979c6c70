import type { Overview, OverviewHistory } from '@conversation-gateway/sdk/admin'
import { expect, it } from 'vitest'
import { createSampleLog } from './sample-log.ts'

const START = Date.UTC(2026, 2, 2, 9)
const minutes = (count: number): number => START + count * 60_000
const SIGNAL = new AbortController().signal

const load = (atMs: number) => ({
  at: new Date(atMs).toISOString(),
  runs: { queued: 0, running: 0, waiting_approval: 0, cancelling: 0, reconciling: 0 },
  oldest_queued_seconds: null,
  open_streams: 0,
  deliveries: { pending: 0, sending: 0, needs_action: 0, expired: 0, cancelled_config_changed: 0 },
})

/** The overview of process `a` at a moment by which it had admitted this many requests. */
const overviewAt = (atMs: number, admitted: number): Overview => ({
  ...load(atMs),
  admission_paused: false,
  recent: { window_seconds: 300, admitted: 0, succeeded: 0, failed: 0, cancelled: 0, interrupted: 0, expired: 0 },
  approvals_pending: 0,
  devices: [],
  process: {
    process_id: 'a',
    started_at: new Date(START).toISOString(),
    admitted,
    replayed: 0,
    refusals: [
      { code: 'BUSY', count: 1 },
      { code: 'RATE_LIMITED', count: 2 },
    ],
  },
})

/** A sample each minute of the hour until `end`; the process admitted 60 requests in each. */
const hourUntil = (end: number, processId = 'a'): OverviewHistory => ({
  process_id: processId,
  interval_seconds: 60,
  samples: Array.from({ length: 60 }, (_, index) => end - 59 + index).map((minute) => ({
    ...load(minutes(minute)),
    admitted: minute * 60,
    refused: 0,
  })),
})

it('begins with the past hour and its rates', async () => {
  const add = createSampleLog(async () => hourUntil(59))
  const samples = await add(overviewAt(minutes(59) + 2000, 59 * 60 + 6), SIGNAL)
  expect(samples.map(({ atMs }) => atMs)).toEqual([...Array(60).keys()].map(minutes).concat(minutes(59) + 2000))
  expect(samples.map(({ admittedPerSecond }) => admittedPerSecond)).toEqual([null, ...Array(59).fill(1), 3])
  expect(samples.at(-1)?.refusedPerSecond).toBe(1.5)
})

it('begins now if the history cannot be read', async () => {
  const add = createSampleLog(() => Promise.reject(new Error('there is no such operation')))
  const samples = await add(overviewAt(minutes(59), 5), SIGNAL)
  expect(samples.map(({ atMs }) => atMs)).toEqual([minutes(59)])
})

it('has no rate between the counters of different processes', async () => {
  const add = createSampleLog(async () => hourUntil(59, 'another'))
  const samples = await add(overviewAt(minutes(59) + 2000, 5), SIGNAL)
  expect(samples.at(-1)?.admittedPerSecond).toBeNull()
})

it('fills only the gaps between the samples of the page from the history, and keeps one hour', async () => {
  const histories = [hourUntil(69), hourUntil(59)]
  const add = createSampleLog(async () => histories.pop() ?? hourUntil(0))
  await add(overviewAt(minutes(59) + 2000, 3600), SIGNAL)
  await add(overviewAt(minutes(59) + 4000, 3600), SIGNAL)
  expect(histories).toHaveLength(1)
  const samples = await add(overviewAt(minutes(69) + 4000, 4200), SIGNAL)
  const times = samples.map(({ atMs }) => atMs)
  expect(times.slice(0, 2)).toEqual([minutes(10), minutes(11)])
  expect(times.slice(-13)).toEqual([
    minutes(59) + 2000,
    minutes(59) + 4000,
    ...[60, 61, 62, 63, 64, 65, 66, 67, 68, 69].map(minutes),
    minutes(69) + 4000,
  ])
})
