import type { RunOutcome } from '@conversation-gateway/openapi/behaviour/finish-run'
import type { ContextMessage } from '../assistants/assistant.ts'
import { readData } from '../assistants/assistant.ts'
import type { GatewayContext } from '../gateway/context.ts'
import type { RunRef } from '../gateway/execution.ts'
import {
  appendMessage,
  appendToReply,
  claimWork,
  lookAtRuns,
  releaseRuns,
  reportOutcome,
  requestApproval,
} from '../gateway/execution.ts'
import { createRunAttachment, findRunAttachment, readRunAttachment } from '../gateway/run-attachments.ts'
import { readRunContext } from '../gateway/run-context.ts'
import { checkOutput } from '../gateway/service-schemas.ts'
import type { ApprovalRef } from '../store/approvals.ts'
import { findApprovals } from '../store/approvals.ts'
import { readWrittenOutput } from '../store/batch/written-output.ts'
import type { ClaimedRun } from '../store/claims.ts'
import type { ServedDevice } from '../store/maintenance/device-heartbeats.ts'
import { beatDevices } from '../store/maintenance/device-heartbeats.ts'

export interface WorkerIdentity {
  /** The unique ID of the process that executes the runs; it changes at each restart. */
  readonly workerId: string
  /** The devices that it serves unless they are disabled; null for all without remote workers. */
  readonly deviceIds: readonly string[] | null
}

/** How many times a device is announced within the time after which a silent device is offline. */
const ANNOUNCEMENTS = 6

/**
 * The gateway's interface for a worker. Every call may fail with `DatabaseUnavailable`; a write may still have taken
 * effect then.
 */
export type ExecutionPort = ReturnType<typeof createExecutionPort>

export const createExecutionPort = (context: GatewayContext, { workerId, deviceIds }: WorkerIdentity) => {
  const { db, clock, settings } = context
  return {
    /** Announces the devices that the worker serves, and returns them. */
    beat: (): Promise<ServedDevice[]> => {
      const now = clock.now()
      const staleBefore = new Date(now.getTime() - settings.deviceOfflineMs / ANNOUNCEMENTS)
      return beatDevices(db, { deviceIds, now, staleBefore })
    },
    claimWork: (deviceId: string, limit: number) => claimWork(context, { deviceId, workerId, limit }),
    /** All runs of this worker, or the given ones. The worker has lost every run that is missing from the result. */
    lookAtRuns: (runIds: readonly string[] | null) => lookAtRuns(context, workerId, runIds),
    /** Reports that no worker executes these runs any more, and that their outcomes are unknown. */
    releaseRuns: (runs: readonly RunRef[]) => releaseRuns(context, workerId, runs),
    appendToReply: appendToReply.bind(null, context),
    appendMessage: appendMessage.bind(null, context),
    /** Returns null while the run is not `running`, for example while it is being stopped. */
    requestApproval: requestApproval.bind(null, context),
    findApprovals: (approvals: readonly ApprovalRef[]) => findApprovals(db, approvals),
    readWrittenOutput: ({ lastSeq, ...run }: ClaimedRun) => readWrittenOutput(db, { ...run, afterSeq: lastSeq }),
    /** The outcome after validation by the service's `output_schema` (D-70). */
    checkOutput: async (run: ClaimedRun, outcome: RunOutcome) =>
      checkOutput(await context.schemas.load(db, { ...run, version: run.bindingVersion }), outcome),
    readContext: async (run: ClaimedRun): Promise<readonly ContextMessage[]> =>
      (await readRunContext(context, run)).map(({ role, text, data, resourceIds, activities }) => ({
        role,
        text,
        ...readData(data),
        resourceIds: resourceIds ?? [],
        ...(activities === null ? {} : { activities }),
      })),
    findAttachment: findRunAttachment.bind(null, context),
    readAttachment: readRunAttachment.bind(null, context),
    /** Idempotent for the same ID. */
    createAttachment: createRunAttachment.bind(null, context),
    reportOutcome: reportOutcome.bind(null, context),
  }
}
