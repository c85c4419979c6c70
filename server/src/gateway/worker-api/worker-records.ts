import type { Json } from '@conversation-gateway/openapi/behaviour/refusal'
import type { Claimed, Context, RunResource } from '@conversation-gateway/openapi/generated/worker-closed'
import type { ClaimedRun } from '../../store/claims.ts'
import type { StoredResource } from '../../store/resources.ts'
import type { readRunContext } from '../run-context.ts'
import { showAssistant } from '../secrets/stored-assistant.ts'

/** Records in the form of the worker API. */

/** The ID of the streamed message of a worker's run, derived from the run's ID, so that every process knows it. */
export const replyOf = (runId: string): string => `msg_${runId.slice(runId.indexOf('_') + 1)}`

export const claimedJson = (runs: readonly ClaimedRun[]): Json<Claimed> => `{"runs":[${runs.map(runJson).join()}]}`

const runJson = (run: ClaimedRun): string => {
  const record = {
    run_id: run.runId,
    app_id: run.appId,
    subject: run.subject,
    conversation_id: run.conversationId,
    message_id: run.messageId,
    generation: run.generation,
    endpoint_id: run.endpointId,
    binding_version: run.bindingVersion,
    assistant: showAssistant(run.assistant),
    reply_message_id: replyOf(run.runId),
    deadline: run.runUntil.toISOString(),
    traceparent: run.traceparent,
  }
  const input = withData({ text: run.text }, run.data, { resource_ids: run.resourceIds ?? [] })
  return `${JSON.stringify(record).slice(0, -1)},"input":${input}}`
}

/** Data is inserted as the text that was sent, so that its members keep their order. */
const withData = (before: object, data: string | null, after: object): string =>
  `${JSON.stringify(before).slice(0, -1)},"data":${data ?? 'null'},${JSON.stringify(after).slice(1)}`

export const resourceRecord = ({ resourceId, filename, contentType, size }: StoredResource): RunResource => ({
  resource_id: resourceId,
  filename,
  content_type: contentType,
  size,
})

export const contextJson = (messages: Awaited<ReturnType<typeof readRunContext>>): Json<Context> => {
  const shown = messages.map(({ role, text, data, resourceIds, activities }) =>
    withData({ role, text }, data, {
      resource_ids: resourceIds ?? [],
      ...(activities === null ? {} : { activities }),
    }),
  )
  return `{"messages":[${shown.join()}]}`
}
