import type { RunOutcome } from '@conversation-gateway/openapi/behaviour/finish-run'
import { newId } from '@conversation-gateway/openapi/behaviour/ids'
import type { Role } from '../../src/app/settings/settings.ts'
import type { RunRef } from '../../src/gateway/execution.ts'
import * as execution from '../../src/gateway/execution.ts'
import type { ClaimedRun } from '../../src/store/claims.ts'
import { beatDevices } from '../../src/store/maintenance/device-heartbeats.ts'
import { appear, takeWork } from './gateway-fixture.ts'
import type { RunningGateway } from './running-gateway.ts'

/** For a gateway whose devices are played by the test: it has no worker of its own. */
export const WITHOUT_WORKER: { readonly roles: ReadonlySet<Role> } = { roles: new Set<Role>(['api']) }

/** More than any test leaves queued. */
const EVERYTHING = 100

/** A device whose worker is the test: it renews its lease, takes work and reports only on request. */
export const playDevice = (running: RunningGateway, deviceId = 'dev_test', workerId = `worker of ${deviceId}`) => {
  const replies = new Map<string, { messageId: string; deltas: number }>()

  /** Takes all that can be started now, and returns it. */
  const takeAll = () => takeWork(running.gateway.context, { deviceId, workerId, limit: EVERYTHING })

  return {
    beat: async (): Promise<void> => {
      const { db, clock } = running.gateway.context
      await appear(running.gateway.context, { deviceId, workerId })
      await beatDevices(db, { deviceIds: [deviceId], now: clock.now(), staleBefore: clock.now() })
    },
    takeAll,
    /** Takes all that can be started now, which has to include this run. */
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
    /** False when the run has ended before. */
    report: (run: RunRef, outcome: RunOutcome) => execution.reportOutcome(running.gateway.context, run, outcome),
  }
}

/** How a run fails. */
export const failure = () =>
  ({ state: 'failed', error: { code: 'BROKEN', message: 'It broke.', retryable: false } }) satisfies RunOutcome
