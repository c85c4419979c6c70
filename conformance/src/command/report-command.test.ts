import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { listAllChecks } from '../list-all-checks.ts'
import type { Status } from '../report/suite-report.ts'
import { runCommand } from './run-command.ts'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'gateway-reports-'))
})
afterEach(() => rm(folder, { recursive: true }))

const run = async (...args: string[]) => {
  const said = { out: '', err: '' }
  const code = await runCommand(args, {
    print: (text) => {
      said.out += text
    },
    tell: (text) => {
      said.err += text
    },
  })
  return { code, ...said }
}

const save = async (name: string, checks: Readonly<Record<string, Status>>, changes: object = {}) => {
  const file = join(folder, name)
  const report = {
    target: 'server',
    profile: 'core',
    subject: 'http://<gateway>',
    conformant: !Object.values(checks).includes('failed'),
    suiteVersion: '1',
    startedAt: '2026-01-01T00:00:00.000Z',
    checks: Object.entries(checks).map(([id, status]) => ({ id, status, message: status === 'passed' ? null : 'why' })),
    ...changes,
  }
  await writeFile(file, JSON.stringify(report))
  return file
}

describe('gateway-conformance report', () => {
  it('tells what broke, what was mended and what changed otherwise, and fails for what broke', async () => {
    const before = await save('a.json', {
      'a/same': 'failed',
      'a/mended': 'failed',
      'a/broken': 'passed',
      'a/gone': 'passed',
    })
    const after = await save('b.json', {
      'a/same': 'failed',
      'a/mended': 'passed',
      'a/broken': 'failed',
      'a/new': 'untestable',
    })
    const { code, out } = await run('report', 'diff', before, after)
    expect(code).toBe(1)
    expect(out.split('\n')).toEqual([
      'BROKEN: a/broken (passed)',
      '    why',
      'mended: a/mended',
      'passed -> absent: a/gone',
      'absent -> untestable: a/new',
      '1 broken, 1 mended, 2 other changes',
      '',
    ])
    expect(await run('report', 'diff', after, await save('c.json', { 'a/same': 'failed' }))).toMatchObject({ code: 0 })
    expect(JSON.parse((await run('report', 'diff', '--json', before, after)).out)).toMatchObject({
      broken: [{ id: 'a/broken', before: 'passed', after: 'failed', message: 'why' }],
    })
  })

  it('compares no reports of different targets or profiles', async () => {
    const core = await save('a.json', { 'a/a': 'passed' })
    const reference = await save('b.json', { 'a/a': 'passed' }, { profile: 'reference' })
    expect(await run('report', 'diff', core, reference)).toMatchObject({
      code: 2,
      err: `${core} is about server, core; ${reference} about server, reference.\n`,
    })
  })

  it('makes a badge that counts what was examined', async () => {
    const good = await run('report', 'badge', await save('a.json', { 'a/a': 'passed', 'a/b': 'untestable' }))
    expect(good.out).toContain('<title>http://&lt;gateway&gt;: server core, 1 of 1</title>')
    const bad = await run('report', 'badge', await save('b.json', { 'a/a': 'passed', 'a/b': 'failed' }))
    expect(bad.out).toContain('1 of 2, not conformant')
  })

  it('names a file that is none of its reports', async () => {
    const other = join(folder, 'other.json')
    await writeFile(other, '{"checks":[]}')
    expect(await run('report', 'badge', other)).toMatchObject({
      code: 2,
      err: `${other} is no report that --report-json wrote.\n`,
    })
    expect(await run('report', 'badge', join(folder, 'none.json'))).toMatchObject({ code: 2 })
    expect((await run('report')).err).toMatch(/^Usage:/)
  })
})

describe('gateway-conformance export', () => {
  it('prints every check with what it needs, every rule and every ability', async () => {
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
