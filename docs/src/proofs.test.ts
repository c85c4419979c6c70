import { expect, it } from 'vitest'
import { loadRules } from '../../openapi/src/rules.ts'
import { readProofs } from './proofs.ts'

it('reads checks and mutants, which refer to existing rules only', async () => {
  const known = new Set(loadRules().map(({ id }) => id))
  const { checks, mutants } = await readProofs()
  const cited = [...checks.flatMap(({ rules }) => rules), ...mutants.flatMap(({ rule, also }) => [rule, ...also])]
  expect(cited.filter((id) => !known.has(id))).toEqual([])
})
