import list from './generated/rules.json' with { type: 'json' }

/** How strongly a rule binds: a failed MUST fails a run, a failed SHOULD warns, a failed MAY informs. */
export type Level = 'MUST' | 'SHOULD' | 'MAY'

/** One normative sentence, as the rule list has it. */
export interface Rule {
  readonly id: string
  readonly title: string
  readonly level: Level
  /** Where it stands: a heading of the specification, or a decision. */
  readonly where: string
  readonly profile: 'core' | 'reference'
  readonly target: 'server' | 'client' | 'receiver'
  readonly rule: string
}

/** Titles of the topics, by the letters that their rules' IDs begin with. */
export const TOPICS: Readonly<Record<string, string>> = list.topics

export const RULES: ReadonlyMap<string, Rule> = new Map((list.rules as readonly Rule[]).map((rule) => [rule.id, rule]))

/** The topic of a rule: `IDEM` of `IDEM-03`. */
export const topicOf = (id: string): string => id.slice(0, id.lastIndexOf('-'))
