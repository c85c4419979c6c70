import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { packTarball } from '../../scripts/pack.ts'

const execute = promisify(execFile)

const PACKAGE = resolve(import.meta.dirname, '../..')
const WORKSPACE = resolve(PACKAGE, '..')
/** The project lies inside the package, so that the package's dependencies are found as in an installation. */
const PROJECT = join(PACKAGE, '.cache/packed')
const INSTALLED = join(PROJECT, 'node_modules/@conversation-gateway/conformance')

interface Outcome {
  readonly code: number
  readonly stdout: string
  readonly stderr: string
}

/** Runs the packed command, as `npx gateway-conformance` does. */
const gatewayConformance = async (args: readonly string[]): Promise<Outcome> => {
  const { bin }: { bin: Record<string, string> } = JSON.parse(await readFile(join(INSTALLED, 'package.json'), 'utf8'))
  const program = join(INSTALLED, bin['gateway-conformance'] ?? '')
  const options = { cwd: PROJECT, env: { ...process.env, GATEWAY_DIR: WORKSPACE } }
  return execute(process.execPath, [program, ...args], options).then(
    ({ stdout, stderr }) => ({ code: 0, stdout, stderr }),
    ({ code, stdout, stderr }: Outcome) => ({ code, stdout, stderr }),
  )
}

let tarballs: string
let tarball: string
beforeAll(async () => {
  tarballs = await mkdtemp(join(tmpdir(), 'conformance-tarball-'))
  tarball = await packTarball(tarballs)
  await rm(PROJECT, { recursive: true, force: true })
  await mkdir(INSTALLED, { recursive: true })
  await execute('tar', ['-xzf', tarball, '--strip-components=1', '-C', INSTALLED])
})
afterAll(async () => {
  for (const folder of [PROJECT, tarballs]) await rm(folder, { recursive: true, force: true })
})

it('prints its help, and refuses wrong usage with exit code 2', async () => {
  expect(await gatewayConformance(['--help'])).toMatchObject({ code: 0, stdout: expect.stringContaining('Usage:') })
  for (const [args, says] of [
    [['serve'], 'There is no command serve'],
    [['server'], '--config is missing'],
    [['server', '--config', 'nowhere.mjs'], 'There is no configuration file'],
    [['server', '--config', 'reference', '--rule', 'NOPE-01'], 'NOPE-01 is neither a rule nor a topic'],
    [['server', '--config', 'reference', '--profile', 'all'], '--profile must be core or reference'],
    [['client', '--colour'], '--colour'],
  ] as const)
    expect(await gatewayConformance(args)).toMatchObject({ code: 2, stderr: expect.stringContaining(says) })
})

it('names the invalid fields of a configuration', async () => {
  await writeFile(join(PROJECT, 'faulty.mjs'), "export default { baseUrl: 'http://127.0.0.1:1/api/v1', apps: {} }\n")
  const { code, stderr } = await gatewayConformance(['server', '--config', 'faulty.mjs', '--rule', 'CONV-08'])
  expect(code).toBe(2)
  expect(stderr).toContain('baseUrl: must be an origin only; the suite adds /api/v1 itself')
  expect(stderr).toContain('apps.first.key: must be an API key')
})

it('starts the reference gateway, checks a rule, explains the result and writes reports', async () => {
  const reports = ['json', 'junit', 'html'].flatMap((kind) => [`--report-${kind}`, `out/report.${kind}`])
  const { code, stdout, stderr } = await gatewayConformance([
    'server',
    ...['--config', 'reference', '--explain', 'CONV-08'],
    ...reports,
  ])
  expect(stderr).toContain('0 failed')
  expect(code).toBe(0)
  expect(stdout).toContain('>>> ')
  expect(stdout).toContain('HTTP/1.1 409')
  expect(stdout).not.toMatch(/gk_first/)
  expect(stdout).toMatch(/SELECTION PASSED: [1-9]\d* of \d+ checks, .*: [1-9]\d* passed, 0 failed/)
  expect(JSON.parse(await readFile(join(PROJECT, 'out/report.json'), 'utf8'))).toMatchObject({
    conformant: false,
    judgement: { verdict: 'selection' },
  })
  expect(await readFile(join(PROJECT, 'out/report.junit'), 'utf8')).toContain('failures="0"')
  expect(await readFile(join(PROJECT, 'out/report.html'), 'utf8')).toContain('<h1>Selection passed</h1>')
})

it('includes its Python adapter, and fails for a baseline entry whose check passes', async () => {
  await writeFile(join(PROJECT, 'known.yaml'), '- check: idempotency/visible\n  reason: not yet\n')
  const args = ['client', '--config', 'python', '--rule', 'IDEM-01', '--baseline', 'known.yaml']
  const { code, stdout } = await gatewayConformance(args)
  expect(stdout).toContain('stale in the baseline: idempotency/visible')
  expect(code).toBe(1)
})

it('includes a complete example gateway that passes a topic of the rules', async () => {
  const config = 'dist/conformance/examples/python-gateway/gateway.config.mjs'
  const { code, stdout } = await gatewayConformance(['server', '--config', join(INSTALLED, config), '--rule', 'CANCEL'])
  expect(stdout).toMatch(/server, core: SELECTION PASSED: .* 0 failed/)
  expect(code).toBe(0)
})

