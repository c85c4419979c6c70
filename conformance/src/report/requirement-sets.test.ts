import { describe, expect, it } from 'vitest'
import contract from '#openapi/gateway.json' with { type: 'json' }
import { listAllChecks } from '../checks/list-all-checks.ts'
import { findRequirementSet, hashOfSet, REQUIREMENT_SETS } from './requirement-sets.ts'

/** A published set never changes, because reports name it by this hash. */
const FROZEN: Readonly<Record<string, string>> = {
  'core-2026-12': 'ca829cd66dbdd7afad31db00b46fdda9f9bbfc4c818a72a4042b89c46f1a83e7',
  'reference-2026-12': '9b22cb76147d9c4ef4a39930d01400d670e9bc6e09cd5fa1ebc63be29efb1e42',
  'core-2027-01': '5e4150b19a8c8347031df6896be7ee691a1e5ea49a78b85317f1fb8ca631fe40',
  'reference-2027-01': '64970dae2689a324ad402f977ec5da68a85767283115dfd947329c3c4cb3848c',
}

describe('the requirement sets', () => {
  it('have not changed since they were frozen', () => {
    expect(Object.fromEntries(REQUIREMENT_SETS.map((set) => [set.name, hashOfSet(set)]))).toEqual(FROZEN)
  })

  it('name existing checks of their target and profile', async () => {
    const checks = new Map((await listAllChecks()).map((check) => [`${check.target} ${check.id}`, check]))
    const faults = REQUIREMENT_SETS.flatMap(({ name, profile, checks: byTarget }) =>
      Object.entries(byTarget).flatMap(([target, ids]) =>
        ids
          .filter((id) => {
            const check = checks.get(`${target} ${id}`)
            return check === undefined || (profile === 'core' && check.profile !== 'core')
          })
          .map((id) => `${name}: ${target} ${id}`),
      ),
    )
    expect(faults).toEqual([])
  })

  it('use the current contract version in the newest sets', () => {
    for (const profile of ['core', 'reference'] as const)
      expect(findRequirementSet(profile)?.contractVersion).toBe(contract.info.version)
  })

  it('can be found by profile and name', () => {
    expect(findRequirementSet('core', 'core-2026-12')?.name).toBe('core-2026-12')
    expect(findRequirementSet('reference', 'core-2026-12')).toBeNull()
  })
})
