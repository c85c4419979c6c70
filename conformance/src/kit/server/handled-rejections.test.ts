import { expect, it } from 'vitest'
import { withHandledRejections } from './handled-rejections.ts'

it('a failure that nobody waits for any more is no unhandled rejection, and one that is waited for still fails', async () => {
  const calls = withHandledRejections({ fail: async () => Promise.reject(new Error('late')), name: 'x' })
  void calls.fail()
  await new Promise((resolve) => setImmediate(resolve))
  await expect(calls.fail()).rejects.toThrow('late')
  expect(calls.name).toBe('x')
})
