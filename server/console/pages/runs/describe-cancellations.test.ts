import { describe, expect, it } from 'vitest'
import { describeFound, narrowToUnfinished, runsOf } from './describe-cancellations.ts'

const NOW = Date.parse('2026-03-02T10:00:00Z')

describe('runs to cancel', () => {
  it('are those that match the filters of the list, with its time window', () => {
    expect(narrowToUnfinished({ app_id: 'app_shop', state: 'queued', within: '3600' }, NOW)).toEqual({
      app_id: 'app_shop',
      state: 'queued',
      created_after: '2026-03-02T09:00:00.000Z',
    })
  })

  it.each([
    ['the list has no filter', {}],
    ['the list has ended runs only', { state: 'failed' }],
    ['a filter matches ended runs only', { app_id: 'app_shop', error_code: 'ASSISTANT_ERROR' }],
    ['they are already being stopped', { state: 'cancelling' }],
  ])('are not offered if %s', (_case, filters) => {
    expect(narrowToUnfinished(filters, NOW)).toBeNull()
  })

  it('are counted separately by whether they have started', () => {
    const found = { dry_run: true, matching: 3, cancelled: 1, stopping: 2, more: false, next_before: null }
    expect(describeFound(found).slice(0, 2)).toEqual([
      '1 run not started: cancelled at once.',
      '2 runs executing or waiting: cancelled as soon as the assistant confirms.',
    ])
    expect(describeFound({ ...found, cancelled: 0 })).toHaveLength(2)
    expect([runsOf(1), runsOf(1000, true)]).toEqual(['1 run', '1,000 and more runs'])
  })
})
