import { expect, it } from 'vitest'
import { createRateMeter } from './rate-meter.ts'

const counts = (processId: string, admitted: number, refused = 0) => ({ processId, admitted, refused })

it('measures each process by its own counters', () => {
  const meter = createRateMeter()
  const none = { admittedPerSecond: null, refusedPerSecond: null }
  expect(meter(counts('a', 100), 0)).toEqual(none)
  expect(meter(counts('b', 7), 1000)).toEqual(none)
  expect(meter(counts('a', 120, 4), 2000)).toEqual({ admittedPerSecond: 10, refusedPerSecond: 2 })
  expect(meter(counts('b', 10), 4000)).toEqual({ admittedPerSecond: 1, refusedPerSecond: 0 })
})
