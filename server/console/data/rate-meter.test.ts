import { expect, it } from 'vitest'
import { createRateMeter } from './rate-meter.ts'

const counts = (process_id: string, admitted: number, refused = 0) => ({
  process_id,
  admitted,
  replayed: 0,
  started_at: '2026-03-02T08:00:00.000Z',
  refusals:
    refused === 0
      ? []
      : [
          { code: 'BUSY', count: refused - 1 },
          { code: 'RATE_LIMITED', count: 1 },
        ],
})

it('measures each process by its own counters', () => {
  const meter = createRateMeter()
  const none = { admittedPerSecond: null, refusedPerSecond: null }
  expect(meter(counts('a', 100), 0)).toEqual(none)
  expect(meter(counts('b', 7), 1000)).toEqual(none)
  expect(meter(counts('a', 120, 4), 2000)).toEqual({ admittedPerSecond: 10, refusedPerSecond: 2 })
  expect(meter(counts('b', 10), 4000)).toEqual({ admittedPerSecond: 1, refusedPerSecond: 0 })
})
