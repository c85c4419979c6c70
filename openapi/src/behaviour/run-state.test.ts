import { describe, expect, test } from 'vitest'
import { at, draftOf, newRun, newWork } from '../../test/support/work-draft.ts'
import type { OperationWork } from './conversation-work.ts'
import { moveOperation, moveRun } from './conversation-work.ts'
import type { OperationState } from './operation-state.ts'
import { isComplete, OPERATION_STATES } from './operation-state.ts'
import type { RunState } from './run-state.ts'
import { canRunMove, isExecuting, isTerminal, RUN_STATES } from './run-state.ts'

describe('run states', () => {
  test.each<[RunState, RunState[], string]>([
    ['queued', ['running', 'cancelled', 'expired'], '[RUN-35]'],
    ['running', ['waiting_approval', 'cancelling', 'reconciling', 'succeeded', 'failed', 'interrupted'], '[RUN-37]'],
    ['waiting_approval', ['running', 'cancelling', 'reconciling', 'failed', 'interrupted'], '[RUN-38]'],
    ['cancelling', ['cancelled', 'succeeded', 'failed', 'interrupted', 'reconciling'], '[RUN-39]'],
    ['reconciling', ['running', 'succeeded', 'failed', 'cancelled', 'interrupted'], '[RUN-40]'],
    ...(['succeeded', 'failed', 'cancelled', 'interrupted', 'expired'] as const).map(
      (state): [RunState, RunState[], string] => [state, [], '[RUN-41]'],
    ),
  ])('%s changes only to one of %j %s', (from, allowed) => {
    expect(RUN_STATES.filter((to) => canRunMove(from, to)).sort()).toEqual(allowed.sort())
    for (const to of RUN_STATES) {
      const run = newRun(1, from)
      const draft = draftOf(newWork([run]))
      if (allowed.includes(to)) moveRun(draft, run, to)
      else expect(() => moveRun(draft, run, to)).toThrow(`cannot move from ${from} to ${to}`)
      expect(run.state).toBe(allowed.includes(to) ? to : from)
    }
  })

  test('five states are terminal, and four others occupy their conversation', () => {
    expect(RUN_STATES.filter(isTerminal)).toEqual(['succeeded', 'failed', 'cancelled', 'interrupted', 'expired'])
    expect(RUN_STATES.filter(isExecuting)).toEqual(['running', 'waiting_approval', 'cancelling', 'reconciling'])
  })
})

describe('operation states', () => {
  test('are the five of the specification [OPER-06]', () => {
    expect([...OPERATION_STATES].sort()).toEqual(['failed', 'pending', 'stopping', 'succeeded', 'waiting_device'])
  })

  test.each<[OperationState, OperationState[], string]>([
    ['pending', ['waiting_device', 'stopping', 'succeeded', 'failed'], '[OPER-14]'],
    ['waiting_device', ['stopping', 'succeeded', 'failed'], '[OPER-15]'],
    ['stopping', ['succeeded', 'failed'], '[OPER-16]'],
    ['succeeded', [], '[OPER-16]'],
    ['failed', [], '[OPER-16]'],
  ])('%s changes only to one of %j %s', (from, allowed) => {
    for (const to of OPERATION_STATES.filter((state) => state !== from)) {
      const operation: OperationWork = {
        operationId: 'op',
        kind: 'cancel',
        runId: 'run',
        stopUntil: at(60_000),
        state: from,
        generation: 1,
      }
      const draft = draftOf(newWork([], { operations: [operation] }))
      if (allowed.includes(to)) moveOperation(draft, operation, to)
      else expect(() => moveOperation(draft, operation, to)).toThrow(`cannot move from ${from} to ${to}`)
      expect(operation.state).toBe(allowed.includes(to) ? to : from)
    }
  })

  test('only succeeded and failed are complete', () => {
    expect(OPERATION_STATES.filter(isComplete)).toEqual(['succeeded', 'failed'])
  })
})
