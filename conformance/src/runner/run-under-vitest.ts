import { dirname, join } from 'node:path'
import { startVitest } from 'vitest/node'
import { describeCheck } from '../catalogue.ts'
import { UsageError } from '../config/load-config.ts'
import { createReport, type SuiteReport } from '../report/suite-report.ts'
import { siblingModule } from '../sibling-module.ts'
import { listChecks } from '../targets/targets.ts'
import { CONTRACT_SHA256, SUITE_VERSION } from '../version.ts'
import { ProgressReporter } from './progress-reporter.ts'
import type { SuiteOptions } from './suite-options.ts'

export interface VitestRunOptions extends SuiteOptions {
  /** Where vitest's own JUnit report goes. */
  readonly junitFile?: string
}

/** Runs the suite in a vitest of its own and puts the report together. @throws {UsageError} nothing is selected, or the system does not start. */
export async function runUnderVitest({ junitFile, ...options }: VitestRunOptions): Promise<SuiteReport> {
  const checks = (await listChecks(options.target, options)).map(describeCheck)
  if (checks.length === 0) throw new UsageError('No check is selected; `--list` shows what there is.')
  const startedAt = new Date()
  const progress = new ProgressReporter(checks.length, process.stderr)
  const entry = siblingModule(import.meta.url, 'vitest-entry')
  const vitest = await startVitest(
    'test',
    [],
    {
      root: dirname(entry),
      config: false,
      watch: false,
      include: [entry],
      exclude: [],
      pool: 'forks',
      maxWorkers: 1,
      maxConcurrency: checks.length,
      fileParallelism: false,
      passWithNoTests: false,
      provide: { conformance: options },
      reporters: junitFile === undefined ? [progress] : [progress, ['junit', { outputFile: junitFile }]],
    },
    { cacheDir: join(process.env.TMPDIR ?? '/tmp', 'gateway-conformance-vite') },
  )
  await vitest.close()
  // The exit code is the command's to set.
  process.exitCode = 0
  if (progress.runs.length < checks.length)
    throw new UsageError(
      `${checks.length - progress.runs.length} of ${checks.length} checks did not run:\n${[...new Set(progress.errors)].join('\n')}`,
    )
  return createReport({
    target: options.target,
    profile: options.profile ?? 'reference',
    subject: options.config,
    suiteVersion: SUITE_VERSION,
    contractSha256: CONTRACT_SHA256,
    startedAt: startedAt.toISOString(),
    durationMs: Date.now() - startedAt.getTime(),
    checks,
    runs: progress.runs,
    baseline: options.baseline ?? [],
  })
}
