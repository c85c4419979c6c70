import type { Check } from '../kit/check.ts'
import type { CheckRun } from '../kit/check-run.ts'
import { messageOf } from '../kit/message-of.ts'
import type { System } from '../kit/system.ts'
import { runCheck } from './run-check.ts'
import { createSchedule, type Scheduled } from './schedule.ts'

/** Maximum number of open event streams of all checks, below the limit of 16 for an application. */
export const STREAM_BUDGET = 12

/** The default time limit of a check, in multiples of the system's longest wait. */
const LIMIT_IN_WAITS = 10
const MIN_LIMIT_MS = 60_000

/** The default time limit of a check, in milliseconds. */
export const defaultLimitMs = ({ waitMs }: { readonly waitMs: number }): number =>
  Math.max(MIN_LIMIT_MS, LIMIT_IN_WAITS * waitMs)

/** After this many failures in a row, the suite asks whether the system is still reachable. */
const FAILURES_BEFORE_PROBE = 8

export interface RunChecksOptions {
  /** Time limit of one check, in milliseconds. Default: ten times the system's longest wait, at least a minute. */
  readonly limitMs?: number
  /** Starts no further check after this many failures. Default: never. */
  readonly bail?: number
  /** Which runs count for `bail`. Default: failed ones. */
  isFailure?(run: CheckRun): boolean
  /** When aborted, ends the running checks and starts no others. */
  readonly signal?: AbortSignal
  /** Called with each run when it ends. */
  onRun?(run: CheckRun): void
}

/**
 * Runs checks against a system in this process, in parallel where possible. Returns one run for every check, in the
 * given order. If the system becomes unreachable, the remaining checks are not run.
 */
export async function runChecks<Context>(
  checks: readonly (Check<Context> & Scheduled)[],
  system: System<Context>,
  options: RunChecksOptions = {},
): Promise<CheckRun[]> {
  const { limitMs = defaultLimitMs(system), bail = Number.POSITIVE_INFINITY, signal, onRun = () => {} } = options
  const isFailure = options.isFailure ?? (({ outcome }: CheckRun) => outcome.kind === 'failed')
  const { concurrency, instances = 0 } = system
  const schedule = createSchedule({ concurrency, instances, streams: STREAM_BUDGET })
  let failures = 0
  let consecutiveFailures = 0
  /** Why no further check is started. */
  let stopReason: string | null = null

  const judge = async (run: CheckRun): Promise<void> => {
    if (isFailure(run)) failures += 1
    if (failures >= bail) stopReason ??= `the run ended after ${failures} failures (--bail ${bail})`
    consecutiveFailures = run.outcome.kind === 'failed' ? consecutiveFailures + 1 : 0
    if (consecutiveFailures === 0 || consecutiveFailures % FAILURES_BEFORE_PROBE !== 0) return
    await system.probe().catch((error: unknown) => {
      stopReason ??= messageOf(error)
    })
  }
  const runOne = async (check: Check<Context>): Promise<CheckRun> => {
    if (signal?.aborted === true) stopReason ??= 'the run was interrupted'
    if (stopReason !== null)
      return { id: check.id, outcome: { kind: 'not-run', reason: stopReason }, durationMs: 0, transcript: [] }
    const run = await runCheck(check, system, { limitMs, ...(signal === undefined ? {} : { signal }) })
    await judge(run)
    return run
  }
  return Promise.all(
    checks.map((check) =>
      schedule.run(check, async () => {
        const run = await runOne(check)
        onRun(run)
        return run
      }),
    ),
  )
}
