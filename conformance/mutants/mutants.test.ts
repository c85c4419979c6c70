import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { parseSuiteExclusions } from '../src/rule-coverage/suite-coverage.ts'
import { RULES } from '../src/rules.ts'
import { clientMutants } from './client/index.ts'
import { rulesOf } from './mutant.ts'
import { patchText } from './patch-text.ts'
import { receiverMutants } from './receiver/index.ts'
import { serverMutants } from './server/index.ts'

const TARGETS = { server: serverMutants, client: clientMutants, receiver: receiverMutants }

const excludedIn = (file: string): string[] =>
  parseSuiteExclusions(readFileSync(new URL(`../${file}`, import.meta.url), 'utf8'), file).map(({ rule }) => rule)

describe.each(Object.entries(TARGETS))('the mutants of the %s', (target, mutants) => {
  it('have names of their own', () => {
    expect(new Set(mutants.map(({ name }) => name)).size).toBe(mutants.length)
  })

  it.each(mutants.map((mutant) => [mutant.name, mutant] as const))(
    '%s fits its source and violates rules of its target',
    (_name, mutant) => {
      for (const rule of rulesOf(mutant)) expect(RULES.get(rule)?.target).toBe(target)
      const source = readFileSync(new URL(`../../${mutant.file}`, import.meta.url), 'utf8')
      expect(patchText(source, mutant)).not.toBe(source)
    },
  )
})

describe('the rules of core', () => {
  const violated = new Set(Object.values(TARGETS).flat().flatMap(rulesOf))
  const unchecked = new Set(excludedIn('suite-exclusions.yaml'))
  const excluded = excludedIn('mutant-exclusions.yaml')

  it('have each a mutant unless they only allow something, or the reason why not', () => {
    const open = [...RULES.values()].filter(
      ({ id, profile, level }) =>
        profile === 'core' && level !== 'MAY' && !violated.has(id) && !unchecked.has(id) && !excluded.includes(id),
    )
    expect(open.map(({ id }) => id)).toEqual([])
  })

  it('have no reason where there is a mutant, or no check', () => {
    expect(excluded.filter((rule) => !RULES.has(rule) || violated.has(rule) || unchecked.has(rule))).toEqual([])
  })
})