it('includes the control protocol, and has no links to files outside the package', async () => {
  const control = await readFile(join(INSTALLED, 'control.yaml'), 'utf8')
  expect(parse(control)).toMatchObject({ openapi: expect.any(String) })
  expect(control.match(/\$ref: (?!["']?#).*/g) ?? []).toEqual([])
  const files = (await readdir(INSTALLED, { recursive: true })).filter((file) => file.endsWith('.md'))
  expect(files).toContain('README.md')
  for (const file of files) {
    const text = await readFile(join(INSTALLED, file), 'utf8')
    for (const [, link = ''] of text.matchAll(/\]\(([^)#]+)/g)) {
      const target = resolve(INSTALLED, dirname(file), link)
      expect(target.startsWith(INSTALLED) && existsSync(target), `${file}: ${link}`).toBe(true)
    }
  }
})

describe('in CI', () => {
  let folder: string
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'conformance-ci-'))
    await writeFile(join(folder, 'package.json'), '{"private":true}\n')
  })
  afterAll(() => rm(folder, { recursive: true, force: true }))

  /** Runs a step as CI does, and returns its exit code. */
  const runStep = async (
    shell: readonly [string, ...string[]],
    script: string,
    env: Readonly<Record<string, string>>,
  ) => {
    const [program, ...args] = shell
    return execute(program, [...args, script], { cwd: folder, env: { ...process.env, ...env } }).then(
      () => 0,
      ({ code }: Outcome) => code,
    )
  }
  const reports = () => readdir(join(folder, 'conformance-reports'))

  it('the GitHub Action installs the packed suite, runs it, and adds its summary', async () => {
    const action = parse(await readFile(join(INSTALLED, 'ci/github/action.yml'), 'utf8'))
    const inputs: Record<string, string> = {
      ...Object.fromEntries(
        Object.entries<{ default?: string }>(action.inputs).map(([name, input]) => [name, input.default ?? '']),
      ),
      ...{ target: 'receiver', config: 'python', arguments: '--rule SIG --bail 3', package: tarball },
    }
    const fill = (text: string) =>
      text.replaceAll(/\$\{\{ inputs\.(\w+) \}\}/g, (_, name: string) => inputs[name] ?? '')
    for (const { run, env = {} } of action.runs.steps) {
      if (run === undefined) continue
      const filled = Object.fromEntries(Object.entries<string>(env).map(([name, value]) => [name, fill(value)]))
      const summary = { GITHUB_STEP_SUMMARY: join(folder, 'step-summary.md') }
      expect(await runStep(['bash', '-eo', 'pipefail', '-c'], run, { ...filled, ...summary })).toBe(0)
    }
    expect(await readFile(join(folder, 'step-summary.md'), 'utf8')).toContain('receiver, core: SELECTION PASSED')
    expect(await reports()).toEqual(['junit.xml', 'report.html', 'report.json', 'summary.md'])
    await rm(join(folder, 'conformance-reports'), { recursive: true })
  })

  it('the GitLab job runs it, writes its declared artifacts, and fails if the suite fails', async () => {
    const { 'gateway-conformance': job } = parse(
      await readFile(join(INSTALLED, 'ci/gateway-conformance.gitlab-ci.yml'), 'utf8'),
    )
    const variables = { ...job.variables, CONFORMANCE_TARGET: 'receiver', CONFORMANCE_PACKAGE: tarball }
    const [install, run] = job.script
    expect(await runStep(['sh', '-ec'], install, variables)).toBe(0)
    const options = { CONFORMANCE_CONFIG: 'python', CONFORMANCE_ARGUMENTS: '--rule SIG' }
    expect(await runStep(['sh', '-ec'], run, { ...variables, ...options })).toBe(0)
    expect((await reports()).map((name) => `conformance-reports/${name}`)).toContain(job.artifacts.reports.junit)
    expect(await runStep(['sh', '-ec'], run, { ...variables, CONFORMANCE_CONFIG: 'nowhere.yaml' })).toBe(2)
  })
})

it('can be used from a program and in a vitest project', async () => {
  await writeFile(
    join(PROJECT, 'program.mjs'),
    `import { renderSummary, runSuite } from '@conversation-gateway/conformance'
const report = await runSuite({ target: 'server', config: 'reference', checks: ['conversations/duplicate-key-is-busy'] })
console.log(renderSummary(report))
`,
  )
  const options = { cwd: PROJECT, env: { ...process.env, GATEWAY_DIR: WORKSPACE } }
  const { stdout } = await execute(process.execPath, ['program.mjs'], options)
  expect(stdout).toMatch(/SELECTION PASSED: 1 of \d+ checks/)

  await writeFile(
    join(PROJECT, 'own.test.mjs'),
    `import { startReferenceGateway } from '@conversation-gateway/conformance'
import { serverSuite } from '@conversation-gateway/conformance/vitest'
serverSuite(() => startReferenceGateway({ gatewayDir: process.env.GATEWAY_DIR }), { checks: ['conversations/duplicate-key-is-busy'] })
`,
  )
  await writeFile(join(PROJECT, 'vitest.config.mjs'), 'export default {}\n')
  const vitest = join(PACKAGE, 'node_modules/vitest/vitest.mjs')
  const own = await execute(process.execPath, [vitest, 'run', 'own.test.mjs'], options)
  expect(own.stdout).toMatch(/Tests .*\d+ passed/)
})
