import { describe, expect, test } from 'vitest'
import { canOperationMove, isComplete, OPERATION_STATES } from './operation-state.ts'
import { canRunMove, isExecuting, isTerminal, RUN_STATES } from './run-state.ts'

describe('run states', () => {
  test.each(['succeeded', 'failed', 'cancelled', 'interrupted', 'expired'] as const)(
    '%s is terminal and never changes',
    (state) => {
      expect(isTerminal(state)).toBe(true)
      for (const to of RUN_STATES) expect(canRunMove(state, to)).toBe(false)
    },
  )

  test.each(['running', 'waiting_approval', 'cancelling', 'reconciling'] as const)(
    '%s occupies its conversation',
    (state) => {
      expect(isExecuting(state)).toBe(true)
      expect(isTerminal(state)).toBe(false)
    },
  )

  test('a queued run occupies nothing and is not terminal', () => {
    expect(isExecuting('queued')).toBe(false)
    expect(isTerminal('queued')).toBe(false)
  })

  test('every state is reachable from queued', () => {
    const reached = new Set<string>(['queued'])
    for (let size = 0; size !== reached.size; ) {
      size = reached.size
      for (const from of RUN_STATES)
        if (reached.has(from)) for (const to of RUN_STATES) if (canRunMove(from, to)) reached.add(to)
    }
    expect([...reached].sort()).toEqual([...RUN_STATES].sort())
  })

  test('nothing returns to queued, and success is never inferred from the queue', () => {
    for (const from of RUN_STATES) expect(canRunMove(from, 'queued')).toBe(false)
    expect(canRunMove('queued', 'succeeded')).toBe(false)
    expect(canRunMove('waiting_approval', 'succeeded')).toBe(false)
  })

  test('only a queued run expires', () => {
    expect(RUN_STATES.filter((from) => canRunMove(from, 'expired'))).toEqual(['queued'])
  })
})

describe('operation states', () => {
  test.each(['succeeded', 'failed'] as const)('%s is complete and never changes', (state) => {
    expect(isComplete(state)).toBe(true)
    for (const to of OPERATION_STATES) expect(canOperationMove(state, to)).toBe(false)
  })

  test.each(['pending', 'waiting_device', 'stopping'] as const)('%s can still succeed and fail', (state) => {
    expect(isComplete(state)).toBe(false)
    expect(canOperationMove(state, 'succeeded')).toBe(true)
    expect(canOperationMove(state, 'failed')).toBe(true)
  })
})
