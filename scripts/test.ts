/** Runs the tests, all but the long ones unless a project is named, and closes with one line that counts them. Arguments go to vitest. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { runStep } from './check-step.ts'
import { useTemporaryFolder } from './temporary-folder.ts'

const report = join(useTemporaryFolder(), 'report.json')
const args = process.argv.slice(2)
const projects = args.some((arg) => arg.startsWith('--project')) ? [] : ['--project=unit', '--project=server']
const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`]
const interruption = new AbortController()
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => interruption.abort())
const { ok } = await runStep(
  { name: 'tests', command: ['vitest', 'run', ...reporters, ...projects, ...args], limitMinutes: 60, live: true },
  interruption.signal,
)

const counts = countTests()
if (counts === null) console.error('The tests did not run to their end.')
else {
  const skipped = counts.skipped > 0 ? `, ${counts.skipped} skipped` : ''
  console.log(`${counts.passed} passed, ${counts.failed} failed${skipped}`)
}
// Without a single test nothing has been shown.
process.exitCode = counts === null || counts.passed === 0 || !ok ? 1 : 0

function countTests(): { passed: number; failed: number; skipped: number } | null {
  try {
    const result: unknown = JSON.parse(readFileSync(report, 'utf8'))
    if (typeof result !== 'object' || result === null) return null
    const count = (name: string): number => Number((result as Record<string, unknown>)[name] ?? 0)
    return {
      passed: count('numPassedTests'),
      // A file that fails before its first test counts as a failure as well.
      failed: Math.max(count('numFailedTests'), count('numFailedTestSuites') > 0 ? 1 : 0),
      skipped: count('numPendingTests') + count('numTodoTests'),
    }
  } catch {
    return null
  }
}
