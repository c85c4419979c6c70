import { describe, expect, it } from 'vitest'
import { collectUnhandled } from '../test/support/unhandled.ts'
import { quietly } from './quietly.ts'

const FAULT = new Error('no')

/** To `await`, any object with this method is a promise. */
const foreignPromise = (then: (resolve: () => void, reject: (error: unknown) => void) => void): unknown => ({ then })

describe('a function that is called quietly', () => {
  it('returns its result, of any type', () => {
    expect(quietly(() => 7)).toBe(7)
    expect(quietly(() => null)).toBeNull()
  })

  it.each<[string, () => unknown]>([
    [
      'an exception',
      () => {
        throw FAULT
      },
    ],
    ['a rejection', () => Promise.reject(FAULT)],
    ['a rejection that comes later', () => new Promise((_resolve, reject) => setImmediate(() => reject(FAULT)))],
    ['a rejection of a foreign promise', () => foreignPromise((_resolve, reject) => reject(FAULT))],
    [
      'a foreign promise whose then throws',
      () =>
        foreignPromise(() => {
          throw FAULT
        }),
    ],
  ])('reports %s once, without an unhandled error', async (_name, action) => {
    const unhandled = collectUnhandled()
    const reported: unknown[] = []
    quietly(action, (error) => reported.push(error))
    quietly(action)
    await expect.poll(() => reported).toEqual([FAULT])
    expect(await unhandled()).toEqual([])
  })
})
