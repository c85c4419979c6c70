import type { RunRef } from '../gateway/execution.ts'
import type { WorkerLog } from '../runtime/log.ts'
import { oneAtATime } from '../runtime/one-at-a-time.ts'
import type { HeldRun } from '../store/runs.ts'
import type { Execution } from './execute-run.ts'
import type { ExecutionPort } from './execution-port.ts'
import type { PendingApprovals } from './pending-approvals.ts'

/** Polls the runs that a worker executes, and so learns about stops, decisions and losses. */
export interface RunWatch {
  /**
   * Polls all runs in one statement. Rejects if the database does not answer; nothing changes then. A run that belongs to this worker
   * without being executed here, because the answer to a claim was lost, ends as interrupted.
   */
  lookAtAll(): Promise<void>
  /** Polls one run now; calls in the same turn of the event loop share a statement. */
  lookSoon(runId: string): void
  /** Reports that this live worker no longer executes a run; repeats the report until it succeeds. */
  letGo(run: RunRef): void
}

export interface RunWatchTools {
  readonly port: ExecutionPort
  readonly approvals: PendingApprovals
  readonly log: WorkerLog
  /** Resolves when pending claims have been taken over. */
  readonly claimsSettled: () => Promise<void>
}

export const createRunWatch = (
  held: ReadonlyMap<string, Execution>,
  { port, approvals, log, claimsSettled }: RunWatchTools,
): RunWatch => {
  let hinted = new Set<string>()
  /** Dropped runs: until they are reported, and then until a poll begins that no longer returns them. */
  const unreported = new Map<string, RunRef>()
  let reported = new Set<string>()

  const reportDropped = oneAtATime(
    async () => {
      const runs = [...unreported.values()]
      if (runs.length === 0) return
      await port.letGo(runs)
      for (const { runId } of runs) {
        unreported.delete(runId)
        reported.add(runId)
      }
    },
    (error) => log.warn({ err: error }, 'dropped runs could not be reported; the next heartbeat tries again'),
  )

  /** @param executions the executing runs; one that is taken during the poll may be missing from the answer. */
  const compare = async (executions: readonly Execution[], answer: readonly HeldRun[]): Promise<void> => {
    const seen = new Map(answer.map((run) => [run.runId, run]))
    for (const execution of executions) execution.observe(seen.get(execution.run.runId) ?? null)
    await approvals.look(seen.keys())
  }

  const lookAtHinted = async () => {
    const executions = [...hinted].flatMap((runId) => held.get(runId) ?? [])
    hinted = new Set()
    if (executions.length > 0) await compare(executions, await port.lookAtRuns(executions.map(({ run }) => run.runId)))
  }

  const lookAtAll = async () => {
    reported = new Set()
    const executions = [...held.values()]
    const executing = new Set(held.keys())
    const answer = await port.lookAtRuns(null)
    void endStrays(answer.filter(({ runId }) => !executing.has(runId)))
    await compare(executions, answer)
  }

  /** Not executing when the poll began: taken since, maybe repeatedly, or orphaned. Only an orphan can still be ended. */
  const endStrays = async (runs: readonly HeldRun[]): Promise<void> => {
    if (runs.length === 0) return
    await claimsSettled()
    for (const run of runs) {
      if (held.has(run.runId) || unreported.has(run.runId) || reported.has(run.runId)) continue
      const report = port.reportOutcome(run, { state: 'interrupted' }, [])
      await report.catch((error: unknown) =>
        log.warn({ run_id: run.runId, err: error }, 'a stray run could not be ended'),
      )
    }
  }

  return {
    lookAtAll: async () => {
      await Promise.all([lookAtAll(), reportDropped()])
    },
    lookSoon: (runId) => {
      // The next regular poll also finds what the hint announced.
      const failed = (error: unknown) =>
        log.warn({ err: error }, 'runs could not be read after a wake-up; the next heartbeat reads them')
      if (hinted.size === 0) setImmediate(() => void lookAtHinted().catch(failed))
      hinted.add(runId)
    },
    letGo: (run) => {
      unreported.set(run.runId, run)
      void reportDropped()
    },
  }
}
