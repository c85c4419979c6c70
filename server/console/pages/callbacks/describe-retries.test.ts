import { expect, it } from 'vitest'
import { describeFound } from './describe-retries.ts'

const FOUND = {
  dry_run: true,
  retryable: 420,
  retried: 0,
  configuration_disabled: 0,
  configuration_changed: 3,
  payload_gone: 1,
  more: false,
  next_created_after: null,
}

it('lists for a dry run the deliveries that will be retried, and the reasons why others cannot be', () => {
  const [first, , ...left] = describeFound(FOUND)
  expect(first).toMatch(/^420 deliveries will be pending again/)
  expect(left).toEqual([
    '3 deliveries cannot be retried: the callback has changed since.',
    '1 delivery cannot be retried: the content is no longer retained.',
  ])
})

it('says that there are more deliveries than were examined', () => {
  expect(describeFound({ ...FOUND, more: true })[0]).toMatch(/^420 and more deliveries/)
})
