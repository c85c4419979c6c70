import { firstIdOf } from '@conversation-gateway/openapi/behaviour/ids'
import type { Found, Refusal } from '@conversation-gateway/openapi/behaviour/refusal'
import { found, refuse } from '@conversation-gateway/openapi/behaviour/refusal'
import type { operations, RunRecord, RunRecordList } from '@conversation-gateway/openapi/generated/admin-closed'
import type { RunFilter } from '../../store/admin/runs.ts'
import { findObservedRun, listObservedRuns } from '../../store/admin/runs.ts'
import type { Db } from '../../store/db.ts'
import type { GatewayContext } from '../context.ts'
import type { PageQuery } from './outcomes.ts'
import { pageSize, unknown } from './outcomes.ts'
import { earliest, readTimeWindow } from './time-window.ts'
import { runRecord } from './work-records.ts'

type RunNarrowing = Omit<NonNullable<operations['listRunRecords']['parameters']['query']>, 'limit'>

type RunQuery = RunNarrowing & PageQuery

/** Runs of all applications, newest first; an empty page ends the list. A subject without its application is 400. */
export const listRuns = async (
  { db, clock }: GatewayContext,
  query: RunQuery,
): Promise<Found<RunRecordList> | Refusal> => {
  const now = clock.now()
  const filter = await readRunFilter(db, query, now)
  if ('kind' in filter) return filter
  const runs = await listObservedRuns(db, filter, pageSize(query))
  return found({ runs: runs.map((run) => runRecord(run, now)) })
}

/** The filter for runs from a request. A subject without its application is 400, an unknown `before` 404. */
export const readRunFilter = async (db: Db, query: RunNarrowing, now: Date): Promise<RunFilter | Refusal> => {
  const { before } = query
  // IDs contain the time of admission, so a time window is a range of IDs.
  const window = readTimeWindow(query, now)
  if ('kind' in window) return window
  if (query.subject !== undefined && query.app_id === undefined) return SUBJECT_WITHOUT_APP
  if (before !== undefined && (await findObservedRun(db, before)) === null) return unknown('run', before)
  return {
    appId: query.app_id ?? null,
    subject: query.subject ?? null,
    conversationId: query.conversation_id ?? null,
    endpointId: query.endpoint_id ?? null,
    deviceId: query.device_id ?? null,
    state: query.state ?? null,
    errorCode: query.error_code ?? null,
    fromId: window.from === null ? null : firstIdOf('run', window.from),
    beforeId: earliest(before ?? null, window.before === null ? null : firstIdOf('run', window.before)),
  }
}

export const SUBJECT_WITHOUT_APP = refuse('INVALID_REQUEST', 'subject needs app_id.', {
  faults: [{ pointer: 'app_id', message: 'is required with subject, because each application has its own subjects' }],
})

export const getRun = async ({ db, clock }: GatewayContext, runId: string): Promise<Found<RunRecord> | Refusal> => {
  const run = await findObservedRun(db, runId)
  return run === null ? unknown('run', runId) : found(runRecord(run, clock.now()))
}
