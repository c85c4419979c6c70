import { loadRuleList, type Rule } from '#openapi/rules'

export { type Rule, topicOf } from '#openapi/rules'

/** How strongly a rule binds: a failed MUST fails a run, a failed SHOULD warns, a failed MAY informs. */
export type Level = Rule['level']

const { topics, rules } = loadRuleList()

/** Titles of the topics, by the letters that their rules' IDs begin with. */
export const TOPICS: Readonly<Record<string, string>> = topics

export const RULES: ReadonlyMap<string, Rule> = new Map(rules.map((rule) => [rule.id, rule]))
