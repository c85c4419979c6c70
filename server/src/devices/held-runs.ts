import type { RunRef } from '../gateway/execution.ts'
import type { WorkerLog } from '../runtime/log.ts'
import { oneAtATime } from '../runtime/one-at-a-time.ts'
import type { HeldRun } from '../store/runs.ts'
import type { Execution } from './execute-run.ts'
import type { ExecutionPort } from './execution-port.ts'
import type { PendingApprovals } from './pending-approvals.ts'

/** Polls the runs that a worker executes, to notice stops, decisions and lost runs. */
export interface RunWatch {
  /**
   * Polls all runs, and repeats unsuccessful reports of `release`. Rejects if the database does not answer. If a run
   * belongs to this worker but is not executed here, because the answer to its claim was lost, it ends as interrupted.
   */
  pollAll(): Promise<void>
  /** Polls one run now; calls in the same turn of the event loop share a statement. */
  pollSoon(runId: string): void
  /** Reports that this live worker no longer executes a run; repeats the report until it succeeds. */
  release(run: RunRef): void
}

export interface RunWatchTools {
  readonly port: ExecutionPort
  readonly approvals: PendingApprovals
  readonly log: WorkerLog
  /** Resolves when the worker executes the runs of all pending claims. */
  readonly claimsSettled: () => Promise<void>
}

export const createRunWatch = (
  held: ReadonlyMap<string, Execution>,
  { port, approvals, log, claimsSettled }: RunWatchTools,
): RunWatch => {
  let hinted = new Set<string>()
  /**
   * Dropped runs that are not reported yet. Reported runs are in `reported` until the next poll of all runs begins: its
   * answer no longer contains them.
   */
  const unreported = new Map<string, RunRef>()
  let reported = new Set<string>()

  const reportDropped = oneAtATime(
    async () => {
      const runs = [...unreported.values()]
      if (runs.length === 0) return
      await port.releaseRuns(runs)
      for (const { runId } of runs) {
        unreported.delete(runId)
        reported.add(runId)
      }
    },
    (error) => log.warn({ err: error }, 'dropped runs could not be reported; the next heartbeat tries again'),
  )

  /** @param executions the runs that were executing when the poll began. Later ones may be missing from the answer. */
  const compare = async (executions: readonly Execution[], answer: readonly HeldRun[]): Promise<void> => {
    const seen = new Map(answer.map((run) => [run.runId, run]))
    for (const execution of executions) execution.observe(seen.get(execution.run.runId) ?? null)
    await approvals.poll(seen.keys())
  }

  const pollHinted = async () => {
    const executions = [...hinted].flatMap((runId) => held.get(runId) ?? [])
    hinted = new Set()
    if (executions.length > 0) await compare(executions, await port.lookAtRuns(executions.map(({ run }) => run.runId)))
  }

  const pollAll = async () => {
    reported = new Set()
    const executions = [...held.values()]
    const executing = new Set(held.keys())
    const answer = await port.lookAtRuns(null)
    void endOrphans(answer.filter(({ runId }) => !executing.has(runId)))
    await compare(executions, answer)
  }

  /**
   * Ends the orphans among runs that were not executing when the poll began. The others were taken since then; if such
   * a run has already ended, reporting its end has no effect.
   */
  const endOrphans = async (runs: readonly HeldRun[]): Promise<void> => {
    if (runs.length === 0) return
    await claimsSettled()
    for (const run of runs) {
      if (held.has(run.runId) || unreported.has(run.runId) || reported.has(run.runId)) continue
      const report = port.reportOutcome(run, { state: 'interrupted' }, [])
      await report.catch((error: unknown) =>
        log.warn({ run_id: run.runId, err: error }, 'an orphaned run could not be ended'),
      )
    }
  }

  return {
    pollAll: async () => {
      await Promise.all([pollAll(), reportDropped()])
    },
    pollSoon: (runId) => {
      // The next regular poll also finds what the hint announced.
      const failed = (error: unknown) =>
        log.warn({ err: error }, 'runs could not be read after a wake-up; the next heartbeat reads them')
      if (hinted.size === 0) setImmediate(() => void pollHinted().catch(failed))
      hinted.add(runId)
    },
    release: (run) => {
      unreported.set(run.runId, run)
      void reportDropped()
    },
  }
}
