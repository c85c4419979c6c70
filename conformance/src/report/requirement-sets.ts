import { createHash } from 'node:crypto'
import type { CheckInfo } from '../kit/catalogue.ts'
import type { Target } from '../kit/check.ts'
import core202612 from './core-2026-12.json' with { type: 'json' }
import core202701 from './core-2027-01.json' with { type: 'json' }
import reference202612 from './reference-2026-12.json' with { type: 'json' }
import reference202701 from './reference-2027-01.json' with { type: 'json' }

/** Which checks count for a profile, frozen under a date. Checks that came later are run and count with the next set. */
export interface RequirementSet {
  /** Profile and date: `core-2026-12`. */
  readonly name: string
  readonly profile: CheckInfo['profile']
  /** `info.version` of the contract that it is about. */
  readonly contractVersion: string
  /** IDs of the checks that count, by target. Those of `reference` include those of `core`. Of a target that is absent all count. */
  readonly checks: Readonly<Partial<Record<Target, readonly string[]>>>
}

/** Every set, the newest of a profile last. */
export const REQUIREMENT_SETS = [core202612, reference202612, core202701, reference202701] as readonly RequirementSet[]

/** The set of this name, or the newest of the profile; null where there is none of that profile and name. */
export function findRequirementSet(profile: RequirementSet['profile'], name = 'latest'): RequirementSet | null {
  const sets = REQUIREMENT_SETS.filter((set) => set.profile === profile)
  return (name === 'latest' ? sets.at(-1) : sets.find((set) => set.name === name)) ?? null
}

/** SHA-256 of a set, by which two copies of it can be compared. */
export const hashOfSet = (set: RequirementSet): string => createHash('sha256').update(JSON.stringify(set)).digest('hex')
