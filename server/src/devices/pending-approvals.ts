import type { Decision } from '../assistants/assistant.ts'
import type { Slots } from './dispatch.ts'
import type { ExecutionPort } from './execution-port.ts'

interface PendingApproval {
  readonly appId: string
  readonly approvalId: string
  readonly settle: (decision: Decision | undefined) => void
}

/** The runs of a worker that wait for a decision, and need no slot meanwhile. */
export interface PendingApprovals {
  /** Waits for a decision; undefined if the signal fires first. */
  wait(
    approval: { appId: string; deviceId: string; runId: string; approvalId: string },
    signal: AbortSignal,
  ): Promise<Decision | undefined>
  /** Polls the decisions of these runs in one statement, and resumes the runs that got one. */
  poll(runIds: Iterable<string>): Promise<void>
}

/** @param onWait called whenever a run has begun to wait. */
export const createPendingApprovals = (
  { findApprovals }: ExecutionPort,
  slots: Slots,
  onWait: () => void,
): PendingApprovals => {
  const byRun = new Map<string, PendingApproval>()
  return {
    wait: ({ appId, deviceId, runId, approvalId }, signal) =>
      new Promise((resolve) => {
        if (signal.aborted) return resolve(undefined)
        const settle = (decision: Decision | undefined) => {
          if (byRun.delete(runId)) slots.resume(deviceId)
          signal.removeEventListener('abort', stopped)
          resolve(decision)
        }
        const stopped = () => settle(undefined)
        signal.addEventListener('abort', stopped, { once: true })
        byRun.set(runId, { appId, approvalId, settle })
        slots.pause(deviceId)
        onWait()
      }),
    poll: async (runIds) => {
      const waiting = new Map<string, PendingApproval>()
      for (const runId of runIds) {
        const pending = byRun.get(runId)
        if (pending !== undefined) waiting.set(pending.approvalId, pending)
      }
      if (waiting.size === 0) return
      for (const { approvalId, state } of await findApprovals([...waiting.values()]))
        if (state === 'approved' || state === 'denied') waiting.get(approvalId)?.settle(state)
    },
  }
}
