import type { CheckInfo } from '../kit/catalogue.ts'
import { describeCheck, topicOfCheck } from '../kit/catalogue.ts'
import type { Check } from '../kit/check.ts'

/** Which checks of a target to run. Members narrow one another; values within a member widen. */
export interface Selection {
  /** `core` (default): what the specification demands; `reference`: that and the decisions. */
  readonly profile?: 'core' | 'reference'
  /** Rules, or topics: `IDEM-03`, `IDEM`. */
  readonly rules?: readonly string[]
  /** Tags, or topics as IDs begin with them: `race`, `idempotency`. */
  readonly tags?: readonly string[]
  /** IDs of checks. */
  readonly checks?: readonly string[]
}

/** The checks that the selection names, in their order. */
export function selectChecks<Kind extends Check<never>>(checks: readonly Kind[], selection: Selection): Kind[] {
  return checks.filter((check) => isSelected(describeCheck(check), selection))
}

function isSelected(check: CheckInfo, { profile = 'core', rules, tags, checks }: Selection): boolean {
  if (profile === 'core' && check.profile !== 'core') return false
  if (checks !== undefined && !checks.includes(check.id)) return false
  if (rules !== undefined && !check.rules.some((id) => rules.includes(id) || rules.includes(id.replace(/-\d+$/, ''))))
    return false
  return tags === undefined || [topicOfCheck(check.id), ...check.tags].some((tag) => tags.includes(tag))
}

/** Whether a selection leaves out checks of its profile. */
export const isNarrowed = ({ rules, tags, checks }: Selection): boolean =>
  rules !== undefined || tags !== undefined || checks !== undefined
