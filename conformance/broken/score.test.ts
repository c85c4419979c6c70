import { expect, it } from 'vitest'
import { renderScore } from './score.ts'

it('scores mutants by each rule that they violate, and by profile', () => {
  const score = renderScore([
    { rule: 'IDEM-06', also: ['ERR-11'], unseen: [] },
    { rule: 'GEN-16', unseen: [] },
    { rule: 'GEN-16', also: ['ERR-04'], unseen: ['GEN-16'] },
  ])
  expect(score.split('\n')).toEqual([
    'ERR-04     1 of 1',
    'ERR-11     1 of 1',
    'GEN-16     1 of 2',
    'IDEM-06    1 of 1',
    'core: 4 of 5 violations caught, of 4 rules',
  ])
})
