import { describe, expect, it } from 'vitest'
import { loadRuleList, loadRules, parseRuleList, type Rule, RuleListError, topicOf } from './rules.ts'

describe('the rule list', () => {
  const rules = loadRules()

  it('contains each rule once', () => {
    const sentences = rules.map((rule) => rule.rule)
    expect(sentences.filter((sentence, index) => sentences.indexOf(sentence) !== index)).toEqual([])
  })

  it('names the topic of an ID', () => {
    expect(topicOf('IDEM-03')).toBe('IDEM')
    expect(Object.keys(loadRuleList().topics)).toEqual([...new Set(rules.map((rule) => topicOf(rule.id)))])
  })
})

describe('a faulty rule list', () => {
  const row: Rule = {
    id: 'GEN-01',
    title: 'A title',
    level: 'MUST',
    where: 'Limits',
    profile: 'core',
    target: 'server',
    endpoints: [1],
    rule: 'A rule.',
  }
  const faultsOf = (rules: readonly unknown[], topics: unknown = { GEN: 'General' }): readonly string[] => {
    try {
      parseRuleList(JSON.stringify({ topics, rules }))
    } catch (error) {
      if (error instanceof RuleListError) return error.faults
      throw error
    }
    return []
  }

  it('has no faults if every row is valid', () => {
    expect(
      faultsOf([
        row,
        { ...row, id: 'GEN-02', title: 'Another title', where: 'D-01', profile: 'reference', source: 'decision' },
      ]),
    ).toEqual([])
  })

  it.each<[string, readonly unknown[], string]>([
    [
      'an unknown level',
      [{ ...row, level: 'SHALL' }],
      'GEN-01: level must be equal to one of the allowed values (MUST, SHOULD, MAY)',
    ],
    ['a missing member', [{ ...row, target: undefined }], "GEN-01: must have required property 'target'"],
    ['an unknown member', [{ ...row, owner: 'me' }], 'GEN-01: must NOT have additional properties (owner)'],
    ['a row without ID', [row, { ...row, id: undefined }], "row 2: must have required property 'id'"],
    ['an endpoint that does not exist', [{ ...row, endpoints: [16] }], 'GEN-01: endpoints.0 must be <= 15'],
    ['endpoints out of order', [{ ...row, endpoints: [4, 1] }], 'GEN-01: endpoints are not ascending'],
    [
      'a title of one word',
      [{ ...row, title: 'Title' }],
      'GEN-01: title must match pattern "^\\S+( \\S+){1,6}(?<!\\.)$"',
    ],
    ['a title that is taken', [row, { ...row, id: 'GEN-02' }], 'GEN-02: another rule of GEN has the title A title'],
    ['a duplicate ID', [row, row], 'GEN-01: the ID is used twice'],
    ['rows out of order', [{ ...row, id: 'GEN-02' }, row], 'GEN-01: must come before GEN-02'],
    ['a topic that is not declared', [row, { ...row, id: 'NEW-01' }], 'NEW-01: topic NEW is not declared under topics'],
    [
      'a decision in the core',
      [{ ...row, where: 'D-01', source: 'decision' }],
      'GEN-01: profile core does not go with where D-01',
    ],
    [
      'a section in the reference profile',
      [{ ...row, profile: 'reference' }],
      'GEN-01: profile reference does not go with where Limits',
    ],
    [
      'a decision without source',
      [{ ...row, where: 'D-01', profile: 'reference' }],
      'GEN-01: exactly the rules of decisions have the source decision',
    ],
  ])('names the row of %s', (_, rules, fault) => {
    expect(faultsOf(rules)).toEqual([fault])
  })

  it('reports a topic without rules', () => {
    expect(faultsOf([row], { GEN: 'General', OLD: 'Gone' })).toEqual(['topics: OLD has no rule'])
  })

  it('reports every fault at once', () => {
    expect(
      faultsOf([
        { ...row, level: 'SHALL' },
        { ...row, id: 'gen-2' },
      ]),
    ).toHaveLength(2)
  })
})
