import type { CheckInfo } from '../kit/catalogue.ts'
import { describeCheck, topicOfCheck } from '../kit/catalogue.ts'
import type { Check } from '../kit/check.ts'

/** Which checks of a target to run. A check must match every given member, and any value within a member. */
export interface Selection {
  /** `core` (default): the requirements of the specification. `reference`: also those of this project's decisions. */
  readonly profile?: 'core' | 'reference'
  /** Rules, or topics: `IDEM-03`, `IDEM`. */
  readonly rules?: readonly string[]
  /** Tags, or topics, which are the first part of IDs: `race`, `idempotency`. */
  readonly tags?: readonly string[]
  /** Check IDs. */
  readonly checks?: readonly string[]
}

/** Returns the selected checks in their original order. */
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

/** Whether a selection omits checks of its profile. */
export const isNarrowed = ({ rules, tags, checks }: Selection): boolean =>
  rules !== undefined || tags !== undefined || checks !== undefined
