import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { runAndRecord as run } from '../../test/run-and-record.ts'
import { listAllChecks } from '../checks/list-all-checks.ts'
import { faultsOfRecord } from '../report/record.ts'
import { findRequirementSet, hashOfSet } from '../report/requirement-sets.ts'
import { hashOfReport } from '../report/seal.ts'
import type { Status } from '../report/status.ts'

const GREEN = '#1a7f37'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'gateway-reports-'))
})
afterEach(() => rm(folder, { recursive: true }))

const save = async (name: string, checks: Readonly<Record<string, Status>>, changes: object = {}) => {
  const file = join(folder, name)
  const report = {
    target: 'server' as const,
    profile: 'core' as const,
    requirements: null,
    subject: 'http://<gateway>',
    conformant: !Object.values(checks).includes('failed'),
    suiteVersion: '1',
    suiteSha256: 'abc',
    contractSha256: 'def',
    durationMs: 1000,
    environment: { node: 'v24', platform: 'linux', processors: '2' },
    configuration: null,
    staleBaseline: [],
    startedAt: '2026-01-01T00:00:00.000Z',
    checks: Object.entries(checks).map(([id, status]) => ({ id, status, message: status === 'passed' ? null : 'why' })),
  }
  await writeFile(file, JSON.stringify({ sha256: hashOfReport({ ...report, ...changes }), ...report, ...changes }))
  return file
}

describe('gateway-conformance report', () => {
  it('diff lists new failures, fixed checks and other changes, and fails for new failures', async () => {
    const before = await save('a.json', {
      'a/same': 'failed',
      'a/fixed': 'failed',
      'a/broken': 'passed',
      'a/gone': 'passed',
    })
    const after = await save('b.json', {
      'a/same': 'failed',
      'a/fixed': 'passed',
      'a/broken': 'failed',
      'a/new': 'untestable',
    })
    const { code, out } = await run('report', 'diff', before, after)
    expect(code).toBe(1)
    expect(out.split('\n')).toEqual([
      'BROKEN: a/broken (passed)',
      '    why',
      'fixed: a/fixed',
      'passed -> absent: a/gone',
      'absent -> untestable: a/new',
      '1 broken, 1 fixed, 2 other changes',
      '',
    ])
    expect(await run('report', 'diff', after, await save('c.json', { 'a/same': 'failed' }))).toMatchObject({ code: 0 })
    expect(JSON.parse((await run('report', 'diff', '--json', before, after)).out)).toMatchObject({
      broken: [{ id: 'a/broken', before: 'passed', after: 'failed', message: 'why' }],
    })
  })

  it('diff refuses reports of different targets or profiles', async () => {
    const core = await save('a.json', { 'a/a': 'passed' })
    const reference = await save('b.json', { 'a/a': 'passed' }, { profile: 'reference' })
    expect(await run('report', 'diff', core, reference)).toMatchObject({
      code: 2,
      err: `${core} is about server, core; ${reference} about server, reference.\n`,
    })
  })

  it('badge shows the number of examined checks, and is green only if all were examined', async () => {
    const good = await run('report', 'badge', await save('a.json', { 'a/a': 'passed', 'a/b': 'untestable' }))
    expect(good.out).toContain('<title>http://&lt;gateway&gt;: server core, 1 of 2, incomplete</title>')
    expect(good.out).not.toContain(GREEN)
    const whole = await run('report', 'badge', await save('c.json', { 'a/a': 'passed' }))
    expect(whole.out).toContain('server core, 1 of 1</title>')
    expect(whole.out).toContain(GREEN)
    const bad = await run('report', 'badge', await save('b.json', { 'a/a': 'passed', 'a/b': 'failed' }))
    expect(bad.out).toContain('1 of 2, not conformant')
  })

  it('badge does not count passed checks outside the requirement set', async () => {
    const set = findRequirementSet('core')
    if (set?.checks.server === undefined) throw new Error('core has no requirement set')
    const ids = [...set.checks.server, 'a/new']
    const all = Object.fromEntries(ids.map((id): [string, Status] => [id, 'passed']))
    const requirements = { name: set.name, sha256: hashOfSet(set) }
    const { out } = await run('report', 'badge', await save('d.json', all, { requirements }))
    expect(out).toContain(`server core, ${ids.length - 1} of ${ids.length - 1}</title>`)
  })

  it('names a file that is not a report', async () => {
    const other = join(folder, 'other.json')
    await writeFile(other, '{"checks":[]}')
    expect(await run('report', 'badge', other)).toMatchObject({
      code: 2,
      err: `${other} is not a report of --report-json.\n`,
    })
    expect(await run('report', 'badge', join(folder, 'none.json'))).toMatchObject({ code: 2 })
    expect((await run('report')).err).toMatch(/^Usage:/)
  })
})

