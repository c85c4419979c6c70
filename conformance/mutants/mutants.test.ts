import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { RULES } from '../src/rules.ts'
import { clientMutants } from './client/index.ts'
import { patchText } from './patch-text.ts'
import { receiverMutants } from './receiver/index.ts'
import { serverMutants } from './server/index.ts'

const TARGETS = { server: serverMutants, client: clientMutants, receiver: receiverMutants }

describe.each(Object.entries(TARGETS))('the mutants of the %s', (target, mutants) => {
  it('have names of their own', () => {
    expect(new Set(mutants.map(({ name }) => name)).size).toBe(mutants.length)
  })

  it.each(mutants.map((mutant) => [mutant.name, mutant] as const))(
    '%s fits its source and violates a rule of its target',
    (_name, mutant) => {
      expect(RULES.get(mutant.rule)?.target).toBe(target)
      const source = readFileSync(new URL(`../../${mutant.file}`, import.meta.url), 'utf8')
      expect(patchText(source, mutant)).not.toBe(source)
    },
  )
})
