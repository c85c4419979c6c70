/** Everything that CI checks, in one command: the quick static checks first, the tests last. */
import { spawn } from 'node:child_process'

interface Step {
  readonly name: string
  readonly command: readonly [string, ...string[]]
}

const STATIC: readonly Step[] = [
  { name: 'generated files are current', command: ['node', 'openapi/src/generate.ts', '--check'] },
  { name: 'contract lint', command: ['node', 'openapi/src/lint.ts'] },
  { name: 'format and lint', command: ['biome', 'ci', '.'] },
  { name: 'types', command: ['tsc', '-p', 'tsconfig.json'] },
  {
    name: 'import rules',
    command: ['depcruise', 'openapi', 'sdk', 'server', 'conformance', '--config', '.dependency-cruiser.mjs'],
  },
  { name: 'unused code', command: ['knip'] },
  { name: 'rule coverage', command: ['node', 'conformance/src/cli.ts', 'coverage'] },
]
/** The client's behaviour where it has to run besides this Node. */
const RUNTIMES: Step = { name: 'client in every runtime', command: ['node', 'sdk/test/runtimes/main.ts'] }
const TESTS: Step = { name: 'tests', command: ['npm', 'test'] }

const HELP = `pnpm check [--static]

Runs, in this order: ${[...STATIC, RUNTIMES, TESTS].map(({ name }) => name).join(', ')}.
--static leaves the last two out. Exits 1 when anything fails, after having run everything.`

const run = ({ command: [program, ...args] }: Step, live: boolean): Promise<{ ok: boolean; output: string }> =>
  new Promise((resolve) => {
    const child = spawn(program, args, { stdio: live ? 'inherit' : ['ignore', 'pipe', 'pipe'] })
    const chunks: Buffer[] = []
    child.stdout?.on('data', (chunk: Buffer) => chunks.push(chunk))
    child.stderr?.on('data', (chunk: Buffer) => chunks.push(chunk))
    child.on('error', (error) => resolve({ ok: false, output: error.message }))
    child.on('close', (code) => resolve({ ok: code === 0, output: Buffer.concat(chunks).toString() }))
  })

const args = process.argv.slice(2)
if (args.includes('--help')) {
  console.log(HELP)
  process.exit(0)
}
const unknown = args.filter((arg) => arg !== '--static')
if (unknown.length > 0) {
  console.error(`Unknown argument ${unknown.join(' ')}.\n\n${HELP}`)
  process.exit(2)
}

const isStatic = args.includes('--static')
const failed: string[] = []
for (const step of isStatic ? STATIC : [...STATIC, RUNTIMES]) {
  const started = performance.now()
  const { ok, output } = await run(step, false)
  console.log(`${ok ? 'ok    ' : 'FAILED'} ${step.name} (${((performance.now() - started) / 1000).toFixed(1)} s)`)
  if (ok) continue
  failed.push(step.name)
  console.log(output.trimEnd().replace(/^/gm, '       '))
}
if (failed.length > 0) console.log(`\nFailed: ${failed.join(', ')}.`)
// The tests run even so, and last: their closing line counts them.
const tests = isStatic ? { ok: true } : await run(TESTS, true)
process.exitCode = failed.length === 0 && tests.ok ? 0 : 1
