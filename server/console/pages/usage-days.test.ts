import { describe, expect, it } from 'vitest'
import { daysOf, startOfDays, totalOf } from './usage-days.ts'

const NOON = Date.parse('2026-03-03T12:00:00.000Z')
const row = (app_id: string, day: string, admitted: number, failed: number) => ({
  app_id,
  day,
  admitted,
  succeeded: admitted - failed,
  failed,
  cancelled: 0,
  interrupted: 0,
  expired: 0,
  unfinished: 0,
  endpoint_id: null,
  input_tokens: 10 * admitted,
  output_tokens: admitted,
  costs: [],
})
const ROWS = [row('app_b', '2026-03-03', 5, 1), row('app_a', '2026-03-03', 2, 0), row('app_a', '2026-03-01', 1, 1)]

describe('the usage of some days', () => {
  it('begins at midnight, so that its first day is complete', () => {
    expect(startOfDays(7, NOON).toISOString()).toBe('2026-02-25T00:00:00.000Z')
    expect(startOfDays(1, Date.parse('2026-03-03T00:00:00.000Z')).toISOString()).toBe('2026-03-03T00:00:00.000Z')
  })

  it('has a column for each day, even for days without runs', () => {
    const days = daysOf(ROWS, 3, NOON)
    expect(days.map(({ day, admitted, succeeded, failed }) => [day, admitted, succeeded, failed])).toEqual([
      ['2026-03-01', 1, 0, 1],
      ['2026-03-02', 0, 0, 0],
      ['2026-03-03', 7, 6, 1],
    ])
  })

  it('adds up over applications and days', () => {
    expect(totalOf(ROWS)).toMatchObject({
      admitted: 8,
      succeeded: 6,
      failed: 2,
      unfinished: 0,
      input_tokens: 80,
      output_tokens: 8,
    })
  })
})
