import { expect, it } from 'vitest'
import { lintContract } from '../src/lint-contract.ts'

it('the linter has nothing to say about either document', async () => {
  const { ok, output } = await lintContract()
  expect(ok || output).toBe(true)
})
