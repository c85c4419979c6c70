import { hash } from 'node:crypto'
import type { CheckInfo } from '../kit/catalogue.ts'
import type { Target } from '../kit/check.ts'
import core202612 from './core-2026-12.json' with { type: 'json' }
import core202701 from './core-2027-01.json' with { type: 'json' }
import reference202612 from './reference-2026-12.json' with { type: 'json' }
import reference202701 from './reference-2027-01.json' with { type: 'json' }

/** The counted checks of a profile, frozen at a date. Newer checks are run, but count only from the next set on. */
export interface RequirementSet {
  /** Profile and date: `core-2026-12`. */
  readonly name: string
  readonly profile: CheckInfo['profile']
  /** `info.version` of its contract. */
  readonly contractVersion: string
  /**
   * IDs of the counted checks by target. Sets of `reference` include those of `core`. For an absent target all checks
   * count.
   */
  readonly checks: Readonly<Partial<Record<Target, readonly string[]>>>
}

/** All sets, the newest of each profile last. */
export const REQUIREMENT_SETS = [core202612, reference202612, core202701, reference202701] as readonly RequirementSet[]

/** Returns the set with this name, or the newest of the profile; null if none matches. */
export function findRequirementSet(profile: RequirementSet['profile'], name = 'latest'): RequirementSet | null {
  const sets = REQUIREMENT_SETS.filter((set) => set.profile === profile)
  return (name === 'latest' ? sets.at(-1) : sets.find((set) => set.name === name)) ?? null
}

/** SHA-256 of a set, for comparing two copies. */
export const hashOfSet = (set: RequirementSet): string => hash('sha256', JSON.stringify(set))
