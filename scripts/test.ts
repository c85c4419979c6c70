/**
 * Runs the tests, all but the long ones unless a project is named, and closes with one line that counts them. Without arguments
 * it also runs the core of the server suite on the embedded database, whose checks count like tests. Arguments go to vitest.
 * Under CI, files that fail, and a suite that fails, are tried once more with the machine to themselves.
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
  /** Vitest reports no failure, neither of a test nor of an error outside the tests. */
  readonly ok: boolean
  readonly files: readonly FileResult[]
}

interface SuiteResults {
  /** The suite has finished and passed. */
  readonly ok: boolean
  readonly checks: readonly Pick<CheckReport, 'id' | 'title' | 'status' | 'message'>[]
}

/** With more failures, they are not random. */
const MOST_TRIED_AGAIN = 5
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
  process.env.CI !== undefined && failed.length > 0 && failed.length <= MOST_TRIED_AGAIN
    ? await tryAgain(failed)
    : undefined
const results =
  first !== undefined && again !== undefined
    ? { ok: again.ok, files: [...first.files.filter(({ name }) => !failed.includes(name)), ...again.files] }
    : first
close(results, args.length === 0 && results !== undefined ? await runSuite() : { ok: true, checks: [] })

/** Nothing if vitest did not finish. */
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
  console.log(`\nFailed, and tried once more: ${names}`)
  const results = await runTests([...args.filter((arg) => arg.startsWith('-')), '--maxWorkers=1', ...files])
  if (results?.ok === true) console.log(`\nPASSED ONLY THE SECOND TIME: ${names}. Why it failed at first is above.`)
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
  // An environment that names a database would have the suite run there.
  delete process.env.DATABASE_URL
  const runOnce = async (): Promise<SuiteResults> => {
    rmSync(suiteReport, { force: true })
    const { ok } = await runStep(step, interruption.signal)
    try {
      const { checks }: SuiteResults = JSON.parse(readFileSync(suiteReport, 'utf8'))
      // The reference gateway also satisfies SHOULD and MAY rules.
      return { ok: ok && checks.every(isSettled), checks }
    } catch {
      return { ok: false, checks: [] }
    }
  }
  const suite = await runOnce()
  if (suite.ok || process.env.CI === undefined || interruption.signal.aborted) return suite
  console.log('\nThe suite failed, and is tried once more.')
  const second = await runOnce()
  if (second.ok) console.log('\nTHE SUITE PASSED ONLY THE SECOND TIME. Why it failed at first is above.')
  return second
}

function close(results: Results | undefined, suite: SuiteResults): void {
  if (results === undefined) {
    console.error('The tests did not run to their end.')
    process.exitCode = 1
    return
  }
  for (const file of results.files.filter(hasFailed)) console.log(describe(file))
  const refuted = suite.checks.filter((check) => !isSettled(check))
  for (const { id, title, status, message } of refuted)
    console.log(`FAILED check ${id} (${status}): ${title}\n  ${message}`)
  if (!suite.ok && refuted.length === 0) console.log('FAILED suite on the embedded database. Why is above.')
  const tests = results.files.flatMap(({ assertionResults }) => assertionResults)
  const passedTests = tests.filter(({ status }) => status === 'passed').length
  const passed = passedTests + suite.checks.filter(({ status }) => status === 'passed').length
  const skipped =
    tests.filter(({ status }) => status !== 'passed' && status !== 'failed').length +
    suite.checks.filter(({ status }) => status === 'untestable').length
  // A file that fails before its first test counts as a failure as well.
  const failures = results.files.filter(hasFailed).map((file) => Math.max(failuresOf(file).length, 1))
  // So does a suite without a good verdict.
  const failedChecks = suite.ok ? 0 : Math.max(refuted.length, 1)
  const failedCount = failures.reduce((sum, count) => sum + count, failedChecks)
  console.log(`${passed} passed, ${failedCount} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`)
  // Without a single test, nothing was tested.
  process.exitCode = passedTests === 0 || !results.ok || !suite.ok ? 1 : 0
}

/** It has passed, or cannot run here. */
function isSettled({ status }: Pick<CheckReport, 'status'>): boolean {
  return status === 'passed' || status === 'untestable'
}

function hasFailed(file: FileResult): boolean {
  return file.status === 'failed' || failuresOf(file).length > 0
}

function failuresOf(file: FileResult): FileResult['assertionResults'] {
  return file.assertionResults.filter(({ status }) => status === 'failed')
}

/** What failed in a file, short enough to be read at the end of a long output. */
function describe(file: FileResult): string {
  const shortened = (message = ''): string => {
    const lines = message.split('\n').filter((line) => !line.includes('node_modules'))
    return lines.slice(0, MESSAGE_LINES).join('\n')
  }
  const failures = failuresOf(file).map((test) => `${test.fullName}\n${shortened(test.failureMessages?.[0])}`)
  return `FAILED ${relative('.', file.name)}\n${failures.join('\n') || shortened(file.message)}`.replace(/\n/g, '\n  ')
}
