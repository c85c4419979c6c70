import { expect, it } from 'vitest'
import {
  EVENT_TYPES,
  type EventEnvelope,
  isKnownRunState,
  OPERATIONS,
  RUN_STATES,
  type RunState,
  TERMINAL_RUN_EVENT_TYPES,
} from './index.ts'

/** Compiles only while `type` narrows the payload and leaves the unknown events to the default. */
function summarise(event: EventEnvelope): string {
  switch (event.type) {
    case 'run.completed':
      return event.payload.result.text ?? ''
    case 'run.failed':
      return event.payload.error.code
    case 'assistant.message':
      return event.payload.message.message_id
    case 'conversation.reset':
      return String(event.payload.previous_generation)
    default:
      return event.type
  }
}

it('narrows an event by its type', () => {
  const envelope = { conversation_id: 'c', generation: 1, event_id: 'e', seq: 1, run_id: 'r', message_id: 'm' }
  const payload = { state: 'succeeded', result: { text: 'Hello' } } as const
  expect(summarise({ ...envelope, type: 'run.completed', payload })).toBe('Hello')
})

it('leaves response enumerations open and still offers the known values', () => {
  const later: RunState = 'suspended'
  const known: RunState = 'succeeded'
  expect([later, known]).toHaveLength(2)
})

it('exposes the behaviour of operations as data', () => {
  expect(OPERATIONS.sendMessage).toEqual({
    operationId: 'sendMessage',
    method: 'POST',
    path: '/api/v1/conversations/{conversation_id}/messages',
    status: 202,
    key: { header: 'Idempotency-Key', retentionMs: 7 * 86_400_000 },
  })
  expect(OPERATIONS.streamRunEvents.stream.terminal).toEqual(TERMINAL_RUN_EVENT_TYPES)
  expect(OPERATIONS.getResourceContent.answer).toBe('bytes')
  expect(OPERATIONS.deleteResource.answer).toBe('nothing')
  expect(EVENT_TYPES).toContain('run.completed')
})

it('recognises the values of open enumerations, and no others [GEN-30]', () => {
  expect(RUN_STATES.every(isKnownRunState)).toBe(true)
  expect([isKnownRunState('suspended'), isKnownRunState(''), isKnownRunState('SUCCEEDED')]).toEqual([
    false,
    false,
    false,
  ])
})
