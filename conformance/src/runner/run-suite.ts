import { describeCheck } from '../catalogue.ts'
import { createReport, type SuiteReport } from '../report/suite-report.ts'
import { withExamination } from '../targets/targets.ts'
import { CONTRACT_SHA256, SUITE_VERSION } from '../version.ts'
import { runChecks } from './run-checks.ts'
import type { SuiteOptions } from './suite-options.ts'

/**
 * Runs the suite in this process, without vitest, and resolves with the report; a broken rule is a result, not an exception.
 * @throws {UsageError} the configuration cannot be loaded or is not complete.
 */
export async function runSuite(options: SuiteOptions): Promise<SuiteReport> {
  return withExamination(options, async ({ checks, start }) => {
    const startedAt = new Date()
    const system = await start()
    try {
      const runs = await runChecks(checks, system)
      return createReport({
        target: options.target,
        profile: options.profile ?? 'reference',
        subject: system.name,
        suiteVersion: SUITE_VERSION,
        contractSha256: CONTRACT_SHA256,
        startedAt: startedAt.toISOString(),
        durationMs: Date.now() - startedAt.getTime(),
        checks: checks.map(describeCheck),
        runs: runs.map((run) =>
          run.outcome.kind === 'passed' && !options.keepTranscripts ? { ...run, transcript: [] } : run,
        ),
        baseline: options.baseline ?? [],
      })
    } finally {
      await system.stop()
    }
  })
}
