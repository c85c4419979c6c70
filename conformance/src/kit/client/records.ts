import type { JsonObject } from './commands.ts'

/*
 * Records for the answers of a simulated gateway. `changes` replaces their members.
 */

const CREATED_AT = '2026-01-02T03:04:05.678Z'

/** The paths of these records. */
export const CONVERSATION = '/api/v1/conversations/conv_1'
export const MESSAGES = `${CONVERSATION}/messages`
export const EVENTS = `${CONVERSATION}/events`
export const RESET = `${CONVERSATION}/reset`
export const RUN = '/api/v1/runs/run_1'
export const OPERATION = '/api/v1/operations/op_1'

/** A message to the conversation, as the arguments of a command. */
export const MESSAGE = { conversation_id: 'conv_1', expected_generation: 1, input: { text: 'Hello' } }

export const conversationRecord = (changes: JsonObject = {}): JsonObject => ({
  conversation_id: 'conv_1',
  owner_id: 'owner_1',
  app_id: 'app_1',
  subject: 'Customer 4711/north',
  endpoint_id: 'ep_1',
  binding_version: 3,
  generation: 1,
  state: 'active',
  created_at: CREATED_AT,
  ...changes,
})

export const admission = (changes: JsonObject = {}): JsonObject => ({
  conversation_id: 'conv_1',
  generation: 1,
  message_id: 'msg_1',
  run_id: 'run_1',
  state: 'queued',
  event_cursor: 10,
  ...changes,
})

/** A run. Its result follows from `state` unless `changes` has one. */
export const runRecord = (state: string, changes: JsonObject = {}): JsonObject => ({
  run_id: 'run_1',
  message_id: 'msg_1',
  conversation_id: 'conv_1',
  generation: 1,
  state,
  delivery_state: state === 'queued' ? 'waiting_device' : 'device_received',
  created_at: CREATED_AT,
  updated_at: CREATED_AT,
  result: state === 'succeeded' ? { text: 'The reply.', resource_ids: [] } : null,
  ...changes,
})

export const snapshotRecord = (changes: JsonObject = {}): JsonObject => ({
  conversation_id: 'conv_1',
  generation: 1,
  watermark: 10,
  messages: [],
  runs: [],
  ...changes,
})

export const messageRecord = (cursor: number, text: string, changes: JsonObject = {}): JsonObject => ({
  cursor,
  message_id: `msg_${cursor}`,
  conversation_id: 'conv_1',
  run_id: 'run_1',
  generation: 1,
  role: 'user',
  created_at: CREATED_AT,
  content: { text },
  ...changes,
})

/** An operation: its own record, and the answer to a cancel or reset. */
export const operationRecord = (state: string, changes: JsonObject = {}): JsonObject => ({
  operation_id: 'op_1',
  state,
  ref: { conversation_id: 'conv_1', generation: 1 },
  ...changes,
})

export const eventEnvelope = (
  seq: number,
  type: string,
  payload: JsonObject,
  changes: JsonObject = {},
): JsonObject => ({
  conversation_id: 'conv_1',
  generation: 1,
  event_id: `evt_${seq}`,
  seq,
  run_id: 'run_1',
  message_id: 'msg_reply',
  type,
  payload,
  ...changes,
})

/** The last event of a run that succeeded. */
export const runCompleted = (seq: number, changes: JsonObject = {}): JsonObject =>
  eventEnvelope(
    seq,
    'run.completed',
    { state: 'succeeded', result: { text: 'The reply.', resource_ids: [] } },
    { message_id: 'msg_1', ...changes },
  )

export const assistantDelta = (seq: number, index: number, text: string, changes: JsonObject = {}): JsonObject =>
  eventEnvelope(seq, 'assistant.delta', { text, index }, changes)

/** A change of an activity (D-69). */
export const assistantActivity = (seq: number, activity: JsonObject): JsonObject =>
  eventEnvelope(seq, 'assistant.activity', { activity })

/** The complete message of an assistant. */
export const assistantMessage = (seq: number, text: string, changes: JsonObject = {}): JsonObject => {
  const id = String(changes.message_id ?? 'msg_reply')
  const message = messageRecord(seq, text, { message_id: id, role: 'assistant' })
  return eventEnvelope(seq, 'assistant.message', { message }, changes)
}

/** An event as a frame of an event stream. */
export const frame = (event: JsonObject, lineEnd = '\n'): string =>
  [`id: ${event.seq}`, `event: ${event.type}`, `data: ${JSON.stringify(event)}`, '', ''].join(lineEnd)
