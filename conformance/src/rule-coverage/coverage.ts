import { type Rule, topicOf } from '@conversation-gateway/openapi/rules'

/** A rule's ID in a test's name, and where it stands. */
export type Citation = { readonly rule: string; readonly file: string; readonly line: number }

/** A rule that needs no test for a stated reason. */
export type Exclusion = { readonly rule: string; readonly reason: string }

/** An endpoint of the specification that is built later; rules that concern only such endpoints wait with it. */
export type Defer = { readonly endpoint: number; readonly reason: string }

export type CoverageInput = {
  readonly rules: readonly Rule[]
  readonly citations: readonly Citation[]
  readonly exclusions: readonly Exclusion[]
  readonly defers: readonly Defer[]
}

/** Where a rule stands: the first of these that applies, in this order. */
export type Standing = 'cited' | 'notServer' | 'deferred' | 'excluded' | 'open'

/** How many rules stand where; `rules` is their sum. */
export type Counts = Readonly<Record<Standing | 'rules', number>>

export type CoverageReport = {
  /** True when nothing fails: the four lists below are empty. */
  readonly ok: boolean
  readonly topics: readonly (Counts & { readonly topic: string })[]
  readonly total: Counts
  /** Rules that need a test or an exclusion and have neither. */
  readonly open: readonly Rule[]
  /** Citations that name no rule. */
  readonly unknown: readonly Citation[]
  /** Exclusions of rules that do not exist, are cited by now, or need no exclusion. */
  readonly staleExclusions: readonly (Exclusion & { readonly why: string })[]
  /** Deferred endpoints that no rule waits for. */
  readonly staleDefers: readonly Defer[]
}

/**
 * Compares the rules with the tests that cite them. A rule that binds the server needs a citing test or an exclusion,
 * unless every endpoint that it concerns is deferred; general and operational rules (no endpoints) always need one.
 */
export function checkCoverage({ rules, citations, exclusions, defers }: CoverageInput): CoverageReport {
  const known = new Set(rules.map((rule) => rule.id))
  const cited = new Set(citations.map((citation) => citation.rule))
  const excluded = new Set(exclusions.map((exclusion) => exclusion.rule))
  const deferred = new Set(defers.map((defer) => defer.endpoint))
  const waits = (rule: Rule) => rule.endpoints.length > 0 && rule.endpoints.every((endpoint) => deferred.has(endpoint))

  const standingOf = (rule: Rule): Standing => {
    if (cited.has(rule.id)) return 'cited'
    if (rule.target !== 'server') return 'notServer'
    if (waits(rule)) return 'deferred'
    return excluded.has(rule.id) ? 'excluded' : 'open'
  }
  const standings = new Map(rules.map((rule) => [rule.id, standingOf(rule)]))

  const staleExclusions = exclusions.flatMap((exclusion) => {
    const why = known.has(exclusion.rule) ? STALE[standings.get(exclusion.rule) ?? 'open'] : 'there is no such rule'
    return why === undefined ? [] : [{ ...exclusion, why }]
  })
  const open = rules.filter((rule) => standings.get(rule.id) === 'open')
  const unknown = citations.filter((citation) => !known.has(citation.rule))
  const staleDefers = defers.filter(
    ({ endpoint }) => !rules.some((rule) => waits(rule) && rule.endpoints.includes(endpoint)),
  )
  const topics = [...new Set(rules.map((rule) => topicOf(rule.id)))]
  const count = (some: readonly Rule[]) => countStandings(some.map((rule) => standings.get(rule.id) ?? 'open'))

  return {
    ok: [open, unknown, staleExclusions, staleDefers].every((failures) => failures.length === 0),
    topics: topics.map((topic) => ({ topic, ...count(rules.filter((rule) => topicOf(rule.id) === topic)) })),
    total: count(rules),
    open,
    unknown,
    staleExclusions,
    staleDefers,
  }
}

/** Why an exclusion of a rule in this standing is stale; absent where it is needed. */
const STALE: Partial<Record<Standing, string>> = {
  cited: 'a test cites the rule by now',
  notServer: 'the rule does not bind the server',
  deferred: 'every endpoint of the rule is deferred',
}

function countStandings(standings: readonly Standing[]): Counts {
  const counts = { rules: standings.length, cited: 0, notServer: 0, deferred: 0, excluded: 0, open: 0 }
  for (const standing of standings) counts[standing] += 1
  return counts
}
