import type { Rule } from '@conversation-gateway/openapi/rules'
import { describe, expect, it } from 'vitest'
import { type CoverageInput, checkCoverage } from './coverage.ts'

const rule = (id: string, members: Partial<Rule> = {}): Rule => ({
  id,
  title: 'A title',
  level: 'MUST',
  where: 'Limits',
  profile: 'core',
  target: 'server',
  endpoints: [4],
  rule: 'A rule.',
  ...members,
})
const cite = (id: string) => ({ rule: id, file: 'a.test.ts', line: 7 })
const exclude = (id: string) => ({ rule: id, reason: 'No way to see it from outside.' })
const defer = (endpoint: number) => ({ endpoint, reason: 'Built later.' })
const check = (input: Partial<CoverageInput>) =>
  checkCoverage({ rules: [], citations: [], exclusions: [], defers: [], ...input })
const openIds = (input: Partial<CoverageInput>) => check(input).open.map(({ id }) => id)

describe('rule coverage', () => {
  it('is complete when every rule is cited or excluded', () => {
    const report = check({
      rules: [rule('MSG-01'), rule('MSG-02')],
      citations: [cite('MSG-01')],
      exclusions: [exclude('MSG-02')],
    })
    expect(report).toMatchObject({ ok: true, open: [], unknown: [], staleExclusions: [], staleDefers: [] })
  })

  it('fails when a citation names no rule', () => {
    const report = check({ rules: [rule('MSG-01')], citations: [cite('MSG-01'), cite('MSG-99')] })
    expect(report.ok).toBe(false)
    expect(report.unknown).toEqual([{ rule: 'MSG-99', file: 'a.test.ts', line: 7 }])
  })

  it('fails when a rule has neither a citing test nor an exclusion', () => {
    const report = check({ rules: [rule('MSG-01'), rule('MSG-02')], citations: [cite('MSG-01')] })
    expect(report.ok).toBe(false)
    expect(report.open.map(({ id }) => id)).toEqual(['MSG-02'])
  })

  it('needs a test for rules of both profiles, every level, and without endpoints', () => {
    const rules = [
      rule('GEN-01', { profile: 'reference', source: 'decision', where: 'D-01' }),
      rule('GEN-02', { level: 'SHOULD' }),
      rule('GEN-03', { level: 'MAY' }),
      rule('OPS-01', { endpoints: [] }),
    ]
    expect(openIds({ rules, defers: [defer(13)] })).toEqual(['GEN-01', 'GEN-02', 'GEN-03', 'OPS-01'])
  })

  it('needs no test for rules of clients and receivers', () => {
    const rules = [rule('SSE-01', { target: 'client' }), rule('CB-01', { target: 'receiver' })]
    expect(check({ rules }).ok).toBe(true)
  })

  it('needs no test for a rule that concerns only deferred endpoints', () => {
    const rules = [rule('SIG-01', { endpoints: [14, 15] })]
    expect(check({ rules, defers: [defer(14), defer(15)] })).toMatchObject({ ok: true, total: { deferred: 1 } })
    expect(openIds({ rules, defers: [defer(14)] })).toEqual(['SIG-01'])
  })

  it('fails when a deferred endpoint has no rule that waits for it', () => {
    const report = check({
      rules: [rule('MSG-01', { endpoints: [4, 13] })],
      citations: [cite('MSG-01')],
      defers: [defer(13)],
    })
    expect(report.ok).toBe(false)
    expect(report.staleDefers).toEqual([defer(13)])
  })

  it.each([
    ['names no rule', 'there is no such rule', { exclusions: [exclude('MSG-99')] }],
    [
      'excludes a rule that a test cites',
      'a test cites the rule by now',
      { rules: [rule('MSG-01')], citations: [cite('MSG-01')], exclusions: [exclude('MSG-01')] },
    ],
    [
      'excludes a rule of a client',
      'the rule does not bind the server',
      { rules: [rule('SSE-01', { target: 'client' })], exclusions: [exclude('SSE-01')] },
    ],
    [
      'excludes a deferred rule',
      'every endpoint of the rule is deferred',
      { rules: [rule('RES-01', { endpoints: [13] })], exclusions: [exclude('RES-01')], defers: [defer(13)] },
    ],
  ])('fails when an exclusion %s', (_, why, input) => {
    const report = check(input)
    expect(report.ok).toBe(false)
    expect(report.staleExclusions.map((stale) => stale.why)).toEqual([why])
  })

  it('counts each rule once, by topic and in all', () => {
    const report = check({
      rules: [
        rule('MSG-01'),
        rule('MSG-02'),
        rule('MSG-03'),
        rule('RES-01', { endpoints: [13] }),
        rule('RES-02', { target: 'client' }),
      ],
      citations: [cite('MSG-01'), cite('MSG-01')],
      exclusions: [exclude('MSG-02')],
      defers: [defer(13)],
    })
    expect(report.topics).toEqual([
      { topic: 'MSG', rules: 3, cited: 1, excluded: 1, deferred: 0, notServer: 0, open: 1 },
      { topic: 'RES', rules: 2, cited: 0, excluded: 0, deferred: 1, notServer: 1, open: 0 },
    ])
    expect(report.total).toEqual({ rules: 5, cited: 1, excluded: 1, deferred: 1, notServer: 1, open: 1 })
  })
})
