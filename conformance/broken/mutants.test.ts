import { describe, expect, it } from 'vitest'
import { listAllChecks } from '../src/checks/list-all-checks.ts'
import { RULES } from '../src/kit/rules.ts'
import { rulesOf } from './mutant.ts'
import { MUTANTS } from './mutants.ts'

describe.each(Object.entries(MUTANTS))('the mutants of the %s', (target, mutants) => {
  it('have unique names', () => {
    expect(new Set(mutants.map(({ name }) => name)).size).toBe(mutants.length)
  })

  it('violate only rules of that target', () => {
    const targets = mutants.flatMap(rulesOf).map((rule) => RULES.get(rule)?.target)
    expect(new Set(targets)).toEqual(new Set([target]))
  })
})

/** Rules of core that have checks and that no mutant violates, with the reason. */
const NO_MUTANT: Readonly<Record<string, string>> = {
  'SNAP-08':
    'The specification does not state the size of the budget, so no check can tell a missing budget from a large one.',
  'RUN-16': 'The contract has no route that approves, so the check cannot know which route a mutant would add.',
}

it('mutants violate every rule of core that has a check and is not a MAY, except those of NO_MUTANT', async () => {
  const checked = new Set((await listAllChecks()).flatMap(({ rules }) => rules))
  const violated = new Set(Object.values(MUTANTS).flat().flatMap(rulesOf))
  const spared = [...RULES.values()].filter(
    ({ id, profile, level }) => profile === 'core' && level !== 'MAY' && checked.has(id) && !violated.has(id),
  )
  expect(spared.map(({ id }) => id).toSorted()).toEqual(Object.keys(NO_MUTANT).toSorted())
})
