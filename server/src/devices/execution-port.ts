import type { RunOutcome } from '@conversation-gateway/openapi/behaviour/finish-run'
import type { ContextMessage } from '../assistants/assistant.ts'
import type { GatewayContext } from '../gateway/context.ts'
import type { ReplyTarget, RunRef } from '../gateway/execution.ts'
import {
  appendMessage,
  appendToReply,
  claimWork,
  letGo,
  lookAtRuns,
  reportOutcome,
  requestApproval,
} from '../gateway/execution.ts'
import type { NewRunAttachment } from '../gateway/run-attachments.ts'
import { createRunAttachment, findRunAttachment, readRunAttachment } from '../gateway/run-attachments.ts'
import { readRunContext } from '../gateway/run-context.ts'
import { checkOutput } from '../gateway/service-schemas.ts'
import type { ApprovalRef, StoredApproval } from '../store/approvals.ts'
import { findApprovals } from '../store/approvals.ts'
import type { WrittenOutput } from '../store/batch/written-output.ts'
import { readWrittenOutput } from '../store/batch/written-output.ts'
import type { ClaimedRun } from '../store/claims.ts'
import type { ServedDevice } from '../store/maintenance/device-heartbeats.ts'
import { beatDevices } from '../store/maintenance/device-heartbeats.ts'
import type { StoredResource } from '../store/resources.ts'
import type { HeldRun } from '../store/runs.ts'
import type { ReplyPart } from '../writer/run-rules.ts'

import { readData } from './read-data.ts'
/**
 * All that one worker asks of the gateway. Every call may fail with `DatabaseUnavailable`; a write that failed so may
 * have taken effect all the same.
 */
export interface ExecutionPort {
  /** Says that the worker is there, and learns which devices it serves. */
  beat(): Promise<ServedDevice[]>
  claimWork(deviceId: string, limit: number): Promise<ClaimedRun[]>
  /** All runs of this worker, or those that are asked for; what is missing is no longer this worker's. */
  lookAtRuns(runIds: readonly string[] | null): Promise<HeldRun[]>
  /** Nobody executes these runs any more, and nobody knows how they ended. */
  letGo(runs: readonly RunRef[]): Promise<void>
  /** The next three answer false, or null, when the run does not execute any more. */
  appendToReply(target: ReplyTarget, parts: readonly ReplyPart[]): Promise<boolean>
  appendMessage(run: RunRef, text: string): Promise<boolean>
  /** Null also while the run is not `running`: being stopped, or waiting to be taken up again. */
  requestApproval(run: RunRef, summary: string): Promise<string | null>
  findApprovals(approvals: readonly ApprovalRef[]): Promise<StoredApproval[]>
  readWrittenOutput(run: ClaimedRun): Promise<WrittenOutput>
  /** The outcome as the service's `output_schema` lets it stand (D-70). */
  checkOutput(run: ClaimedRun, outcome: RunOutcome): Promise<RunOutcome>
  readContext(run: ClaimedRun): Promise<readonly ContextMessage[]>
  findAttachment(run: ClaimedRun, resourceId: string): Promise<StoredResource | null>
  readAttachment(run: ClaimedRun, resource: StoredResource): Promise<Uint8Array>
  /** Again under the same ID it changes nothing. */
  createAttachment(run: ClaimedRun, attachment: NewRunAttachment): Promise<void>
  /**
   * Ends the run, after the last of its parts. False when it had ended before; that end stands.
   * @param outputBytes of all that the run has put out. Default: little.
   */
  reportOutcome(
    run: RunRef | ReplyTarget,
    outcome: RunOutcome,
    parts: readonly ReplyPart[],
    outputBytes?: number,
  ): Promise<boolean>
}

export interface WorkerIdentity {
  /** Names the process that holds its runs; unlike any other's, also over restarts. */
  readonly workerId: string
  /** The devices that it is limited to; null for all that are not disabled. */
  readonly deviceIds: readonly string[] | null
}

/** A device is announced this many times in the time after which it would be offline. */
const ANNOUNCEMENTS = 6

export const createExecutionPort = (
  context: GatewayContext,
  { workerId, deviceIds }: WorkerIdentity,
): ExecutionPort => {
  const { db, clock, settings } = context
  return {
    beat: () => {
      const now = clock.now()
      const staleBefore = new Date(now.getTime() - settings.deviceOfflineMs / ANNOUNCEMENTS)
      return beatDevices(db, { deviceIds, now, staleBefore })
    },
    claimWork: (deviceId, limit) => claimWork(context, { deviceId, workerId, limit }),
    lookAtRuns: (runIds) => lookAtRuns(context, workerId, runIds),
    letGo: (runs) => letGo(context, workerId, runs),
    appendToReply: (target, parts) => appendToReply(context, target, parts),
    appendMessage: (run, text) => appendMessage(context, run, text),
    requestApproval: (run, summary) => requestApproval(context, run, summary),
    findApprovals: (approvals) => findApprovals(db, approvals),
    readWrittenOutput: ({ lastSeq, ...run }) => readWrittenOutput(db, { ...run, afterSeq: lastSeq }),
    checkOutput: async (run, outcome) =>
      checkOutput(await context.schemas.load(db, { ...run, version: run.bindingVersion }), outcome),
    readContext: async (run) =>
      (await readRunContext(context, run)).map(({ role, text, data, resourceIds, activities }) => ({
        role,
        text,
        ...readData(data),
        resourceIds: resourceIds ?? [],
        ...(activities === null ? {} : { activities }),
      })),
    findAttachment: (run, resourceId) => findRunAttachment(context, run, resourceId),
    readAttachment: (run, resource) => readRunAttachment(context, run, resource),
    createAttachment: (run, attachment) => createRunAttachment(context, run, attachment),
    reportOutcome: (run, outcome, parts, outputBytes) => reportOutcome(context, run, outcome, parts, outputBytes),
  }
}
