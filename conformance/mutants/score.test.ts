import { expect, it } from 'vitest'
import { renderScore } from './score.ts'

it('scores mutants by rule and by profile', () => {
  const score = renderScore([
    { rule: 'IDEM-06', caughtBy: ['idempotency/x'] },
    { rule: 'GEN-16', caughtBy: ['general/x'] },
    { rule: 'GEN-16', caughtBy: [] },
  ])
  expect(score.split('\n')).toEqual([
    'GEN-16     1 of 2',
    'IDEM-06    1 of 1',
    'core: 2 of 3 mutants caught, of 2 rules',
  ])
})
