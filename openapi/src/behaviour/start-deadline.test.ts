import { describe, expect, test } from 'vitest'
import { LIMITS } from '../../generated/limits.ts'
import { startDeadline } from './start-deadline.ts'

const now = new Date('2026-01-01T12:00:00.000Z')
const message = (requested?: string) => startDeadline(requested, now, LIMITS.messageStartMs)

describe('the start deadline of a message', () => {
  test('is five minutes after admission unless asked otherwise [MSG-17]', () => {
    expect(message()).toEqual(new Date('2026-01-01T12:05:00.000Z'))
  })

  test.each([
    ['one millisecond from now', '2026-01-01T12:00:00.001Z'],
    ['exactly five minutes from now', '2026-01-01T12:05:00.000Z'],
    ['the same moment in another time zone', '2026-01-01T14:05:00.000+02:00'],
  ])('may be %s', (_, requested) => {
    expect(message(requested)).toEqual(new Date(requested))
  })

  test.each([
    ['now', '2026-01-01T12:00:00.000Z', 'must be later than now'],
    ['in the past', '2025-12-31T23:59:59Z', 'must be later than now'],
    ['a millisecond beyond the window', '2026-01-01T12:05:00.001Z', 'at most 5 minutes'],
    ['a leap second', '2016-12-31T23:59:60Z', 'is not a valid timestamp'],
  ])('may not be %s', (_, requested, reason) => {
    expect(message(requested)).toMatchObject({
      code: 'INVALID_REQUEST',
      faults: [{ pointer: '/start_before', message: expect.stringContaining(reason) }],
    })
  })
})

test('a direct run may start within 24 hours [DIRECT-06, DIRECT-11]', () => {
  const direct = (requested?: string) => startDeadline(requested, now, LIMITS.directStartMs)
  expect(direct()).toEqual(new Date('2026-01-02T12:00:00.000Z'))
  expect(direct('2026-01-02T12:00:00.001Z')).toMatchObject({ code: 'INVALID_REQUEST' })
})
