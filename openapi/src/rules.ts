import { readFileSync } from 'node:fs'
import { Ajv, type ErrorObject } from 'ajv'
import { parse } from 'yaml'

/** One normative sentence of the specification, or of a decision where the specification is silent. */
export type Rule = {
  /** Stable ID of topic and number, for example `IDEM-03`, which tests cite. */
  readonly id: string
  /** Names the rule in two to seven words, for outlines, reports and search results; unique in its topic. */
  readonly title: string
  readonly level: 'MUST' | 'SHOULD' | 'MAY'
  /** Heading path in the specification (`…, rule 3` where the section numbers its rules), or a decision: `D-12`. */
  readonly where: string
  /** `core` follows from the specification alone, `reference` from a decision. */
  readonly profile: 'core' | 'reference'
  /** Present exactly on the rules of the profile `reference`. */
  readonly source?: 'decision'
  /**
   * Who is bound: the gateway, its caller (also the sender of webhooks), a receiver of callbacks, or a worker of a
   * device.
   */
  readonly target: 'server' | 'client' | 'receiver' | 'worker'
  /** Endpoint numbers of the specification, 1 to 15, ascending; empty for general and operational rules. */
  readonly endpoints: readonly number[]
  readonly rule: string
}

/** The rules in the order of the file, and the title of each topic. */
export type RuleList = {
  readonly topics: Readonly<Record<string, string>>
  readonly rules: readonly Rule[]
}

/** All faults of a rule list, one per line, each with the name of its row. */
export class RuleListError extends Error {
  readonly faults: readonly string[]
  constructor(faults: readonly string[]) {
    super(`rules.yaml has ${faults.length} fault(s):\n${faults.map((fault) => `- ${fault}`).join('\n')}`)
    this.name = 'RuleListError'
    this.faults = faults
  }
}

const RULES_FILE = new URL('../rules.yaml', import.meta.url)

/** Two to seven words, without a full stop. */
const TITLE = /^\S+( \S+){1,6}(?<!\.)$/

const RULE_SCHEMA = {
  type: 'object',
  additionalProperties: false,
  required: ['id', 'title', 'level', 'where', 'profile', 'target', 'endpoints', 'rule'],
  properties: {
    id: { type: 'string', pattern: '^[A-Z]{2,}-[0-9]{2,}$' },
    title: { type: 'string', pattern: TITLE.source },
    level: { enum: ['MUST', 'SHOULD', 'MAY'] },
    where: { type: 'string' },
    profile: { enum: ['core', 'reference'] },
    source: { enum: ['decision'] },
    target: { enum: ['server', 'client', 'receiver', 'worker'] },
    endpoints: { type: 'array', uniqueItems: true, items: { type: 'integer', minimum: 1, maximum: 15 } },
    rule: { type: 'string', pattern: '^\\S.*\\.$' },
  },
}

const isRuleList = new Ajv({ allErrors: true, verbose: true }).compile<RuleList>({
  type: 'object',
  additionalProperties: false,
  required: ['topics', 'rules'],
  properties: {
    topics: {
      type: 'object',
      propertyNames: { pattern: '^[A-Z]{2,}$' },
      additionalProperties: { type: 'string', minLength: 1 },
    },
    rules: { type: 'array', items: RULE_SCHEMA },
  },
})

/** The topic of a rule: `IDEM` of `IDEM-03`. */
export const topicOf = (id: string): string => id.slice(0, id.lastIndexOf('-'))

/** Reads the project's rule list. @throws {RuleListError} with every fault of the file. */
export const loadRuleList = (): RuleList => parseRuleList(readFileSync(RULES_FILE, 'utf8'))

/** Reads the project's rules, in the order of the file. @throws {RuleListError} with every fault of the file. */
export const loadRules = (): readonly Rule[] => loadRuleList().rules

/** Parses a rule list from YAML text. @throws {RuleListError} with every fault, each naming its row. */
export function parseRuleList(text: string): RuleList {
  const list: unknown = parse(text)
  if (!isRuleList(list)) throw new RuleListError((isRuleList.errors ?? []).map((error) => describe(error, list)))
  const faults = [...list.rules.flatMap(faultsOfRow), ...faultsOfOrder(list)]
  if (faults.length > 0) throw new RuleListError(faults)
  return list
}

/** Checks that `where`, `profile` and `source` of a row are consistent, and that its endpoints are in order. */
function faultsOfRow(rule: Rule): string[] {
  const faults: string[] = []
  const isDecision = /^D-\d{2}$/.test(rule.where)
  if (isDecision !== (rule.profile === 'reference'))
    faults.push(`${rule.id}: profile ${rule.profile} does not go with where ${rule.where}`)
  if (isDecision !== (rule.source === 'decision'))
    faults.push(`${rule.id}: exactly the rules of decisions have the source decision`)
  if (rule.endpoints.some((endpoint, index) => endpoint <= (rule.endpoints[index - 1] ?? 0)))
    faults.push(`${rule.id}: endpoints are not ascending`)
  return faults
}

/**
 * Checks that IDs are unique and ascend within their topic, and that topics are declared, used, and in their declared
 * order.
 */
function faultsOfOrder({ topics, rules }: RuleList): string[] {
  const faults: string[] = []
  const declared = Object.keys(topics)
  const seen = new Set<string>()
  const titles = new Set<string>()
  rules.forEach(({ id, title }, index) => {
    const topic = topicOf(id)
    const previous = rules[index - 1]?.id
    if (seen.has(id)) faults.push(`${id}: the ID is used twice`)
    else if (!declared.includes(topic)) faults.push(`${id}: topic ${topic} is not declared under topics`)
    else if (previous !== undefined && positionOf(previous, declared) > positionOf(id, declared))
      faults.push(`${id}: must come before ${previous}`)
    else if (titles.has(`${topic} ${title}`)) faults.push(`${id}: another rule of ${topic} has the title ${title}`)
    seen.add(id)
    titles.add(`${topic} ${title}`)
  })
  const used = new Set(rules.map(({ id }) => topicOf(id)))
  return [...faults, ...declared.filter((topic) => !used.has(topic)).map((topic) => `topics: ${topic} has no rule`)]
}

const NUMBERS_PER_TOPIC = 10_000
const positionOf = (id: string, topics: readonly string[]): number =>
  topics.indexOf(topicOf(id)) * NUMBERS_PER_TOPIC + Number(id.slice(id.lastIndexOf('-') + 1))

function describe(error: ErrorObject, list: unknown): string {
  const [, part, index, ...rest] = error.instancePath.split('/')
  const row = part === 'rules' && index !== undefined ? `${idAt(list, Number(index))}: ` : ''
  const member = row === '' ? [part, index, ...rest].filter((name) => name !== undefined).join('.') : rest.join('.')
  const unknown: unknown = error.params.additionalProperty
  const allowed: unknown = error.params.allowedValues
  const detail =
    typeof unknown === 'string' ? ` (${unknown})` : Array.isArray(allowed) ? ` (${allowed.join(', ')})` : ''
  return `${row}${member === '' ? '' : `${member} `}${error.message ?? 'is invalid'}${detail}`
}

/** The name of a row in a fault: its ID, or its position in the file if it has none. */
function idAt(list: unknown, index: number): string {
  const row: unknown = isRecord(list) && Array.isArray(list.rules) ? list.rules[index] : undefined
  return isRecord(row) && typeof row.id === 'string' ? row.id : `row ${index + 1}`
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
