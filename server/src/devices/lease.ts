import type { Execution } from './execute-run.ts'
import type { ExecutionPort } from './execution-port.ts'
import type { PendingApprovals } from './pending-approvals.ts'
import type { WorkerLog } from './ports.ts'

/** Keeps the leases of a worker's runs, and through them learns about stops, decisions and losses. */
export interface LeaseKeeper {
  /** Renews all leases in one statement. Rejects when the database does not answer; nothing changes then. */
  renewAll(): Promise<void>
  /** Renews one run's lease now; calls in the same turn of the event loop share a statement. */
  renewSoon(runId: string): void
}

export interface LeaseTools {
  readonly port: ExecutionPort
  readonly approvals: PendingApprovals
  readonly log: WorkerLog
}

export const createLeaseKeeper = (
  held: ReadonlyMap<string, Execution>,
  { port, approvals, log }: LeaseTools,
): LeaseKeeper => {
  let hinted = new Set<string>()

  const renew = async (executions: readonly Execution[]): Promise<void> => {
    if (executions.length === 0) return
    const answer = await port.renewLeases(executions.map(({ run }) => run))
    const states = new Map(answer.map(({ runId, state }) => [runId, state]))
    for (const execution of executions) execution.observe(states.get(execution.run.runId) ?? null)
    await approvals.look(states.keys())
  }

  const renewHinted = () => {
    const runs = [...hinted].flatMap((runId) => held.get(runId) ?? [])
    hinted = new Set()
    // What the hint was about is found by the next regular renewal, too.
    renew(runs).catch((error: unknown) => log.warn({ err: error }, 'runs could not be looked at upon a hint'))
  }

  return {
    renewAll: () => renew([...held.values()]),
    renewSoon: (runId) => {
      if (hinted.size === 0) setImmediate(renewHinted)
      hinted.add(runId)
    },
  }
}
