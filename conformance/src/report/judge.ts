import { topicOfCheck } from '../kit/catalogue.ts'
import { findRequirementSet } from './requirement-sets.ts'
import type { SealedReport } from './seal.ts'
import { countStatuses, type Status } from './status.ts'

/**
 * The judgement on a run. `conformant`: all counted checks were examined, and no MUST is broken. `conformant-except`:
 * the same except for untestable checks that `--allow-untestable` names. `incomplete`: no MUST is broken, but a counted
 * check could not be examined. `selection`: only some checks were selected, and no MUST is broken. `not-conformant`: a MUST
 * is broken, or the baseline is stale. `no-verdict`: checks were not run, or the driver failed. `nothing-examined`: no
 * check passed, and none failed.
 */
export type Verdict =
  | 'conformant'
  | 'conformant-except'
  | 'incomplete'
  | 'selection'
  | 'not-conformant'
  | 'no-verdict'
  | 'nothing-examined'

/** The counted checks of one topic that were not examined. */
export interface MissedTopic {
  readonly topic: string
  readonly missed: number
  /** Number of counted checks of the topic. */
  readonly checks: number
  /** Whether `--allow-untestable` names all unexamined checks. */
  readonly isAllowed: boolean
}

export interface Judgement {
  readonly verdict: Verdict
  /** Number of counted checks. */
  readonly counted: number
  /** Number of examined ones among them. */
  readonly examined: number
  /** Number of passed ones among them. */
  readonly passed: number
  /** Topics with unexamined checks. Topics without any examined check come first. */
  readonly missed: readonly MissedTopic[]
}

type Judged = Pick<SealedReport, 'checks' | 'staleBaseline' | 'isSelection' | 'allowedUntestable'>

const NOT_EXAMINED: ReadonlySet<Status> = new Set(['untestable', 'not-run', 'undecided'])

/** @param required IDs of the counted checks; null: all checks of the report. */
export function judge(
  { checks, staleBaseline, isSelection = false, allowedUntestable = [] }: Judged,
  required: readonly string[] | null,
): Judgement {
  const statuses = new Map(checks.map(({ id, status }) => [id, status]))
  const counted = required ?? [...statuses.keys()]
  const count = countStatuses(checks)
  const missedIds = counted.filter((id) => NOT_EXAMINED.has(statuses.get(id) ?? 'not-run'))
  const untestable = missedIds.filter((id) => statuses.get(id) === 'untestable')
  const isAllowed = (id: string): boolean => allowedUntestable.some((name) => name === id || name === topicOfCheck(id))
  const byTopic = Map.groupBy(counted, topicOfCheck)
  const missed = [...Map.groupBy(missedIds, topicOfCheck)]
    .map(([topic, ids]) => ({
      topic,
      missed: ids.length,
      checks: byTopic.get(topic)?.length ?? 0,
      isAllowed: ids.every((id) => statuses.get(id) === 'untestable' && isAllowed(id)),
    }))
    .toSorted((a, b) => b.missed / b.checks - a.missed / a.checks || b.missed - a.missed)
  const verdict = (): Verdict => {
    if (count.failed > 0 || staleBaseline.length > 0) return 'not-conformant'
    if (count.undecided + count['not-run'] > 0) return 'no-verdict'
    if (count.passed === 0) return 'nothing-examined'
    if (untestable.some((id) => !isAllowed(id))) return 'incomplete'
    if (isSelection || counted.some((id) => !statuses.has(id))) return 'selection'
    return untestable.length > 0 ? 'conformant-except' : 'conformant'
  }
  return {
    verdict: verdict(),
    counted: counted.length,
    examined: counted.length - missedIds.length,
    passed: counted.filter((id) => statuses.get(id) === 'passed').length,
    missed,
  }
}

/** The judgement on a report from a file, by the requirement set that it names. */
export function judgeReport(report: SealedReport): Judgement {
  const { requirements, profile, target } = report
  const set = requirements === null ? null : findRequirementSet(profile, requirements.name)
  return judge(report, set?.checks[target] ?? null)
}

/** Whether the verdict claims conformance, possibly except for allowed untestable checks. */
export const isConformant = ({ verdict }: Pick<Judgement, 'verdict'>): boolean =>
  verdict === 'conformant' || verdict === 'conformant-except'

/** The names for these checks in `--allow-untestable`: their topics and their IDs. */
export const allowableNames = (ids: readonly string[]): ReadonlySet<string> =>
  new Set([...ids, ...ids.map(topicOfCheck)])
