import type { Clock } from '@conversation-gateway/openapi/behaviour/clock'
import { momentOfId } from '@conversation-gateway/openapi/behaviour/ids'
import type { WorkObserver } from '../../devices/execute-run.ts'
import { traceFields } from '../../domain/trace-context.ts'
import type { WorkMetrics } from '../../http/work-metrics.ts'
import type { WorkerLog } from '../../runtime/log.ts'
import type { ClaimedRun } from '../../store/claims.ts'
import type { RunEnd } from '../../writer/run-end.ts'

/** Counts and logs what a worker does. The kind of a run's assistant is its `type`. */
export const observeWork = (log: Pick<WorkerLog, 'info'>, clock: Clock, metrics: WorkMetrics): WorkObserver => {
  const secondsSince = ({ runId }: ClaimedRun): number | null => {
    const admitted = momentOfId(runId)
    return admitted === null ? null : Math.max(0, clock.now().getTime() - admitted.getTime()) / 1000
  }
  return {
    began: (run) => {
      const seconds = secondsSince(run)
      if (seconds !== null) metrics.observeQueue(seconds)
      const { appId, conversationId, runId, endpointId, deviceId } = run
      const ids = {
        app_id: appId,
        conversation_id: conversationId,
        run_id: runId,
        endpoint_id: endpointId,
        ...traceFields(run.traceparent),
      }
      log.info({ ...ids, device_id: deviceId, queue_seconds: seconds }, 'run began')
    },
    answered: (run) => {
      const seconds = secondsSince(run)
      if (seconds !== null) metrics.observeFirstOutput(seconds)
    },
    failed: ({ assistant }, code) => {
      // A denied approval is not an error.
      if (code !== 'APPROVAL_DENIED') metrics.countAssistantError(typeOf(assistant), code)
    },
  }
}

const typeOf = (assistant: unknown): string =>
  typeof assistant === 'object' && assistant !== null && 'type' in assistant ? String(assistant.type) : 'unknown'

export const logRunEnd = (log: Pick<WorkerLog, 'info'>, end: RunEnd): void =>
  log.info(
    {
      app_id: end.appId,
      conversation_id: end.conversationId,
      run_id: end.runId,
      endpoint_id: end.endpointId,
      ...traceFields(end.traceparent),
      state: end.state,
      ...(end.errorCode === null ? {} : { code: end.errorCode }),
      seconds: end.seconds,
    },
    'run ended',
  )
