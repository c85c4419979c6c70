/** The state machine of cancel and reset operations (specification "Operation states", D-18). */

export const OPERATION_STATES = ['pending', 'waiting_device', 'stopping', 'succeeded', 'failed'] as const
export type OperationState = (typeof OPERATION_STATES)[number]

export const OPERATION_TRANSITIONS = {
  pending: ['waiting_device', 'stopping', 'succeeded', 'failed'],
  waiting_device: ['stopping', 'succeeded', 'failed'],
  stopping: ['succeeded', 'failed'],
  succeeded: [],
  failed: [],
} as const satisfies Record<OperationState, readonly OperationState[]>

export const isComplete = (state: OperationState): state is 'succeeded' | 'failed' =>
  OPERATION_TRANSITIONS[state].length === 0

export const canOperationMove = (from: OperationState, to: OperationState): boolean =>
  (OPERATION_TRANSITIONS[from] as readonly OperationState[]).includes(to)
