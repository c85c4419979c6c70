import { EVENT_TYPES, TERMINAL_RUN_EVENT_TYPES } from '../generated/events.ts'
import type { EventEnvelope, KnownEvent, RunState } from '../generated/gateway.ts'

/** Whether this version knows the event's type, so that its payload has the shape of the contract. */
export const isKnownEvent = (event: EventEnvelope): event is KnownEvent =>
  (EVENT_TYPES as readonly string[]).includes(event.type)

/** Whether the event is the last one of its run (D-28). */
export const isTerminalRunEvent = (
  event: EventEnvelope,
): event is Extract<KnownEvent, { type: (typeof TERMINAL_RUN_EVENT_TYPES)[number] }> =>
  (TERMINAL_RUN_EVENT_TYPES as readonly string[]).includes(event.type)

const ENDS: ReadonlySet<RunState> = new Set(['succeeded', 'failed', 'cancelled', 'interrupted', 'expired'])

/** Whether the run has ended. */
export const isFinished = (state: RunState): boolean => ENDS.has(state)
