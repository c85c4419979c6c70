import { describe, expect, it } from 'vitest'
import type { CheckInfo } from '../kit/catalogue.ts'
import type { CheckRun, Outcome } from '../kit/check-run.ts'
import { renderHtml } from './html.ts'
import type { Verdict } from './judge.ts'
import { renderJunit } from './junit.ts'
import { renderMarkdown } from './markdown.ts'
import type { RequirementSet } from './requirement-sets.ts'
import { createReport, type ReportInput } from './suite-report.ts'
import { renderSummary } from './terminal.ts'
import { describeVerdict, EXIT_CODES } from './verdict.ts'

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
    baseline = [],
    requirements = null,
    transcript = [],
    ...more
  }: Partial<ReportInput> & { readonly transcript?: CheckRun['transcript'] } = {},
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
    runs: Object.entries(outcomes).map(([id, outcome]): CheckRun => ({ id, outcome, durationMs: 1, transcript })),
    baseline,
    requirements,
    ...more,
  })

const passed: Outcome = { kind: 'passed' }
const failed: Outcome = { kind: 'failed', message: 'expected 409, got 200', cause: 'expected 409' }
const untestable: Outcome = { kind: 'untestable', reason: 'the configuration has no driver.x' }

const requirementsOf = (...server: readonly string[]): RequirementSet => ({
  name: 'core-2026-12',
  profile: 'core',
  contractVersion: '1.0.0',
  checks: { server, client: ['a/new'], receiver: [] },
})

/** The exit codes that `--help` documents. */
const EXITS: Readonly<Record<Verdict, number>> = {
  conformant: 0,
  'conformant-except': 0,
  selection: 0,
  'not-conformant': 1,
  'no-verdict': 2,
  'nothing-examined': 2,
  incomplete: 3,
}

