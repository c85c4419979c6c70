import type { TestContext } from 'vitest'
import { afterAll, beforeAll, describe, it } from 'vitest'
import { describeCheck } from '../kit/catalogue.ts'
import type { Check } from '../kit/check.ts'
import type { CheckRun } from '../kit/check-run.ts'
import type { System } from '../kit/system.ts'
import type { KnownFailure } from '../report/baseline.ts'
import type { Status } from '../report/status.ts'
import { statusOf } from '../report/suite-report.ts'
import { runCheck } from './run-check.ts'
import { defaultLimitMs, STREAM_BUDGET } from './run-checks.ts'
import { createSchedule, type Scheduled } from './schedule.ts'

declare module 'vitest' {
  interface TaskMeta {
    /** The run of a conformance check, for reporters. */
    conformance?: CheckRun
  }
}

export interface RegisterOptions<Context> {
  readonly name: string
  readonly checks: readonly (Check<Context> & Scheduled)[]
  /** Called once before the first check. The `stop` of its result is called after the last one. */
  start(): Promise<System<Context>>
  readonly baseline?: readonly KnownFailure[]
  /** Also keeps the transcripts of passed checks. Default false. */
  readonly keepTranscripts?: boolean
}

/** Disables the tool's timeout, because checks have their own. */
const NO_LIMIT_MS = 2 ** 31 - 1
const START_LIMIT_MS = 120_000

/**
 * Registers each check as a test of the vitest file that calls this. A broken MUST or a check without a verdict fails
 * its test. A broken SHOULD or MAY, a known failure and a check that is not testable here are shown as skipped with their
 * reason.
 */
export function registerSuite<Context>({
  name,
  checks,
  start,
  baseline = [],
  keepTranscripts = false,
}: RegisterOptions<Context>): void {
  const known = new Map(baseline.map((entry) => [entry.check, entry.reason]))
  let system: System<Context> | undefined
  let schedule = createSchedule({ concurrency: 1, streams: STREAM_BUDGET, instances: 0 })

  describe.concurrent(name, () => {
    beforeAll(async () => {
      system = await start()
      const { concurrency, instances = 0 } = system
      schedule = createSchedule({ concurrency, instances, streams: STREAM_BUDGET })
    }, START_LIMIT_MS)
    afterAll(async () => system?.stop(), START_LIMIT_MS)

    const examine =
      (check: Check<Context> & Scheduled) =>
      async ({ task, skip }: TestContext) => {
        const { level } = describeCheck(check)
        if (system === undefined) throw new Error('the system under test did not start')
        const ready = system
        const run = await schedule.run(check, () => runCheck(check, ready, { limitMs: defaultLimitMs(ready) }))
        const status = statusOf(level, run, { knownReason: known.get(check.id) ?? null, isScored: true })
        task.meta.conformance = status === 'passed' && !keepTranscripts ? { ...run, transcript: [] } : run
        const result = testResultOf(run, status, known.get(check.id))
        if (result.kind === 'failed') throw new CheckFailure(result.message)
        if (result.kind === 'skipped') skip(result.reason)
      }
    for (const check of checks) it(titleOf(check), { timeout: NO_LIMIT_MS }, examine(check))
  })
}

export type TestResult =
  | { readonly kind: 'passed' }
  | { readonly kind: 'skipped'; readonly reason: string }
  | { readonly kind: 'failed'; readonly message: string }

/** The result of the test of a check. Without a verdict the test fails, so that it cannot be mistaken for a pass. */
export function testResultOf({ outcome }: CheckRun, status: Status, knownReason: string | undefined): TestResult {
  switch (outcome.kind) {
    case 'passed':
      return { kind: 'passed' }
    case 'untestable':
      return { kind: 'skipped', reason: `not testable here: ${outcome.reason}` }
    case 'undecided':
    case 'not-run':
      return { kind: 'failed', message: `no verdict: ${outcome.reason}` }
    case 'failed':
      return status === 'failed'
        ? { kind: 'failed', message: outcome.message }
        : { kind: 'skipped', reason: `${status}: ${knownReason ?? outcome.message}` }
  }
}

const titleOf = ({ title, rules }: Check<never>): string => `${title} [${rules.join(', ')}]`

/** The error of a broken rule, without a stack, because the suite's own files do not help the reader. */
class CheckFailure extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'CheckFailure'
    this.stack = `${this.name}: ${message}`
  }
}
