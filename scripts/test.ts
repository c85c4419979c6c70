/**
 * Runs all tests except the long ones, or those of a named project, and prints one line with the counts at the end.
 * Without arguments it also runs the core of the server suite on the embedded database, and counts its checks as tests.
 * Arguments are passed to vitest. In CI, failed test files and a failed suite are retried once, with nothing else
 * running.
 */
import { readFileSync, rmSync } from 'node:fs'
import { join, relative } from 'node:path'
import type { JsonTestResults } from 'vitest/node'
import type { CheckReport } from '../conformance/src/report/suite-report.ts'
import { runStep, type Step } from './check-step.ts'
import { SUITE_OPTIONS } from './suite-options.ts'
import { useTemporaryFolder } from './temporary-folder.ts'

type FileResult = JsonTestResults['testResults'][number]
interface Results {
  /** Whether vitest reports no failed test and no error outside the tests. */
  readonly ok: boolean
  readonly files: readonly FileResult[]
}

interface SuiteResults {
  /** Whether the suite finished and passed. */
  readonly ok: boolean
  readonly checks: readonly Pick<CheckReport, 'id' | 'title' | 'status' | 'message'>[]
}

/** More failures than this are not random, so a retry would not help. */
const MAX_RETRIED_FILES = 5
const MESSAGE_LINES = 12

const folder = useTemporaryFolder()
const report = join(folder, 'report.json')
const suiteReport = join(folder, 'suite.json')
const args = process.argv.slice(2)
const projects = args.some((arg) => arg.startsWith('--project')) ? [] : ['--project=unit', '--project=server']
const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`]
const interruption = new AbortController()
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => interruption.abort())

const first = await runTests(args)
const failed = first?.files.filter(hasFailed).map(({ name }) => name) ?? []
const again =
  process.env.CI !== undefined && failed.length > 0 && failed.length <= MAX_RETRIED_FILES
    ? await tryAgain(failed)
    : undefined
const results =
  first !== undefined && again !== undefined
    ? { ok: again.ok, files: [...first.files.filter(({ name }) => !failed.includes(name)), ...again.files] }
    : first
close(results, args.length === 0 && results !== undefined ? await runSuite() : { ok: true, checks: [] })

/** Runs vitest; undefined if it did not finish. */
async function runTests(args: readonly string[]): Promise<Results | undefined> {
  if (interruption.signal.aborted) return undefined
  rmSync(report, { force: true })
  const { ok } = await runStep(
    { name: 'tests', command: ['vitest', 'run', ...reporters, ...projects, ...args], limitMinutes: 60, live: true },
    interruption.signal,
  )
  try {
    const { testResults }: JsonTestResults = JSON.parse(readFileSync(report, 'utf8'))
    return { ok, files: testResults }
  } catch {
    return undefined
  }
}

async function tryAgain(files: readonly string[]): Promise<Results | undefined> {
  const names = files.map((file) => relative('.', file)).join(', ')
  console.log(`\nThese failed and are retried once: ${names}`)
  const results = await runTests([...args.filter((arg) => arg.startsWith('-')), '--maxWorkers=1', ...files])
  if (results?.ok === true) console.log(`\nPASSED ONLY IN THE RETRY: ${names}. The first failures are above.`)
  return results
}

async function runSuite(): Promise<SuiteResults> {
  const options = ['--config', 'reference', ...SUITE_OPTIONS, '--report-json', suiteReport]
  const step: Step = {
    name: 'suite on the embedded database, core',
    command: ['node', 'conformance/src/cli.ts', 'server', ...options],
    limitMinutes: 10,
    live: true,
  }
  // If DATABASE_URL is set, the suite uses that database instead of the embedded one.
  delete process.env.DATABASE_URL
  const runOnce = async (): Promise<SuiteResults> => {
    rmSync(suiteReport, { force: true })
    const { ok } = await runStep(step, interruption.signal)
    try {
      const { checks }: SuiteResults = JSON.parse(readFileSync(suiteReport, 'utf8'))
      // The verdict is about MUST rules, but the reference gateway also has to pass the checks of SHOULD and MAY rules.
      return { ok: ok && checks.every(isSettled), checks }
    } catch {
      return { ok: false, checks: [] }
    }
  }
  const suite = await runOnce()
  if (suite.ok || process.env.CI === undefined || interruption.signal.aborted) return suite
  console.log('\nThe suite failed and is retried once.')
  const second = await runOnce()
  if (second.ok) console.log('\nTHE SUITE PASSED ONLY IN THE RETRY. The first failure is above.')
  return second
}

function close(results: Results | undefined, suite: SuiteResults): void {
  if (results === undefined) {
    console.error('The tests did not finish.')
    process.exitCode = 1
    return
  }
  for (const file of results.files.filter(hasFailed)) console.log(describe(file))
  const refuted = suite.checks.filter((check) => !isSettled(check))
  for (const { id, title, status, message } of refuted)
    console.log(`FAILED check ${id} (${status}): ${title}\n  ${message}`)
  if (!suite.ok && refuted.length === 0) console.log('FAILED suite on the embedded database. The reason is above.')
  const tests = results.files.flatMap(({ assertionResults }) => assertionResults)
  const passedTests = tests.filter(({ status }) => status === 'passed').length
  const passed = passedTests + suite.checks.filter(({ status }) => status === 'passed').length
  const skipped =
    tests.filter(({ status }) => status !== 'passed' && status !== 'failed').length +
    suite.checks.filter(({ status }) => status === 'untestable').length
  // A file that fails before its first test counts as a failure as well.
  const failures = results.files.filter(hasFailed).map((file) => Math.max(failuresOf(file).length, 1))
  // A suite that did not pass counts as at least one failure.
  const failedChecks = suite.ok ? 0 : Math.max(refuted.length, 1)
  const failedCount = failures.reduce((sum, count) => sum + count, failedChecks)
  console.log(`${passed} passed, ${failedCount} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`)
  // A run in which no test passed is a failure, for example if all tests were skipped.
  process.exitCode = passedTests === 0 || !results.ok || !suite.ok ? 1 : 0
}

/** Whether the check passed or cannot run here. */
function isSettled({ status }: Pick<CheckReport, 'status'>): boolean {
  return status === 'passed' || status === 'untestable'
}

function hasFailed(file: FileResult): boolean {
  return file.status === 'failed' || failuresOf(file).length > 0
}

function failuresOf(file: FileResult): FileResult['assertionResults'] {
  return file.assertionResults.filter(({ status }) => status === 'failed')
}

/** The failures of a file, short enough to be read at the end of a long output. */
function describe(file: FileResult): string {
  const shortened = (message = ''): string => {
    const lines = message.split('\n').filter((line) => !line.includes('node_modules'))
    return lines.slice(0, MESSAGE_LINES).join('\n')
  }
  const failures = failuresOf(file).map((test) => `${test.fullName}\n${shortened(test.failureMessages?.[0])}`)
  return `FAILED ${relative('.', file.name)}\n${failures.join('\n') || shortened(file.message)}`.replace(/\n/g, '\n  ')
}
