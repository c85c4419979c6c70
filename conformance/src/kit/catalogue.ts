import type { Check, Target } from './check.ts'
import { type Level, RULES, type Rule } from './rules.ts'

/** Properties of a check that are known without running it. */
export interface CheckInfo {
  readonly id: string
  readonly title: string
  readonly target: Target
  readonly profile: Rule['profile']
  readonly level: Level
  readonly rules: readonly string[]
  readonly tags: readonly string[]
  readonly needs: readonly string[]
}

type AnyCheck = Pick<Check<never>, 'id' | 'title' | 'rules' | 'tags' | 'needs'>

/** The topic of a check, which is the first part of its ID. */
export const topicOfCheck = (id: string): string => id.split('/', 1)[0] ?? ''

/** Describes a check together with its first rule. @throws {Error} The check cites an unknown rule. */
export function describeCheck(check: AnyCheck): CheckInfo {
  const rule = RULES.get(check.rules[0])
  if (rule === undefined) throw new Error(`${check.id} cites ${check.rules[0]}, which is not a rule`)
  return {
    id: check.id,
    title: check.title,
    target: rule.target,
    profile: rule.profile,
    level: rule.level,
    rules: check.rules,
    tags: check.tags ?? [],
    needs: check.needs ?? [],
  }
}

/** Returns the faults in the definitions of the checks of one target. Each is a sentence that names the check. */
export function faultsOfChecks(target: Target, checks: readonly AnyCheck[]): string[] {
  const seen = new Set<string>()
  return checks.flatMap(({ id, title, rules }) => {
    const faults: string[] = []
    if (seen.has(id)) faults.push(`${id}: the ID is not unique`)
    seen.add(id)
    if (!/^[a-z0-9-]+\/[a-z0-9_-]+$/.test(id)) faults.push(`${id}: an ID must be <topic>/<behaviour> in lower case`)
    if (title.trim() === '' || title.endsWith('.'))
      faults.push(`${id}: a title must be a sentence without its full stop`)
    const found = rules.flatMap((name) => RULES.get(name) ?? [])
    for (const name of rules) if (!RULES.has(name)) faults.push(`${id}: cites ${name}, which is not a rule`)
    for (const rule of found)
      if (rule.target !== target) faults.push(`${id}: ${rule.id} is a rule for the ${rule.target}`)
    for (const member of ['profile', 'level'] as const)
      if (new Set(found.map((rule) => rule[member])).size > 1)
        faults.push(
          `${id}: its rules differ in ${member}: ${found.map((rule) => `${rule.id} ${rule[member]}`).join(', ')}`,
        )
    return faults
  })
}
