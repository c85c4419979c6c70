import { parse } from 'yaml'
import type { CheckInfo } from '../catalogue.ts'
import type { Rule } from '../rules.ts'

/** A rule that no check of the suite can show, with the reason. */
export interface SuiteExclusion {
  readonly rule: string
  readonly reason: string
}

export interface SuiteCoverage {
  /** Rules with neither a check nor an exclusion. */
  readonly open: readonly Rule[]
  /** Exclusions of rules that do not exist or have a check by now. */
  readonly stale: readonly (SuiteExclusion & { readonly why: string })[]
  readonly counts: {
    readonly rules: number
    readonly checked: number
    readonly excluded: number
    readonly checks: number
  }
}

/** Compares the rules with the checks that cite them: each needs one, or a reason why none can be. */
export function coverRules(
  rules: Iterable<Rule>,
  checks: readonly Pick<CheckInfo, 'rules'>[],
  exclusions: readonly SuiteExclusion[],
): SuiteCoverage {
  const all = [...rules]
  const checked = new Set(checks.flatMap((check) => check.rules))
  const excluded = new Set(exclusions.map(({ rule }) => rule))
  const known = new Set(all.map(({ id }) => id))
  return {
    open: all.filter(({ id }) => !checked.has(id) && !excluded.has(id)),
    stale: exclusions.flatMap((exclusion) => {
      if (!known.has(exclusion.rule)) return [{ ...exclusion, why: 'there is no such rule' }]
      return checked.has(exclusion.rule) ? [{ ...exclusion, why: 'a check cites the rule by now' }] : []
    }),
    counts: {
      rules: all.length,
      checked: all.filter(({ id }) => checked.has(id)).length,
      excluded: all.filter(({ id }) => excluded.has(id)).length,
      checks: checks.length,
    },
  }
}

/** Parses `suite-exclusions.yaml`, or a file like it. @throws {Error} an entry is not a rule with its reason. */
export function parseSuiteExclusions(text: string, file = 'suite-exclusions.yaml'): SuiteExclusion[] {
  const list: unknown = parse(text) ?? []
  if (!Array.isArray(list)) throw new Error(`${file} must be a list`)
  return list.map((entry: unknown, at) => {
    const { rule, reason } = Object(entry)
    if (typeof rule !== 'string' || typeof reason !== 'string' || reason.trim() === '')
      throw new Error(`${file}, entry ${at + 1}: must have a rule and a reason`)
    return { rule, reason }
  })
}
