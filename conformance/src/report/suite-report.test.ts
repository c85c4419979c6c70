import { describe, expect, it } from 'vitest'
import type { CheckInfo } from '../catalogue.ts'
import type { RequirementSet } from '../requirements/requirement-sets.ts'
import type { CheckRun, Outcome } from '../runner/run-check.ts'
import { renderHtml } from './html.ts'
import { createReport } from './suite-report.ts'
import { renderSummary } from './terminal.ts'
import { describeVerdict } from './verdict.ts'

const check = (id: string, level: CheckInfo['level'] = 'MUST', rules: readonly string[] = ['CONV-08']): CheckInfo => ({
  id,
  title: `does ${id}`,
  target: 'server',
  profile: 'core',
  level,
  rules,
  tags: [],
  needs: [],
})

const report = (
  outcomes: Readonly<Record<string, Outcome>>,
  {
    checks = Object.keys(outcomes).map((id) => check(id)),
    baseline = [] as { check: string; reason: string }[],
    requirements = null as RequirementSet | null,
  } = {},
) =>
  createReport({
    target: 'server',
    profile: 'core',
    subject: 'http://gateway.example.com',
    suiteVersion: '1',
    suiteSha256: 'def',
    environment: { node: 'v24', platform: 'linux', processors: '2' },
    configuration: null,
    contractSha256: 'abc',
    startedAt: '2026-01-01T00:00:00.000Z',
    durationMs: 1200,
    checks,
    runs: Object.entries(outcomes).map(([id, outcome]): CheckRun => ({ id, outcome, durationMs: 1, transcript: [] })),
    baseline,
    requirements,
  })

const passed: Outcome = { kind: 'passed' }
const failed: Outcome = { kind: 'failed', message: 'expected 409, got 200', cause: 'expected 409' }
const untestable: Outcome = { kind: 'untestable', reason: 'the configuration has no driver.x' }

describe('a report', () => {
  it('is conformant when every MUST holds, and counts what was not testable apart', () => {
    const result = report({ 'a/a': passed, 'a/b': untestable })
    expect(result).toMatchObject({ conformant: true, counts: { checks: 2, passed: 1, untestable: 1 } })
    expect(describeVerdict(result)).toBe('server, core: CONFORMANT: 1 passed, 0 failed, 1 not testable here')
  })

  it('is not conformant when nothing passed', () => {
    expect(report({ 'a/a': untestable }).conformant).toBe(false)
  })

  it('fails for a broken MUST, warns for a SHOULD, remarks for a MAY', () => {
    const checks = [check('a/must'), check('a/should', 'SHOULD'), check('a/may', 'MAY')]
    const result = report({ 'a/must': failed, 'a/should': failed, 'a/may': failed }, { checks })
    expect(result.checks.map(({ status }) => status)).toEqual(['failed', 'warning', 'info'])
    expect(result.conformant).toBe(false)
  })

  it('counts only what its requirement set names, and shows the failures of what came later', () => {
    const requirements: RequirementSet = {
      name: 'core-2026-12',
      profile: 'core',
      contractVersion: '1.0.0',
      checks: { server: ['a/a'], client: ['a/new'], receiver: [] },
    }
    const result = report({ 'a/a': passed, 'a/new': failed }, { requirements })
    expect(result).toMatchObject({ conformant: true, counts: { passed: 1, failed: 0, unscored: 1 } })
    expect(renderSummary(result)).toContain('FAILED, not counted yet: a/new')
    expect(report({ 'a/a': failed, 'a/new': passed }, { requirements }).conformant).toBe(false)
    expect(report({ 'a/a': passed, 'a/new': failed }).conformant).toBe(false)
  })

  it('accepts a known failure, and calls an entry stale whose check passes or does not exist', () => {
    const reason = 'next week'
    expect(report({ 'a/a': failed, 'a/b': passed }, { baseline: [{ check: 'a/a', reason }] })).toMatchObject({
      conformant: true,
      counts: { known: 1, failed: 0 },
    })
    const stale = report(
      { 'a/a': passed },
      {
        baseline: [
          { check: 'a/a', reason },
          { check: 'a/gone', reason },
        ],
      },
    )
    expect(stale.conformant).toBe(false)
    expect(stale.staleBaseline.map(({ why }) => why)).toEqual(['the check is passed by now', 'there is no such check'])
  })

  it('counts a rule as broken when one of its checks failed, as untestable when one was not testable', () => {
    const checks = [check('a/a'), check('a/b'), check('a/c', 'MUST', ['IDEM-03'])]
    const { coverage } = report({ 'a/a': passed, 'a/b': failed, 'a/c': untestable }, { checks })
    expect(coverage.find(({ topic }) => topic === 'CONV')).toMatchObject({ broken: 1, passed: 0 })
    expect(coverage.find(({ topic }) => topic === 'IDEM')).toMatchObject({ untestable: 1 })
  })

  it('refuses to be made without the run of a selected check', () => {
    expect(() => report({ 'a/a': passed }, { checks: [check('a/a'), check('a/b')] })).toThrow('a/b')
  })

  it('shows rules, message and escaped transcript on the page, and the finding in the terminal', () => {
    const result = report({ 'a/a': { kind: 'failed', message: 'got <b>&', cause: 'got' } })
    expect(renderHtml(result)).toContain('got &lt;b&gt;&amp;')
    expect(renderHtml(result)).not.toContain('got <b>')
    expect(renderSummary(result)).toContain('FAILED: a/a')
    expect(renderSummary(result)).toContain('CONV-08 MUST: A creation with a business key')
  })
})
