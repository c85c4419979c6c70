import type { RunRef } from '../gateway/execution.ts'
import { oneAtATime } from '../gateway/stream/one-at-a-time.ts'
import type { Execution } from './execute-run.ts'
import type { ExecutionPort } from './execution-port.ts'
import type { PendingApprovals } from './pending-approvals.ts'
import type { WorkerLog } from './ports.ts'

/** Follows the runs in a worker's hand, and through that learns about stops, decisions and losses. */
export interface RunWatch {
  /** Looks at all runs in one statement. Rejects when the database does not answer; nothing changes then. */
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
}

export const createRunWatch = (
  held: ReadonlyMap<string, Execution>,
  { port, approvals, log }: RunWatchTools,
): RunWatch => {
  let hinted = new Set<string>()
  const dropped = new Map<string, RunRef>()

  const tellDropped = oneAtATime(
    async () => {
      const runs = [...dropped.values()]
      if (runs.length === 0) return
      await port.letGo(runs)
      for (const { runId } of runs) dropped.delete(runId)
    },
    (error) => log.warn({ err: error }, 'runs could not be let go of; the next heartbeat tries again'),
  )

  const look = async (executions: readonly Execution[]): Promise<void> => {
    if (executions.length === 0) return
    const answer = await port.lookAtRuns(executions.map(({ run }) => run))
    const states = new Map(answer.map(({ runId, state }) => [runId, state]))
    for (const execution of executions) execution.observe(states.get(execution.run.runId) ?? null)
    await approvals.look(states.keys())
  }

  const lookAtHinted = () => {
    const runs = [...hinted].flatMap((runId) => held.get(runId) ?? [])
    hinted = new Set()
    // What the hint was about is found by the next regular look, too.
    look(runs).catch((error: unknown) => log.warn({ err: error }, 'runs could not be looked at upon a hint'))
  }

  return {
    lookAtAll: async () => {
      await Promise.all([look([...held.values()]), tellDropped()])
    },
    lookSoon: (runId) => {
      if (hinted.size === 0) setImmediate(lookAtHinted)
      hinted.add(runId)
    },
    letGo: (run) => {
      dropped.set(run.runId, run)
      void tellDropped()
    },
  }
}