describe('gateway-conformance report verify', () => {
  const verify = async (file: string, ...args: string[]) => {
    const { code, out } = await run('report', 'verify', file, ...args)
    return { code, faults: out.split('\n').filter((line) => line.startsWith('FAULT')) }
  }

  it('accepts an unchanged report in any JSON formatting', async () => {
    const file = await save('a.json', { 'a/a': 'passed', 'a/b': 'failed' })
    expect(await verify(file)).toEqual({ code: 0, faults: [] })
    const { sha256, ...rest } = JSON.parse(await readFile(file, 'utf8'))
    await writeFile(file, JSON.stringify({ ...rest, sha256 }, null, 7))
    expect(await verify(file)).toEqual({ code: 0, faults: [] })
    await writeFile(file, JSON.stringify({ ...rest, sha256, subject: 'mine' }))
    expect(await verify(file)).toMatchObject({ code: 1, faults: [expect.stringContaining('Its hash does not match')] })
  })

  it.each<[string, Record<string, Status>, object, RegExp]>([
    ['a verdict that contradicts its checks', { 'a/a': 'failed' }, { conformant: true }, /its checks result in false/],
    [
      'a conformant verdict despite untestable checks',
      { 'a/a': 'passed', 'a/b': 'untestable' },
      {},
      /its checks result in false/,
    ],
    ['a conformant verdict for a selection', { 'a/a': 'passed' }, { isSelection: true }, /its checks result in false/],
    [
      'a conformant verdict despite checks that were not run',
      { 'a/a': 'passed', 'a/b': 'not-run' },
      {},
      /its checks result in false/,
    ],
    ['a broken MUST reported as a warning', { 'general/reusable-id-space': 'passed', MUST: 'warning' }, {}, /MUST/],
    [
      'an unknown requirement set',
      { 'a/a': 'passed' },
      { requirements: { name: 'core-1999-01' } },
      /no requirement set/,
    ],
  ])('finds %s', async (_what, checks, changes, fault) => {
    const [must] = (await listAllChecks()).filter(({ level, target }) => level === 'MUST' && target === 'server')
    const named = Object.fromEntries(
      Object.entries(checks).map(([id, status]) => [id === 'MUST' ? (must?.id ?? '') : id, status]),
    )
    const { code, faults } = await verify(await save('a.json', named, changes))
    expect(code).toBe(1)
    expect(faults.join('\n')).toMatch(fault)
  })

  it('reports missing checks of the requirement set, and counted checks marked as unscored', async () => {
    const set = findRequirementSet('core')
    if (set?.checks.server === undefined) throw new Error('core has no requirement set')
    const requirements = { name: set.name, sha256: hashOfSet(set) }
    const all = Object.fromEntries(set.checks.server.map((id): [string, Status] => [id, 'passed']))
    expect(await verify(await save('a.json', all, { requirements }))).toEqual({ code: 0, faults: [] })
    const [first = '', second = ''] = set.checks.server
    const { [first]: _missing, ...others } = all
    const { faults } = await verify(await save('b.json', { ...others, [second]: 'unscored' }, { requirements }))
    expect(faults).toEqual([
      'FAULT: The report has conformant: true, but its checks result in false.',
      `FAULT: 1 checks of ${set.name} are missing, such as ${first}.`,
      `FAULT: ${second} counts in ${set.name}, but the report marks it as unscored.`,
    ])
    expect(
      (await verify(await save('c.json', all, { requirements: { ...requirements, sha256: 'x' } }))).faults,
    ).toEqual([`FAULT: ${set.name} differs from the frozen requirement set.`])
  })
})

