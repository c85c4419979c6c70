/** The run state machine (specification "Run states", D-17). Code, tests and documentation read these tables. */

export const RUN_STATES = [
  'queued',
  'running',
  'waiting_approval',
  'cancelling',
  'reconciling',
  'succeeded',
  'failed',
  'cancelled',
  'interrupted',
  'expired',
] as const
export type RunState = (typeof RUN_STATES)[number]

export const RUN_TRANSITIONS = {
  queued: ['running', 'cancelled', 'expired'],
  running: ['waiting_approval', 'cancelling', 'reconciling', 'succeeded', 'failed', 'interrupted'],
  waiting_approval: ['running', 'cancelling', 'reconciling', 'failed', 'interrupted'],
  cancelling: ['cancelled', 'succeeded', 'failed', 'interrupted', 'reconciling'],
  reconciling: ['running', 'succeeded', 'failed', 'cancelled', 'interrupted'],
  succeeded: [],
  failed: [],
  cancelled: [],
  interrupted: [],
  expired: [],
} as const satisfies Record<RunState, readonly RunState[]>

/** States in which a run occupies its conversation: at most one run of a conversation is in such a state (D-17). */
export type ExecutingState = 'running' | 'waiting_approval' | 'cancelling' | 'reconciling'
export type TerminalState = 'succeeded' | 'failed' | 'cancelled' | 'interrupted' | 'expired'
export type DeliveryState = 'waiting_device' | 'device_received'

export const isTerminal = (state: RunState): state is TerminalState => RUN_TRANSITIONS[state].length === 0

export const isExecuting = (state: RunState): state is ExecutingState => state !== 'queued' && !isTerminal(state)

export const canRunMove = (from: RunState, to: RunState): boolean =>
  (RUN_TRANSITIONS[from] as readonly RunState[]).includes(to)
