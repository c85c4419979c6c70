import { isConformant, type Judgement, judgeReport, type MissedTopic, type Verdict } from './judge.ts'
import type { SealedReport } from './seal.ts'
import { STATUSES, type Status } from './status.ts'
import type { SuiteReport } from './suite-report.ts'

/** Display names of statuses. */
export const STATUS_WORDS: Readonly<Record<Status, string>> = {
  passed: 'passed',
  failed: 'failed',
  undecided: 'without a verdict',
  known: 'known to fail',
  unscored: 'failed, not counted yet',
  warning: 'with a warning',
  info: 'with a remark',
  'not-run': 'not run',
  untestable: 'not testable here',
}

const VERDICT_WORDS: Readonly<Record<Verdict, string>> = {
  conformant: 'Conformant',
  'conformant-except': 'Conformant except',
  incomplete: 'Incomplete',
  selection: 'Selection passed',
  'not-conformant': 'Not conformant',
  'no-verdict': 'No verdict',
  'nothing-examined': 'Nothing examined',
}

/** The exit code of a run with this verdict. */
export const EXIT_CODES: Readonly<Record<Verdict, 0 | 1 | 2 | 3>> = {
  conformant: 0,
  'conformant-except': 0,
  selection: 0,
  'not-conformant': 1,
  'no-verdict': 2,
  'nothing-examined': 2,
  incomplete: 3,
}

/** The overall colour of a report: all rules kept, a rule broken, or neither. */
export const toneOf = (judgement: Judgement): 'good' | 'bad' | 'open' =>
  isConformant(judgement) ? 'good' : judgement.verdict === 'not-conformant' ? 'bad' : 'open'

/** The verdict in a few words: `Conformant`, `Conformant except webhooks and callbacks`. */
export const verdictOf = ({ verdict, missed }: Judgement): string =>
  verdict === 'conformant-except'
    ? `${VERDICT_WORDS[verdict]} ${nameTopics(missed.filter(({ isAllowed }) => isAllowed))}`
    : VERDICT_WORDS[verdict]

/** The number of examined checks among the counted ones: `240 of 385 checks, webhooks and callbacks not examined`. */
export function describeExtent({ counted, examined, missed }: Judgement): string {
  const whole = missed.filter((each) => each.missed === each.checks)
  const parts = missed.filter((each) => each.missed < each.checks)
  return [
    `${examined} of ${counted} checks`,
    ...(whole.length === 0 ? [] : [`${nameTopics(whole)} not examined`]),
    ...(parts.length === 0 ? [] : [`${nameTopics(parts)} in part`]),
  ].join(', ')
}

/** Maximum number of topics named in a line. */
const NAMED = 4

const nameTopics = (topics: readonly MissedTopic[]): string => {
  const names = topics.map(({ topic }) => topic)
  const shown =
    names.length <= NAMED ? names : [...names.slice(0, NAMED - 1), `${names.length - NAMED + 1} other topics`]
  return shown.length === 1 ? (shown[0] ?? '') : `${shown.slice(0, -1).join(', ')} and ${shown.at(-1)}`
}

/** Verdict and extent of a report from a file: `conformant, 385 of 385 checks`. */
export function describeJudgement(report: SealedReport): string {
  const judgement = judgeReport(report)
  return `${verdictOf(judgement).toLowerCase()}, ${describeExtent(judgement)}`
}

/** The complete verdict in one line: `server, core: CONFORMANT: 385 of 385 checks: 385 passed, 0 failed`. */
export function describeVerdict(report: SuiteReport): string {
  const { target, profile, counts, staleBaseline, judgement } = report
  const found = STATUSES.filter((status) => status !== 'passed' && (counts[status] > 0 || status === 'failed'))
  const parts = (['passed', ...found] as const).map((status) => `${counts[status]} ${STATUS_WORDS[status]}`)
  if (staleBaseline.length > 0) parts.push(`${staleBaseline.length} stale in the baseline`)
  const profiles = profile === 'core' ? 'core' : 'core and reference'
  return `${target}, ${profiles}: ${capitals(judgement)}: ${describeExtent(judgement)}: ${parts.join(', ')}`
}

/** The verdict in capitals, with the names of topics unchanged. */
const capitals = (judgement: Judgement): string =>
  verdictOf(judgement).replace(VERDICT_WORDS[judgement.verdict], (words) => words.toUpperCase())

/** `paced by your gateway: 212 waits, 41.0 s without a request`; null if it has delayed no request. */
export const describePacing = ({ pacing: { waits, pausedMs } }: Pick<SuiteReport, 'pacing'>): string | null =>
  waits === 0 ? null : `paced by your gateway: ${waits} waits, ${(pausedMs / 1000).toFixed(1)} s without a request`
