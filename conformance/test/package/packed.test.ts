import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { packTarball } from '../../scripts/pack.ts'

const execute = promisify(execFile)

const PACKAGE = resolve(import.meta.dirname, '../..')
const WORKSPACE = resolve(PACKAGE, '..')
/** Below the package, so that what it depends on is found as if it had been installed. */
const HOUSE = join(PACKAGE, '.cache/packed')
const INSTALLED = join(HOUSE, 'node_modules/@conversation-gateway/conformance')

interface Outcome {
  readonly code: number
  readonly stdout: string
  readonly stderr: string
}

/** Runs the packed command, as `npx gateway-conformance` does. */
const gatewayConformance = async (args: readonly string[]): Promise<Outcome> => {
  const { bin }: { bin: Record<string, string> } = JSON.parse(await readFile(join(INSTALLED, 'package.json'), 'utf8'))
  const program = join(INSTALLED, bin['gateway-conformance'] ?? '')
  const options = { cwd: HOUSE, env: { ...process.env, GATEWAY_DIR: WORKSPACE } }
  return execute(process.execPath, [program, ...args], options).then(
    ({ stdout, stderr }) => ({ code: 0, stdout, stderr }),
    ({ code, stdout, stderr }: Outcome) => ({ code, stdout, stderr }),
  )
}

beforeAll(async () => {
  const folder = await mkdtemp(join(tmpdir(), 'conformance-tarball-'))
  const tarball = await packTarball(folder)
  await rm(HOUSE, { recursive: true, force: true })
  await mkdir(INSTALLED, { recursive: true })
  await execute('tar', ['-xzf', tarball, '--strip-components=1', '-C', INSTALLED])
  await rm(folder, { recursive: true })
})
afterAll(() => rm(HOUSE, { recursive: true, force: true }))

it('explains itself, and refuses wrong usage with exit code 2', async () => {
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

it('says which field of a configuration is wrong', async () => {
  await writeFile(join(HOUSE, 'faulty.mjs'), "export default { baseUrl: 'http://127.0.0.1:1/api/v1', apps: {} }\n")
  const { code, stderr } = await gatewayConformance(['server', '--config', 'faulty.mjs', '--rule', 'CONV-08'])
  expect(code).toBe(2)
  expect(stderr).toContain('baseUrl: must be an origin only; the suite adds /api/v1 itself')
  expect(stderr).toContain('apps.first.key: must be an API key')
})

it('starts the reference gateway, checks a rule of it, explains it and writes reports', async () => {
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
  expect(stdout).toMatch(/CONFORMANT: [1-9]\d* passed, 0 failed/)
  expect(JSON.parse(await readFile(join(HOUSE, 'out/report.json'), 'utf8'))).toMatchObject({ conformant: true })
  expect(await readFile(join(HOUSE, 'out/report.junit'), 'utf8')).toContain('failures="0"')
  expect(await readFile(join(HOUSE, 'out/report.html'), 'utf8')).toContain('<h1>Conformant</h1>')
})

it('brings its Python adapter along, and fails a baseline whose check passes', async () => {
  await writeFile(join(HOUSE, 'known.yaml'), '- check: idempotency/visible\n  reason: not yet\n')
  const args = ['client', '--config', 'python', '--rule', 'IDEM-01', '--baseline', 'known.yaml']
  const { code, stdout } = await gatewayConformance(args)
  expect(stdout).toContain('stale in the baseline: idempotency/visible')
  expect(code).toBe(1)
})

it('can be used from a program, and inside a vitest project', async () => {
  await writeFile(
    join(HOUSE, 'program.mjs'),
    `import { renderSummary, runSuite } from '@conversation-gateway/conformance'
const report = await runSuite({ target: 'server', config: 'reference', checks: ['conversations/duplicate-key-is-busy'] })
console.log(renderSummary(report))
`,
  )
  const options = { cwd: HOUSE, env: { ...process.env, GATEWAY_DIR: WORKSPACE } }
  const { stdout } = await execute(process.execPath, ['program.mjs'], options)
  expect(stdout).toContain('CONFORMANT: 1 passed, 0 failed')

  await writeFile(
    join(HOUSE, 'own.test.mjs'),
    `import { startReferenceGateway } from '@conversation-gateway/conformance'
import { serverSuite } from '@conversation-gateway/conformance/vitest'
serverSuite(() => startReferenceGateway({ gatewayDir: process.env.GATEWAY_DIR }), { checks: ['conversations/duplicate-key-is-busy'] })
`,
  )
  await writeFile(join(HOUSE, 'vitest.config.mjs'), 'export default {}\n')
  const vitest = join(PACKAGE, 'node_modules/vitest/vitest.mjs')
  const own = await execute(process.execPath, [vitest, 'run', 'own.test.mjs'], options)
  expect(own.stdout).toMatch(/Tests .*\d+ passed/)
})
