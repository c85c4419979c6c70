import type { NewEvent, ReplyCompletion } from '@conversation-gateway/openapi/behaviour/conversation-changes'
import { isChanged } from '@conversation-gateway/openapi/behaviour/conversation-work'
import { newId } from '@conversation-gateway/openapi/behaviour/ids'
import { isTerminal } from '@conversation-gateway/openapi/behaviour/run-state'
import type { CallbackEventType } from '@conversation-gateway/openapi/generated/admin-closed'
import { toRunRow } from '../store/batch/run-columns.ts'
import type { BatchRows, EventRow, MessageRow } from '../store/batch/tables.ts'
import { longBytes } from '../store/history/stored-size.ts'
import type { AdmittedRun, OpenConversation } from './conversation.ts'
import { countQueued, findExecuting, findStartable, lastSeqOf } from './conversation.ts'

/** The event types that callbacks can subscribe to, from the contract. */
const OUTGOING = {
  'run.completed': true,
  'run.failed': true,
  'run.cancelled': true,
  'run.interrupted': true,
  'run.expired': true,
  'approval.required': true,
} satisfies Readonly<Record<CallbackEventType, true>>

/**
 * Adds the decisions about one conversation to the rows of a batch, and returns its new events.
 * @param shard The shard of the counters of unfinished runs that the batch updates.
 */
export const addRows = (open: OpenConversation, rows: BatchRows, shard: number): EventRow[] => {
  const { draft, row, admitted } = open
  if (!isChanged(draft) && open.executingOutput === row.executingOutput) return []
  const { work, now } = draft
  const key = { app_id: work.appId, conversation_id: work.conversationId }
  const startable = findStartable(open)
  const isNew = new Set(admitted.map(({ run }) => run))

  rows.conversations.push({
    ...key,
    generation: work.generation,
    binding_version: work.bindingVersion,
    state: work.state,
    last_cursor: work.lastCursor,
    last_seq: lastSeqOf(open),
    queued_runs: countQueued(open),
    executing_run_id: findExecuting(open),
    executing_output: open.executingOutput,
  })
  for (const admission of admitted) addAdmission(open, admission, admission.run.runId === startable, rows)
  for (const run of draft.changedRuns) {
    if (isNew.has(run)) continue
    rows.runs.push({ app_id: work.appId, ...toRunRow(run, now) })
    if (isTerminal(run.state) && run.awaitsApproval) rows.withdrawn.push({ app_id: work.appId, run_id: run.runId })
  }
  if (startable !== undefined && !admitted.some(({ run }) => run.runId === startable))
    rows.ready.push({ app_id: work.appId, run_id: startable })
  addReplies(open, rows)
  for (const message of draft.messages)
    rows.messages.push({
      ...key,
      ...assistantMessage(message),
      text: message.text,
      data: jsonOrNull(message.data),
      activities: null,
      partial: false,
    })
  for (const operation of draft.changedOperations)
    rows.operations.push({
      ...key,
      subject: work.subject,
      operation_id: operation.operationId,
      kind: operation.kind,
      run_id: operation.runId,
      state: operation.state,
      generation: operation.generation,
      stop_until: operation.stopUntil,
    })
  for (const { approvalId, runId, summary } of draft.approvals) {
    const isOver = work.runs.some((run) => run.runId === runId && isTerminal(run.state))
    rows.approvals.push({
      ...key,
      approval_id: approvalId,
      run_id: runId,
      summary,
      state: isOver ? 'withdrawn' : 'pending',
    })
  }
  const ended = [...draft.changedRuns].filter(({ state }) => isTerminal(state)).length
  addPending(rows, { app_id: work.appId, device_id: work.deviceId, shard, unfinished: admitted.length - ended })

  const events = draft.events.map((event, index) => ({ ...key, seq: row.lastSeq + index + 1, ...eventRow(event, now) }))
  rows.events.push(...events)
  if (row.hasCallbacks)
    for (const event of events) if (event.type in OUTGOING) rows.outgoing.push({ ...event, device_id: work.deviceId })
  return events
}

