/**
 * Runs the tests, all but the long ones unless a project is named, and closes with one line that counts them. Arguments go to
 * vitest. Under CI, files that fail are tried once more with the machine to themselves.
 */
import { readFileSync, rmSync } from 'node:fs'
import { join, relative } from 'node:path'
import type { JsonTestResults } from 'vitest/node'
import { runStep } from './check-step.ts'
import { useTemporaryFolder } from './temporary-folder.ts'

type FileResult = JsonTestResults['testResults'][number]
interface Results {
  /** Vitest has no complaint, be it of a test or of an error outside of them. */
  readonly ok: boolean
  readonly files: readonly FileResult[]
}

/** With more, it is not chance that they fail. */
const MOST_TRIED_AGAIN = 5
const MESSAGE_LINES = 12

const report = join(useTemporaryFolder(), 'report.json')
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
if (first !== undefined && again !== undefined)
  close({ ok: again.ok, files: [...first.files.filter(({ name }) => !failed.includes(name)), ...again.files] })
else close(first)

/** Nothing where vitest did not come to its end. */
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

function close(results: Results | undefined): void {
  if (results === undefined) {
    console.error('The tests did not run to their end.')
    process.exitCode = 1
    return
  }
  for (const file of results.files.filter(hasFailed)) console.log(describe(file))
  const tests = results.files.flatMap(({ assertionResults }) => assertionResults)
  const passed = tests.filter(({ status }) => status === 'passed').length
  const skipped = tests.filter(({ status }) => status !== 'passed' && status !== 'failed').length
  // A file that fails before its first test counts as a failure as well.
  const failures = results.files.filter(hasFailed).map((file) => Math.max(failuresOf(file).length, 1))
  const failedCount = failures.reduce((sum, count) => sum + count, 0)
  console.log(`${passed} passed, ${failedCount} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`)
  // Without a single test nothing has been shown.
  process.exitCode = passed === 0 || !results.ok ? 1 : 0
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
