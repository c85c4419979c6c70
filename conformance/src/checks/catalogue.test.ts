import { describe, expect, it } from 'vitest'
import { faultsOfChecks } from '../kit/catalogue.ts'
import { listChecks } from '../run/examination.ts'
import { TARGETS } from './list-all-checks.ts'

const check = { id: 'topic/one', title: 'does one thing', rules: ['CONV-08'] as [string], run: async () => {} }

describe('the catalogue of checks', () => {
  it.each(TARGETS)('has no fault in the checks of the %s target', async (target) => {
    const checks = await listChecks(target, {})
    expect(checks.length).toBeGreaterThan(0)
    expect(faultsOfChecks(target, checks)).toEqual([])
  })

  it.each([
    [[check, check], 'the ID is not unique'],
    [[{ ...check, id: 'One' }], 'an ID must be <topic>/<behaviour>'],
    [[{ ...check, title: 'Does.' }], 'a title must be a sentence'],
    [[{ ...check, rules: ['XX-1'] as [string] }], 'cites XX-1, which is not a rule'],
    [[{ ...check, rules: ['CONV-08', 'ADMIN-01'] as [string, string] }], 'its rules differ in profile'],
    [[{ ...check, rules: ['GEN-03'] as [string] }], 'GEN-03 is a rule for the client'],
  ])('finds the fault in %j', (checks, fault) => {
    expect(faultsOfChecks('server', checks).join('\n')).toContain(fault)
  })
})
