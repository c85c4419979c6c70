import assert from 'node:assert/strict'
import { describe, expect, it } from 'vitest'
import { namePosition } from './difference.ts'
import { describeFailure } from './failure.ts'

const CHECK = { title: 'a duplicate key is refused', rules: ['CONV-08'] } as const

const failureOf = (assertion: () => void) => {
  try {
    assertion()
  } catch (error) {
    return describeFailure(error, { check: CHECK, lastAnswer: 'HTTP/1.1 200' })
  }
  throw new Error('the assertion did not fail')
}

describe('a failed assertion without a message', () => {
  it.each<[string, () => void, string]>([
    ['equal', () => assert.equal('b', 'a'), 'expected "a", got "b"'],
    ['equal with a missing value', () => assert.equal(undefined, 'a'), 'expected "a", got nothing'],
    [
      'deepEqual',
      () => assert.deepEqual({ runs: [{ state: 'b' }] }, { runs: [{ state: 'a' }] }),
      'state of the first of runs: expected "a", got "b"',
    ],
    ['deepEqual of lists', () => assert.deepEqual([1, 2, 4], [1, 2, 3]), 'the third entry: expected 3, got 4'],
    ['deepEqual with an extra member', () => assert.deepEqual({ a: 1 }, {}), 'a: expected nothing, got 1'],
    ['notEqual', () => assert.notEqual(1, 1), 'expected any other value than 1'],
    ['match', () => assert.match('x', /y/), 'expected a match of /y/, got "x"'],
    ['doesNotMatch', () => assert.doesNotMatch('y', /y/), 'expected no match of /y/, got "y"'],
    ['ok', () => assert.ok([].length), 'not true: a duplicate key is refused; the last answer was HTTP/1.1 200'],
  ])('is described in words, with the rule in its cause: %s', (_name, assertion, says) => {
    const { message, cause } = failureOf(assertion)
    expect(message).toBe(says)
    expect(cause).toMatch(/^CONV-08 Duplicate business key is BUSY: /)
    expect(`${message} ${cause}`).not.toMatch(/strictly|falsy|regular expression/)
  })

  it('keeps the message of an assertion that has one', () => {
    expect(failureOf(() => assert.equal(1, 2, 'the run ended twice')).message).toMatch(/^the run ended twice/)
    expect(failureOf(() => assert.equal(1, 2, 'the run ended twice')).cause).toBe('the run ended twice')
  })
})

it('names positions in words', () => {
  expect(namePosition(['runs', 0, 'state'])).toBe('state of the first of runs')
  expect(namePosition([11])).toBe('the 12th entry')
  expect(namePosition([])).toBe('')
})
