import { availableParallelism } from 'node:os'
import { describeCheck } from '../kit/catalogue.ts'
import { defaultProfile } from '../kit/check.ts'
import type { CheckRun } from '../kit/check-run.ts'
import { UsageError } from '../kit/config/usage-error.ts'
import type { System } from '../kit/system.ts'
import { allowableNames } from '../report/judge.ts'
import { findRequirementSet, REQUIREMENT_SETS, type RequirementSet } from '../report/requirement-sets.ts'
import { createReport, type SuiteReport, scoring, statusOf } from '../report/suite-report.ts'
import { type Examination, listChecks, withExamination } from './examination.ts'
import { runChecks } from './run-checks.ts'
import { isNarrowed } from './selection.ts'
import type { SuiteOptions } from './suite-options.ts'
import { guardProcess } from './unhandled-errors.ts'
import { CONTRACT_SHA256, hashSuite, SUITE_VERSION } from './version.ts'

/** Time limit for running work to end before it is abandoned. */
const STOP_LIMIT_MS = 30_000

/**
 * Runs the suite in this process and resolves with the report. A broken rule is a result, not an exception. For any
 * behaviour of the system under test, every selected check has a verdict or a reason why it was not run.
 * @throws {UsageError} The configuration cannot be loaded or is incomplete, or no check is selected.
 * @throws {SystemAbsentError} The system under test does not answer in time.
 */
export async function runSuite(given: SuiteOptions): Promise<SuiteReport> {
  const options = { profile: defaultProfile(given.target), ...given }
  const known = new Set((await listChecks(options.target, { profile: 'reference' })).map(({ id }) => id))
  return withExamination(options, (examination) => examine(examination, options, known))
}

async function examine<Context>(
  { checks, start }: Examination<Context>,
  options: SuiteOptions,
  known: ReadonlySet<string>,
): Promise<SuiteReport> {
  const { target, profile = 'core', baseline = [], keepTranscripts = false, allowUntestable = [] } = options
  if (checks.length === 0) throw new UsageError('No check is selected. `--list` prints all checks.')
  const requirements = requirementsOf(options)
  const allowable = allowableNames([...known])
  for (const name of allowUntestable)
    if (!allowable.has(name))
      throw new UsageError(`--allow-untestable: there is no topic or check ${name} of the ${target}.`)
  // Computed before the run, because a file that changes during the run is not the one that runs.
  const suiteSha256 = await hashSuite()
  const startedAt = new Date()
  const release = guardProcess()
  let system: System<Context> | null = null
  try {
    system = await start()
    await system.probe()
    const runs = await runChecks(checks, system, toRunOptions(checks.map(describeCheck), requirements, options))
    return createReport({
      target,
      profile,
      subject: system.name,
      requirements,
      suiteVersion: SUITE_VERSION,
      suiteSha256,
      contractSha256: CONTRACT_SHA256,
      startedAt: startedAt.toISOString(),
      durationMs: Date.now() - startedAt.getTime(),
      environment: {
        node: process.version,
        platform: `${process.platform} ${process.arch}`,
        processors: String(availableParallelism()),
      },
      configuration: system.configuration,
      checks: checks.map(describeCheck),
      runs: runs.map((run) => (run.outcome.kind === 'passed' && !keepTranscripts ? { ...run, transcript: [] } : run)),
      baseline,
      isSelection: isNarrowed(options),
      allowedUntestable: allowUntestable,
      ...(system.pacing === undefined ? {} : { pacing: system.pacing() }),
      isCheck: (id) => known.has(id),
    })
  } finally {
    if (system !== null) await stopInTime(system)
    release()
  }
}

/** @throws {UsageError} The profile has no such set. */
function requirementsOf({ profile = 'core', requirements = 'latest' }: SuiteOptions): RequirementSet | null {
  if (requirements === 'all') return null
  const set = findRequirementSet(profile, requirements)
  if (set !== null) return set
  const names = REQUIREMENT_SETS.filter((each) => each.profile === profile).map(({ name }) => name)
  throw new UsageError(
    `${requirements} is not a requirement set of ${profile}. Choose latest, all, or one of ${names.join(', ')}.`,
  )
}

function toRunOptions(
  checks: readonly ReturnType<typeof describeCheck>[],
  requirements: RequirementSet | null,
  options: SuiteOptions,
) {
  const { timeoutMs, bail, signal, baseline = [], onProgress } = options
  const levels = new Map(checks.map(({ id, level }) => [id, level]))
  const isScored = scoring(options.target, requirements)
  const reasons = new Map(baseline.map(({ check, reason }) => [check, reason]))
  const isFailure = (run: CheckRun): boolean =>
    statusOf(levels.get(run.id) ?? 'MUST', run, {
      knownReason: reasons.get(run.id) ?? null,
      isScored: isScored(run.id),
    }) === 'failed'
  let done = 0
  let failed = 0
  return {
    isFailure,
    onRun: (run: CheckRun): void => {
      done += 1
      if (isFailure(run)) failed += 1
      onProgress?.({ run, done, failed, total: checks.length })
    },
    ...(timeoutMs === undefined ? {} : { limitMs: timeoutMs }),
    ...(bail === undefined ? {} : { bail }),
    ...(signal === undefined ? {} : { signal }),
  }
}

/** Limits the wait for a system that does not end. */
async function stopInTime<Context>(system: System<Context>): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const limit = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, STOP_LIMIT_MS)
  })
  await Promise.race([system.stop(), limit]).finally(() => clearTimeout(timer))
}
