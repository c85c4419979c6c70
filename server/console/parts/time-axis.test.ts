import { expect, it } from 'vitest'
import { formatClock, timeRange } from './time-axis.ts'

const at = (time: string): number => new Date(`2026-03-02T${time}`).getTime() / 1000

it('spans from the first sample to the last', () => {
  expect(timeRange(at('08:30:00'), at('09:30:00'))).toEqual([at('08:30:00'), at('09:30:00')])
})

it('spans five minutes, not a day, if there is only one sample', () => {
  expect(timeRange(at('09:30:00'), at('09:30:00')).map(formatClock)).toEqual(['09:25', '09:30'])
})
