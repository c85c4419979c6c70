import type { RunOutcome } from '@conversation-gateway/openapi/behaviour/finish-run'
import { newId } from '@conversation-gateway/openapi/behaviour/ids'
import type { Role } from '../../src/app/settings/settings.ts'
import type { RunRef } from '../../src/gateway/execution.ts'
import * as execution from '../../src/gateway/execution.ts'
import type { ClaimedRun } from '../../src/store/claims.ts'
import { beatDevices } from '../../src/store/maintenance/device-heartbeats.ts'
import { appear, takeWork } from './gateway-fixture.ts'
import type { RunningGateway } from './running-gateway.ts'

/** Options of a gateway with the API role only, whose devices the test plays. */
export const WITHOUT_WORKER: { readonly roles: ReadonlySet<Role> } = { roles: new Set<Role>(['api']) }

/** More runs than any test queues. */
const EVERYTHING = 100

/** A device whose worker is the test. It renews its lease, takes work and reports only when the test calls it. */
export const playDevice = (running: RunningGateway, deviceId = 'dev_test', workerId = `worker of ${deviceId}`) => {
  const replies = new Map<string, { messageId: string; deltas: number }>()

  /** Takes and returns all runs that can start now. */
  const takeAll = () => takeWork(running.gateway.context, { deviceId, workerId, limit: EVERYTHING })

  return {
    beat: async (): Promise<void> => {
      const { db, clock } = running.gateway.context
      await appear(running.gateway.context, { deviceId, workerId })
      await beatDevices(db, { deviceIds: [deviceId], now: clock.now(), staleBefore: clock.now() })
    },
    takeAll,
    /** Takes all runs that can start now, which must include this run. */
    take: async (runId: string): Promise<ClaimedRun> => {
      const taken = await takeAll()
      const run = taken.find((each) => each.runId === runId)
      if (run === undefined) throw new Error(`${runId} cannot be started`)
      return run
    },
    /** Checks the run without renewing the lease. */
    look: (run: RunRef) => execution.lookAtRuns(running.gateway.context, workerId, [run.runId]),
    /** Renews the lease and checks the run; the answer is empty when the run no longer belongs to this worker. */
    renew: async (run: RunRef) => {
      await appear(running.gateway.context, { deviceId, workerId })
      return execution.lookAtRuns(running.gateway.context, workerId, [run.runId])
    },
    stream: (run: RunRef, ...texts: string[]) => {
      const { messageId, deltas } = replies.get(run.runId) ?? { messageId: newId('msg'), deltas: 0 }
      replies.set(run.runId, { messageId, deltas: deltas + texts.length })
      return execution.appendToReply(
        running.gateway.context,
        { ...run, messageId },
        texts.map((text, index) => ({ place: deltas + index, index: deltas + index, text })),
      )
    },
    ask: (run: RunRef, summary: string) => execution.requestApproval(running.gateway.context, run, summary),
    /** False if the run has already ended. */
    report: (run: RunRef, outcome: RunOutcome) => execution.reportOutcome(running.gateway.context, run, outcome),
  }
}

/** The outcome of a failed run. */
export const failure = () =>
  ({ state: 'failed', error: { code: 'BROKEN', message: 'It broke.', retryable: false } }) satisfies RunOutcome
