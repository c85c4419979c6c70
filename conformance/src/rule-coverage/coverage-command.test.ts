import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { loadRules } from '@conversation-gateway/openapi/rules'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { runCommand } from './coverage-command.ts'

describe('the coverage command', () => {
  let root = ''
  const write = (file: string, text: string) => {
    mkdirSync(dirname(join(root, file)), { recursive: true })
    writeFileSync(join(root, file), text)
  }
  const coverage = (...args: string[]) =>
    runCommand(['--root', root, '--exclusions', join(root, 'exclusions.yaml'), ...args])

  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), 'coverage-'))
    write('exclusions.yaml', 'exclusions: []\ndefers: []\n')
  })
  afterEach(() => rmSync(root, { recursive: true }))

  it('succeeds when tests cite every rule', async () => {
    write('a/all.test.ts', `it('does all of it [${loadRules().map(({ id }) => id)}]', f)`)
    const { exitCode, stdout } = await coverage()
    expect(stdout).toContain('Every rule that needs a test has one.')
    expect(exitCode).toBe(0)
  })

  it('fails and lists the open rules, by topic and one by one', async () => {
    const { exitCode, stdout } = await coverage()
    expect(exitCode).toBe(1)
    expect(stdout).toMatch(/^topic +rules +cited +excluded +deferred +not server +open\nGEN /)
    expect(stdout).toMatch(/^ {2}IDEM-03 MUST \(Endpoints > 1\. Create a conversation\) \S/m)
  })

  it('fails and shows where a citation names no rule', async () => {
    write('b.test.ts', `\nit('slips [${'IDEM-999'}]', f)`)
    const { exitCode, stdout } = await coverage()
    expect(exitCode).toBe(1)
    expect(stdout).toContain('b.test.ts:2 cites IDEM-999')
  })

  it('fails and names stale exclusions', async () => {
    write('exclusions.yaml', 'exclusions: [{ rule: OLD-01, reason: x }]\ndefers: []\n')
    expect((await coverage()).stdout).toContain('OLD-01: there is no such rule')
  })

  it('reads no tests of dependencies and no other files', async () => {
    write('node_modules/x/c.test.ts', `it('[${'IDEM-999'}]', f)`)
    write('c.ts', `it('[${'IDEM-999'}]', f)`)
    expect((await coverage()).stdout).not.toContain('IDEM-999')
  })

  it('prints the report as JSON', async () => {
    write('a.test.ts', `it('[${'IDEM-03'}]', f)`)
    const report: unknown = JSON.parse((await coverage('--json')).stdout)
    expect(report).toMatchObject({ ok: false, total: { rules: loadRules().length, cited: 1 } })
  })

  it('refuses a faulty exclusions file with exit code 2', async () => {
    write('exclusions.yaml', 'exclusions: [{ rule: MSG-01 }]\ndefers: []\n')
    expect(await coverage()).toMatchObject({ exitCode: 2, stdout: '' })
  })

  it('gives the process its exit code', () => {
    const cli = fileURLToPath(new URL('../../scripts/coverage.ts', import.meta.url))
    const { status, stdout } = spawnSync(process.execPath, [cli, '--root', root], { encoding: 'utf8' })
    expect(status).toBe(1)
    expect(stdout).toContain('The rule coverage is not complete.')
  })
})

describe('the command line', () => {
  it('explains itself', async () => {
    expect(await runCommand(['--help'])).toMatchObject({ exitCode: 0, stdout: expect.stringContaining('Usage:') })
  })

  it.each([[['cover']], [['--nope']]])('refuses %j with exit code 2', async (args) => {
    expect(await runCommand(args)).toMatchObject({ exitCode: 2, stdout: '' })
  })
})
