/** Runs everything that CI checks: the quick static checks first, the tests last. */
import { runStep, type Step } from './check-step.ts'
import { SUITE_OPTIONS } from './suite-options.ts'
import { useTemporaryFolder } from './temporary-folder.ts'

const STATIC: readonly Step[] = [
  { name: 'generated files are current', command: ['node', 'openapi/src/generate.ts', '--check'] },
  { name: 'changes of the contract are compatible', command: ['node', 'openapi/src/changes.ts'] },
  { name: 'contract lint', command: ['node', 'openapi/src/lint.ts'] },
  { name: 'format and lint', command: ['biome', 'ci', '.'] },
  { name: 'types', command: ['tsc', '-p', 'tsconfig.json'] },
  {
    name: 'import rules',
    command: [
      'depcruise',
      'openapi',
      'sdk',
      'server',
      'conformance',
      'docs/src',
      '--config',
      '.dependency-cruiser.mjs',
    ],
  },
  { name: 'unused code', command: ['knip'] },
  { name: 'every rule is proven', command: ['node', 'conformance/scripts/rule-coverage.ts'] },
  { name: 'mutants fit the code', command: ['node', 'conformance/scripts/mutants-fit.ts'] },
  { name: 'migrations are numbered', command: ['node', 'scripts/migration-numbers.ts'] },
]
/** The slow steps besides `npm test`, which runs the suite's core checks on the embedded database. */
const LONG: readonly Step[] = [
  { name: 'client in every runtime', command: ['node', 'sdk/test/runtimes/main.ts'], limitMinutes: 10, timed: true },
  {
    name: 'suite on PostgreSQL',
    command: ['node', 'conformance/scripts/suite-on-postgres.ts', '--profile', 'reference', ...SUITE_OPTIONS],
    limitMinutes: 20,
    timed: true,
  },
  { name: 'long tests', command: ['npm', 'run', 'test:long'], limitMinutes: 30 },
  {
    name: 'some mutants',
    command: ['node', 'conformance/broken/main.ts', '--quick', '16'],
    limitMinutes: 10,
    timed: true,
  },
]
const TESTS: Step = { name: 'tests', command: ['npm', 'test'], limitMinutes: 25, live: true }

const HELP = `Usage: npm run check [-- --static]

Runs, in this order: ${[...STATIC, ...LONG, TESTS].map(({ name }) => name).join(', ')}.
--static runs only the quick static steps, which execute neither the suite nor tests. A failed step does not stop the
others; the exit code is then 1.`

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

const interruption = new AbortController()
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => interruption.abort())

useTemporaryFolder()
const isStatic = args.includes('--static')
interface Failure {
  readonly name: string
  readonly output: string
}
const failures: Failure[] = []
const passedInRetry: Failure[] = []
for (const step of isStatic ? STATIC : [...STATIC, ...LONG]) await report(step)
// The tests run even after a failure. They run last, because CI reads the numbers of passed and failed tests from the
// last line.
const tests =
  isStatic || interruption.signal.aborted ? { ok: true, output: '' } : await runStep(TESTS, interruption.signal)
// The failures are printed again here, because viewers often cut the middle of a long log.
for (const { name, output } of passedInRetry)
  console.log(`\nPassed only in the retry: ${name}. The first attempt failed:\n${indent(findingsIn(output))}`)
for (const { name, output } of failures)
  console.log(`\nFailed: ${name}. Its output ended with:\n${indent(endOf(output))}`)
if (failures.length + passedInRetry.length > 0 && tests.output !== '') console.log(endOf(tests.output, 1))
process.exit(interruption.signal.aborted ? 130 : failures.length === 0 && tests.ok ? 0 : 1)

async function report(step: Step): Promise<void> {
  if (interruption.signal.aborted) return
  const { ok, ending, output, seconds } = await runStep(step, interruption.signal)
  const time = `${seconds.toFixed(1)} s`
  console.log(ok ? `ok     ${step.name} (${time})` : `FAILED ${step.name} (${ending}, ${time})`)
  if (ok) return
  const shown = withoutProgress(output)
  console.log(indent(shown.trimEnd()))
  if (step.timed && process.env.CI !== undefined) {
    const { ok: passed } = await runStep(step, interruption.signal)
    if (passed) {
      console.log(`ok     ${step.name}, but ONLY IN THE RETRY; the first failure is above`)
      passedInRetry.push({ name: step.name, output: shown })
      return
    }
  }
  failures.push({ name: step.name, output: shown })
}

/** A suite's report of the failed checks; for another program, the end of its output. */
function findingsIn(output: string): string {
  const findings = output.split('\n\n').filter((block) => /^(FAILED|NO VERDICT): /.test(block))
  return findings.length > 0 ? endOf(findings.join('\n'), 60) : endOf(output)
}

/** Removes the suite's progress lines, which would otherwise displace the failures from the end of the log. */
function withoutProgress(output: string): string {
  return output.replaceAll(/^\d+ of \d+ checks, \d+ failed\n/gm, '')
}

function indent(text: string): string {
  return text.replace(/^/gm, '       ')
}

function endOf(output: string, lines = 25): string {
  return output.trimEnd().split('\n').slice(-lines).join('\n')
}
