import { expect, it } from 'vitest'
import { EVENT_TYPES, isKnownRunState, OPERATIONS, RUN_STATES, TERMINAL_RUN_EVENT_TYPES } from './index.ts'

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
