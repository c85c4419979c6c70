import type { Check } from '../check.ts'
import type { System } from '../system.ts'
import type { CheckRun } from './run-check.ts'
import { runCheck } from './run-check.ts'
import { createSchedule, type Scheduled } from './schedule.ts'

/** Event streams that checks have open at once, so that they stay below the 16 that an application may have. */
export const STREAM_BUDGET = 12

/** Runs checks against a system in this process, in parallel as they allow, and returns their runs in the order given. */
export async function runChecks<Context>(
  checks: readonly (Check<Context> & Scheduled)[],
  system: System<Context>,
  onRun: (run: CheckRun) => void = () => {},
): Promise<CheckRun[]> {
  const { concurrency, instances = 0 } = system
  const schedule = createSchedule({ concurrency, instances, streams: STREAM_BUDGET })
  return Promise.all(
    checks.map((check) =>
      schedule.run(check, async () => {
        const run = await runCheck(check, system)
        onRun(run)
        return run
      }),
    ),
  )
}