describe('a report', () => {
  it.each<[string, Parameters<typeof report>, string]>([
    [
      'all counted checks were examined',
      [{ 'hooks/a': passed, 'runs/b': passed }],
      'CONFORMANT: 2 of 2 checks: 2 passed, 0 failed',
    ],
    [
      'a counted check was not testable',
      [{ 'hooks/a': untestable, 'runs/b': passed, 'runs/c': untestable }],
      'INCOMPLETE: 1 of 3 checks, hooks not examined, runs in part: 1 passed, 0 failed, 2 not testable here',
    ],
    [
      'the untestable check was allowed',
      [{ 'hooks/a': untestable, 'runs/b': passed }, { allowedUntestable: ['hooks'] }],
      'CONFORMANT EXCEPT hooks: 1 of 2 checks, hooks not examined: 1 passed, 0 failed, 1 not testable here',
    ],
    [
      'only one of two untestable topics was allowed',
      [{ 'hooks/a': untestable, 'runs/b': passed, 'sse/c': untestable }, { allowedUntestable: ['hooks'] }],
      'INCOMPLETE: 1 of 3 checks, hooks and sse not examined: 1 passed, 0 failed, 2 not testable here',
    ],
    [
      'only some checks were selected',
      [{ 'runs/b': passed }, { isSelection: true }],
      'SELECTION PASSED: 1 of 1 checks: 1 passed, 0 failed',
    ],
    [
      'its requirement set counts more checks than selected',
      [{ 'runs/b': passed }, { requirements: requirementsOf('runs/b', 'hooks/a') }],
      'SELECTION PASSED: 1 of 2 checks, hooks not examined: 1 passed, 0 failed',
    ],
    [
      'a MUST is broken and another check was not testable',
      [{ 'hooks/a': untestable, 'runs/b': failed }],
      'NOT CONFORMANT: 1 of 2 checks, hooks not examined: 0 passed, 1 failed, 1 not testable here',
    ],
    [
      'the driver failed',
      [{ 'hooks/a': passed, 'runs/b': { kind: 'undecided', reason: 'no' } }],
      'NO VERDICT: 1 of 2 checks, runs not examined: 1 passed, 0 failed, 1 without a verdict',
    ],
    [
      'no check could be examined',
      [{ 'hooks/a': untestable }],
      'NOTHING EXAMINED: 0 of 1 checks, hooks not examined: 0 passed, 0 failed, 1 not testable here',
    ],
  ])('has a consistent verdict in all formats when %s', (_when, args, line) => {
    const result = report(...args)
    const { verdict } = result.judgement
    const [head = ''] = line.split(':')
    expect(describeVerdict(result)).toBe(`server, core: ${line}`)
    expect(result.conformant).toBe(head.startsWith('CONFORMANT'))
    expect(EXIT_CODES[verdict]).toBe(EXITS[verdict])
    expect(renderHtml(result).toUpperCase()).toContain(`<H1>${head.toUpperCase()}</H1>`)
    expect(renderMarkdown(result)).toContain(describeVerdict(result))
    expect(renderJunit(result)).toMatch(
      EXITS[verdict] === 0 ? /name="verdict"(?:(?!<failure).)*<\/testcase>/ : new RegExp(`<failure type="${verdict}"`),
    )
  })

  it('shows the delays caused by rate limits of the gateway', () => {
    const result = report({ 'a/a': passed }, { pacing: { waits: 212, pausedMs: 41_000 } })
    for (const text of [renderSummary(result), renderMarkdown(result), renderHtml(result)])
      expect(text).toContain('paced by your gateway: 212 waits, 41.0 s without a request')
    expect(renderSummary(report({ 'a/a': passed }))).not.toContain('paced')
  })

  it('fails for a broken MUST, warns for a SHOULD, and informs about a MAY', () => {
    const checks = [check('a/must'), check('a/should', 'SHOULD'), check('a/may', 'MAY')]
    const result = report({ 'a/must': failed, 'a/should': failed, 'a/may': failed }, { checks })
    expect(result.checks.map(({ status }) => status)).toEqual(['failed', 'warning', 'info'])
    expect(result.conformant).toBe(false)
  })

  it('counts only the checks of its requirement set, and shows failures of newer checks', () => {
    const requirements = requirementsOf('a/a')
    const result = report({ 'a/a': passed, 'a/new': failed }, { requirements })
    expect(result).toMatchObject({ conformant: true, counts: { passed: 1, failed: 0, unscored: 1 } })
    expect(renderSummary(result)).toContain('FAILED, not counted yet: a/new')
    expect(report({ 'a/a': failed, 'a/new': passed }, { requirements }).conformant).toBe(false)
    expect(report({ 'a/a': passed, 'a/new': failed }).conformant).toBe(false)
  })

  it('accepts a known failure, and marks an entry as stale if its check passes or does not exist', () => {
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
    expect(stale.staleBaseline.map(({ why }) => why)).toEqual(['the check is passing now', 'the check does not exist'])
  })

  it('counts a rule as broken if one of its checks failed, and as untestable if one was not testable', () => {
    const checks = [check('a/a'), check('a/b'), check('a/c', 'MUST', ['IDEM-03'])]
    const { coverage } = report({ 'a/a': passed, 'a/b': failed, 'a/c': untestable }, { checks })
    expect(coverage.find(({ topic }) => topic === 'CONV')).toMatchObject({ broken: 1, passed: 0 })
    expect(coverage.find(({ topic }) => topic === 'IDEM')).toMatchObject({ untestable: 1 })
  })

  it('cannot be created if a selected check has no run', () => {
    expect(() => report({ 'a/a': passed }, { checks: [check('a/a'), check('a/b')] })).toThrow('a/b')
  })

  it('escapes the message on the HTML page, and shows the finding with its rule in the terminal', () => {
    const result = report({ 'a/a': { kind: 'failed', message: 'got <b>&', cause: 'got' } })
    expect(renderHtml(result)).toContain('got &lt;b&gt;&amp;')
    expect(renderHtml(result)).not.toContain('got <b>')
    expect(renderSummary(result)).toContain('FAILED: a/a')
    expect(renderSummary(result)).toContain('CONV-08 MUST: A creation with a business key')
  })

  it('links contents to topics and checks to rules on the HTML page, and opens a single transcript with its failed exchange marked', () => {
    const entry = (direction: 'out' | 'in', text: string) => ({ elapsedMs: 1, direction, text })
    const transcript = [
      entry('out', 'POST /api/v1/conversations HTTP/1.1'),
      entry('in', 'HTTP/1.1 200'),
      entry('out', 'GET /api/v1/runs/run_1 HTTP/1.1'),
      entry('in', 'HTTP/1.1 404'),
    ]
    const message = 'expected 201 from POST /api/v1/conversations, got 200'
    const result = report(
      { 'a/a': { ...failed, message }, 'a/b': failed, 'a/c': passed, 'a/d': untestable },
      { transcript },
    )
    const html = renderHtml(result)
    expect(html.match(/<details [^>]*open>/g)).toHaveLength(1)
    expect(html.indexOf('<h2 id="coverage">')).toBeLessThan(html.indexOf('<h2 id="findings">'))
    const marked = [...html.matchAll(/culprit.*?<pre>(.*?)<\/pre>/gs)].map(([, text]) => text)
    expect(marked.slice(0, 2)).toEqual(['POST /api/v1/conversations HTTP/1.1', 'HTTP/1.1 200'])
    expect(marked.slice(2)).toEqual(['GET /api/v1/runs/run_1 HTTP/1.1', 'HTTP/1.1 404'])
    expect(html).toContain('<h3>the configuration has no driver.x <small>1</small></h3>')
    const ids = new Set([...html.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id))
    const links = [...html.matchAll(/href="([^"]+)"/g)].map(([, link]) => link)
    expect(links).toContain('#rule-CONV-08')
    expect(links.filter((link) => !link?.startsWith('#') || !ids.has(link.slice(1)))).toEqual([])
  })
})
