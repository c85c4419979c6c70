import { describe, expect, it } from 'vitest'
import { readOutcome, readStep } from './steps.ts'

describe('a step', () => {
  it.each([
    [{ delta: '' }, { delta: '' }],
    [{ message: 'whole' }, { message: 'whole' }],
    [{ approval: 'Refund?' }, { approval: 'Refund?' }],
    [{ end: { state: 'succeeded' } }, { end: { state: 'succeeded' } }],
    [
      { end: { state: 'succeeded', text: 'a', resource_ids: ['res_1'] } },
      { end: { state: 'succeeded', text: 'a', resourceIds: ['res_1'] } },
    ],
  ])('%j is read', (value, step) => {
    expect(readStep(value, 'It yielded')).toEqual(step)
  })

  it.each([
    [undefined, 'the value must be an object'],
    [{}, 'the value must have at least 1 member'],
    [{ delta: 'a', message: 'b' }, 'the value must have at most 1 member'],
    [{ delta: 1 }, '/delta must be a string'],
    [{ think: 'a' }, '/think is not a known member'],
    [{ end: { state: 'done' } }, '/end/state must be one of succeeded, failed'],
    [{ end: { state: 'failed' } }, '/end/error is required'],
    [{ end: { state: 'succeeded', txt: 'a' } }, '/end/txt is not a known member'],
  ])('%j is refused, naming the wrong member [ASST-15]', (value, fault) => {
    expect(() => readStep(value, 'It yielded')).toThrow(`It yielded something other than documented: ${fault}.`)
  })
})

describe('the return value of a generator', () => {
  it('is undefined, or an end with camelCase names', () => {
    expect(readOutcome(undefined, 'It returned')).toBeUndefined()
    expect(readOutcome({ state: 'succeeded', resourceIds: ['res_1'] }, 'It returned')).toEqual({
      state: 'succeeded',
      resourceIds: ['res_1'],
    })
    expect(() => readOutcome({ text: 'a' }, 'It returned')).toThrow('/state is required')
  })
})
