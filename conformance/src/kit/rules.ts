import { loadRuleList, type Rule } from '#openapi/rules'

export { type Rule, topicOf } from '#openapi/rules'

/** The strength of a rule: a broken MUST fails the run, a broken SHOULD is a warning, a broken MAY is information. */
export type Level = Rule['level']

const { topics, rules } = loadRuleList()

/** Titles of the topics by the prefix of their rules' IDs. */
export const TOPICS: Readonly<Record<string, string>> = topics

export const RULES: ReadonlyMap<string, Rule> = new Map(rules.map((rule) => [rule.id, rule]))
