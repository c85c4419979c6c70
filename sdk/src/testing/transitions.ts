import type { OperationState } from '../behaviour/operation-state.ts'
import { canOperationMove } from '../behaviour/operation-state.ts'
import type { RunState } from '../behaviour/run-state.ts'
import { canRunMove } from '../behaviour/run-state.ts'
import type { GatewayState, StoredOperation, StoredRun } from './state.ts'
import { timestamp } from './state.ts'

/** Moves that the tables do not have are mistakes of the gateway in memory. */

export const changeRun = (state: GatewayState, { record }: StoredRun, to: RunState): void => {
  if (!canRunMove(record.state, to)) throw new Error(`a run cannot move from ${record.state} to ${to}`)
  record.state = to
  record.updated_at = timestamp(state)
}

export const changeOperation = ({ record }: StoredOperation, to: OperationState): void => {
  if (record.state === to) return
  if (!canOperationMove(record.state, to)) throw new Error(`an operation cannot move from ${record.state} to ${to}`)
  record.state = to
}
