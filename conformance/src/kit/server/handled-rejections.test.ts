import { expect, it } from 'vitest'
import { withHandledRejections } from './handled-rejections.ts'

it('a rejection that is not awaited is not reported as unhandled, and an awaited call still rejects', async () => {
  const calls = withHandledRejections({ fail: async () => Promise.reject(new Error('late')), name: 'x' })
  void calls.fail()
  await new Promise((resolve) => setImmediate(resolve))
  await expect(calls.fail()).rejects.toThrow('late')
  expect(calls.name).toBe('x')
})
