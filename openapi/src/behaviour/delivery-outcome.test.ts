import { describe, expect, it } from 'vitest'
import type { AttemptResult } from './delivery-outcome.ts'
import { settleAttempt } from './delivery-outcome.ts'

const NOW = new Date('2026-03-01T12:00:00.000Z')
const answered = (status: number, retryAfter: string | null = null): AttemptResult => ({
  kind: 'answered',
  status,
  retryAfter,
  excerpt: 'the body of the answer',
})
const settle = (result: AttemptResult, attempts = 1) =>
  settleAttempt(result, { attempts, expiresAt: new Date(NOW.getTime() + 86_400_000) }, NOW, 0.5)

describe('an attempt', () => {
  it.each([200, 201, 202, 204, 299])('answered with %i delivers the event [CB-23]', (status) => {
    expect(settle(answered(status))).toEqual({ state: 'delivered', nextAttemptAt: null, error: null })
  })

  it.each([408, 425, 429, 500, 501, 503, 504, 599])('answered with %i is retried [CB-24]', (status) => {
    expect(settle(answered(status))).toEqual({
      state: 'pending',
      nextAttemptAt: new Date('2026-03-01T12:00:05.000Z'),
      error: { message: `The receiver answered ${status}.`, status },
    })
  })

  it.each([300, 301, 307, 308, 400, 401, 403, 404, 409, 410, 418, 426, 499])(
    'answered with %i needs action [CB-26]',
    (status) => {
      expect(settle(answered(status, '1'))).toEqual({
        state: 'needs_action',
        nextAttemptAt: null,
        error: { message: `The receiver answered ${status}.`, status },
      })
    },
  )

  it('answered with an invalid status needs action, and the message contains it', () => {
    expect(settle(answered(999)).error).toEqual({ message: 'The receiver answered 999.', status: null })
  })

  it('without an answer is retried [CB-24]', () => {
    expect(settle({ kind: 'failed', message: 'The receiver refused the connection.' })).toMatchObject({
      state: 'pending',
      error: { message: 'The receiver refused the connection.', status: null },
    })
  })

  it('that was blocked needs action', () => {
    expect(settle({ kind: 'blocked', message: 'no' })).toMatchObject({ state: 'needs_action', nextAttemptAt: null })
  })

  it('that is the eighth makes the delivery expired, unless it was delivered or refused [CB-27, CB-30]', () => {
    const results = [answered(503), answered(200), answered(404), { kind: 'failed', message: 'no' } as const]
    expect(results.map((result) => settle(result, 8).state)).toEqual([
      'expired',
      'delivered',
      'needs_action',
      'expired',
    ])
  })
})
