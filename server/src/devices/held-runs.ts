import type { RunRef } from '../gateway/execution.ts'
import type { WorkerLog } from '../runtime/log.ts'
import { oneAtATime } from '../runtime/one-at-a-time.ts'
import type { HeldRun } from '../store/runs.ts'
import type { Execution } from './execute-run.ts'
import type { ExecutionPort } from './execution-port.ts'
import type { PendingApprovals } from './pending-approvals.ts'

/** Follows the runs in a worker's hand, and through that learns about stops, decisions and losses. */
export interface RunWatch {
  /**
   * Looks at all runs in one statement. Rejects when the database does not answer; nothing changes then. What is this
   * worker's without being in its hand, because the answer to a claim was lost, ends as interrupted: nobody executes it.
   */
  lookAtAll(): Promise<void>
  /** Looks at one run now; calls in the same turn of the event loop share a statement. */
  lookSoon(runId: string): void
  /** Has the gateway know that a run is not in hand any more, although the worker lives: again and again until it does. */
  letGo(run: RunRef): void
}

export interface RunWatchTools {
  readonly port: ExecutionPort
  readonly approvals: PendingApprovals
  readonly log: WorkerLog
  /** Resolves when what was being claimed is in hand. */
  readonly claimsSettled: () => Promise<void>
}

export const createRunWatch = (
  held: ReadonlyMap<string, Execution>,
  { port, approvals, log, claimsSettled }: RunWatchTools,
): RunWatch => {
  let hinted = new Set<string>()
  /** Runs that were let go of, until the gateway knows; then until a look begins, whose answer has them no more. */
  const untold = new Map<string, RunRef>()
  let told = new Set<string>()

  const tellDropped = oneAtATime(
    async () => {
      const runs = [...untold.values()]
      if (runs.length === 0) return
      await port.letGo(runs)
      for (const { runId } of runs) {
        untold.delete(runId)
        told.add(runId)
      }
    },
    (error) => log.warn({ err: error }, 'runs could not be let go of; the next heartbeat tries again'),
  )

  /** @param executions those in hand; one that is taken while the answer is on its way may be missing from it. */
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
    told = new Set()
    const executions = [...held.values()]
    const inHand = new Set(held.keys())
    const answer = await port.lookAtRuns(null)
    void endStrays(answer.filter(({ runId }) => !inHand.has(runId)))
    await compare(executions, answer)
  }

  /** Not in hand when the look began: taken since, maybe over again, or a stray. Only a stray can still be ended. */
  const endStrays = async (runs: readonly HeldRun[]): Promise<void> => {
    if (runs.length === 0) return
    await claimsSettled()
    for (const run of runs) {
      if (held.has(run.runId) || untold.has(run.runId) || told.has(run.runId)) continue
      const report = port.reportOutcome(run, { state: 'interrupted' }, [])
      await report.catch((error: unknown) =>
        log.warn({ run_id: run.runId, err: error }, 'a stray run could not be ended'),
      )
    }
  }

  return {
    lookAtAll: async () => {
      await Promise.all([lookAtAll(), tellDropped()])
    },
    lookSoon: (runId) => {
      // What the hint was about is found by the next regular look, too.
      const failed = (error: unknown) => log.warn({ err: error }, 'runs could not be looked at upon a hint')
      if (hinted.size === 0) setImmediate(() => void lookAtHinted().catch(failed))
      hinted.add(runId)
    },
    letGo: (run) => {
      untold.set(run.runId, run)
      void tellDropped()
    },
  }
}
