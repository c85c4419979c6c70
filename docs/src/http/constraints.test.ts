import { expect, it } from 'vitest'
import { constraintsOf } from './constraints.ts'

it('finds the length that a pattern bounds', () => {
  const pattern = '^[\\x21-\\x7e]{1,128}$'
  expect(constraintsOf({ type: 'string', pattern })).toEqual(['1 to 128 characters', `matches \`${pattern}\``])
})

it('ignores a count that is only part of a longer pattern', () => {
  const pattern = '^gk_[a-z]{1,26}_[a-z]{1,43}$'
  expect(constraintsOf({ type: 'string', pattern })).toEqual([`matches \`${pattern}\``])
  expect(constraintsOf({ type: 'string', pattern: '^[a-z]{1,9}$', maxLength: 5 })).toEqual([
    'at most 5 characters',
    'matches `^[a-z]{1,9}$`',
  ])
})
