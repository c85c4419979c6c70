import { describe, expect, it } from 'vitest'
import { formatAgo, formatAhead, formatCount, formatDuration, shortenId } from './format.ts'

describe('a length of time', () => {
  it.each([
    [0, '0 ms'],
    [840, '840 ms'],
    [1240, '1.2 s'],
    [12_400, '12 s'],
    [60_000, '1 min'],
    [200_000, '3 min 20 s'],
    [7_320_000, '2 h 2 min'],
    [183_600_000, '2 d 3 h'],
  ])('%i ms is %s', (ms, text) => expect(formatDuration(ms)).toBe(text))

  it('since a past moment has one unit; a future moment that has passed is due', () => {
    expect([formatAgo(400), formatAgo(61_000), formatAgo(7_400_000)]).toEqual(['now', '1 min ago', '2 h ago'])
    expect([formatAhead(-5), formatAhead(5000)]).toEqual(['due', 'in 5.0 s'])
  })
})

it('shortens a long ID to its distinguishing digits, and shows a short one unchanged', () => {
  expect(shortenId('run_0199d3a1c0e37b55c6d7e8f901122334')).toBe('run_…f901122334')
  expect(shortenId('app_demo')).toBe('app_demo')
  expect(shortenId('cb_warehouse_notifications')).toBe('cb_warehouse_notifications')
})

it('shortens counts that are too long for a column', () => {
  expect([formatCount(1234), formatCount(2_500_000)]).toEqual(['1,234', '2.5M'])
})
