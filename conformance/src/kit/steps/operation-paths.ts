import assert from 'node:assert/strict'
import type { Operation } from '#openapi/generated/gateway'
import type { ServerContext } from '../server/context.ts'
import { expectStatus } from '../server/expectations.ts'
import { expectTransitions, type NextStates } from './transitions.ts'

/** The allowed state transitions of an operation (D-18). */
const NEXT_STATES: NextStates = {
  pending: ['waiting_device', 'stopping', 'succeeded', 'failed'],
  waiting_device: ['stopping', 'succeeded', 'failed'],
  stopping: ['succeeded', 'failed'],
}

export const isComplete = (state: string): boolean => state === 'succeeded' || state === 'failed'

export const readOperation = async (t: ServerContext, operationId: string): Promise<Operation> =>
  expectStatus(await t.me.operation(operationId), 200).body

/**
 * Waits until the operation is complete. Fails unless it ended in this state; `problem` explains the failure.
 */
export async function expectOperationEnd(
  t: ServerContext,
  operationId: string,
  state: 'succeeded' | 'failed',
  problem?: string,
): Promise<Operation> {
  const operation = await t.operationEnded(operationId)
  const prefix = problem === undefined ? '' : `${problem}: `
  assert.equal(operation.state, state, `${prefix}operation ${operationId} has ${operation.state}, expected ${state}`)
  return operation
}

/** Reads an operation until it is complete. Returns its states in order, beginning with the given one. */
export async function followOperation(t: ServerContext, { operation_id: id, state }: Operation): Promise<string[]> {
  const seen: string[] = [state]
  await t.until(
    `the operation ${id} is complete`,
    async () => {
      const { state: now } = await readOperation(t, id)
      if (now !== seen.at(-1)) seen.push(now)
      return now
    },
    isComplete,
  )
  return seen
}

/** Fails if a transition is not allowed. */
export const expectAllowedStates = (states: readonly string[]): void =>
  expectTransitions('an operation', NEXT_STATES, states)