describe('gateway-conformance report record', () => {
  const options = ['--name', 'Mine', '--language', 'Go', '--version', 'v1']

  it('keeps the counts, the hash of the report, and the checks that did not pass', async () => {
    const file = await save('a.json', { 'a/a': 'passed', 'a/b': 'untestable', 'a/c': 'failed' })
    const { code, out } = await run('report', 'record', file, ...options)
    expect(code).toBe(0)
    const record = JSON.parse(out)
    expect(record).toMatchObject({
      implementation: { name: 'Mine', language: 'Go', url: null, version: 'v1' },
      counts: { passed: 1, untestable: 1, failed: 1 },
      notPassed: { 'a/b': 'untestable', 'a/c': 'failed' },
      reportSha256: JSON.parse(await readFile(file, 'utf8')).sha256,
    })
    expect(faultsOfRecord(record)).toEqual([])
  })

  it('detects an edited record', async () => {
    const { out } = await run(
      'report',
      'record',
      await save('a.json', { 'a/a': 'passed', 'a/c': 'failed' }),
      ...options,
    )
    const record = JSON.parse(out)
    const requirements = { name: 'core-1999-01', sha256: 'x' }
    expect(faultsOfRecord({ ...record, notPassed: {} })).toEqual([expect.stringMatching(/^counts.failed is 1/)])
    expect(faultsOfRecord({ ...record, requirements })).toEqual([expect.stringMatching(/no requirement set/)])
  })

  it('names missing options', async () => {
    const file = await save('a.json', { 'a/a': 'passed' })
    expect(await run('report', 'record', file, '--name', 'Mine')).toMatchObject({
      code: 2,
      err: 'report record needs --name, --language and --version.\n',
    })
  })
})

describe('gateway-conformance report table', () => {
  it('prints a table of at most thirty lines for any reports, and includes failing topics', async () => {
    const all = (await listAllChecks()).filter(({ target }) => target === 'server')
    const good = await save('a.json', Object.fromEntries(all.map(({ id }): [string, Status] => [id, 'passed'])))
    const failing = all.find(({ rules }) => rules[0]?.startsWith('SCOPE'))
    const bad = await save('b.json', {
      ...Object.fromEntries(all.map(({ id }): [string, Status] => [id, 'passed'])),
      [failing?.id ?? '']: 'failed',
    })
    const { out } = await run('report', 'table', good, bad)
    const lines = out.trimEnd().split('\n')
    expect(lines.length).toBeLessThanOrEqual(30)
    expect(lines.every((line) => line.split(' | ').length === 3)).toBe(true)
    expect(out).toMatch(/Scopes of a key \| ✅ (\d+)\/\1 \| ❌/)
    const counted = (column: number) =>
      lines.slice(3).reduce((sum, line) => sum + Number(/\/(\d+)/.exec(line.split('|')[column] ?? '')?.[1] ?? 0), 0)
    expect(counted(2)).toBeGreaterThanOrEqual(all.length)
  })
})

describe('gateway-conformance export', () => {
  it('prints every check with its needs, every rule and every ability', async () => {
    const { code, out } = await run('export')
    const exported = JSON.parse(out)
    expect(code).toBe(0)
    expect(exported.checks).toEqual(await listAllChecks())
    expect(exported.abilities).toContain('moveClock')
    const rules = new Set(exported.rules.map(({ id }: { id: string }) => id))
    expect(
      exported.checks.flatMap(({ rules: cited }: { rules: string[] }) => cited).filter((id: string) => !rules.has(id)),
    ).toEqual([])
  })
})