const addAdmission = (open: OpenConversation, admission: AdmittedRun, ready: boolean, rows: BatchRows): void => {
  const { row, draft } = open
  const { run, input } = admission
  const key = { app_id: row.appId, conversation_id: row.conversationId }
  const resource_ids = input.resourceIds.length === 0 ? null : input.resourceIds
  rows.newRuns.push({
    ...key,
    admitted_seq: admission.admittedSeq,
    lease_owner: admission.leaseOwner,
    ...toRunRow(run, draft.now),
    subject: row.subject,
    endpoint_id: row.endpointId,
    device_id: row.deviceId,
    message_id: run.messageId,
    generation: run.generation,
    binding_version: admission.bindingVersion,
    position: run.position,
    ready,
    start_before: run.startBefore,
    traceparent: open.traceparents.get(run.runId) ?? null,
  })
  rows.messages.push({
    ...key,
    cursor: run.position,
    message_id: run.messageId,
    run_id: run.runId,
    generation: run.generation,
    role: 'user',
    text: input.text,
    data: input.data,
    resource_ids,
    activities: null,
    partial: false,
  })
  for (const resource_id of input.resourceIds)
    rows.resourceUses.push({ app_id: row.appId, resource_id, run_id: run.runId })
}

/** A message that begins and ends in one batch is written once. */
const addReplies = ({ draft, begun, admitted }: OpenConversation, rows: BatchRows): void => {
  const { appId, conversationId } = draft.work
  const key = { app_id: appId, conversation_id: conversationId }
  for (const reply of begun) {
    const completion = draft.replies.find(({ cursor }) => cursor === reply.cursor)
    const { text = null, partial = true, data = null, activities = [] } = completion ?? {}
    rows.messages.push({ ...key, ...assistantMessage(reply), text, partial, ...contentOf({ data, activities }) })
    const isWritten = (run: { readonly runId: string }): boolean => run.runId === reply.runId
    if (!admitted.some(({ run }) => isWritten(run)) && ![...draft.changedRuns].some(isWritten))
      rows.replyStarts.push({
        app_id: appId,
        run_id: reply.runId,
        reply_message_id: reply.messageId,
        reply_cursor: reply.cursor,
      })
  }
  for (const { cursor, text, partial, ...content } of draft.replies)
    if (!begun.some((reply) => reply.cursor === cursor))
      rows.replies.push({ ...key, cursor, text, partial, ...contentOf(content) })
}

const contentOf = ({ data, activities }: Pick<ReplyCompletion, 'data' | 'activities'>) => ({
  data: jsonOrNull(data),
  activities: activities.length === 0 ? null : activities,
})

const jsonOrNull = (value: object | null): string | null => (value === null ? null : JSON.stringify(value))

const assistantMessage = (message: {
  readonly messageId: string
  readonly runId: string
  readonly cursor: number
  readonly generation: number
}): Omit<MessageRow, 'app_id' | 'conversation_id' | 'text' | 'data' | 'activities' | 'partial'> => ({
  cursor: message.cursor,
  message_id: message.messageId,
  run_id: message.runId,
  generation: message.generation,
  role: 'assistant',
  resource_ids: null,
})

const eventRow = (event: NewEvent, now: Date): Omit<EventRow, 'app_id' | 'conversation_id' | 'seq'> => {
  const payload = JSON.stringify(event.payload)
  return {
    event_id: newId('evt', now),
    generation: event.generation,
    run_id: event.runId,
    message_id: event.messageId,
    type: event.type,
    payload,
    payload_bytes: longBytes(payload),
  }
}

const addPending = (rows: BatchRows, pending: BatchRows['pending'][number]): void => {
  if (pending.unfinished === 0) return
  const at = rows.pending.findIndex((row) => row.app_id === pending.app_id && row.device_id === pending.device_id)
  const known = rows.pending[at]
  if (known === undefined) rows.pending.push(pending)
  else rows.pending[at] = { ...known, unfinished: known.unfinished + pending.unfinished }
}
