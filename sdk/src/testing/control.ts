import { notFound } from '../behaviour/refusal.ts'
import type { CancelRun, Control, Operation, ResetConversation, Run } from '../generated/gateway.ts'
import type { Call } from './call.ts'
import type { Intention } from './idempotency.ts'
import { once } from './idempotency.ts'
import type { Outcome, RawAnswer } from './outcome.ts'
import { answer } from './outcome.ts'
import { advance } from './runs.ts'
import type { GatewayState } from './state.ts'
import { findConversation, findRun } from './state.ts'
import { cancel, reset } from './stop-work.ts'

export const getRun = (state: GatewayState, { subject, ids }: Call): Outcome<Run> => {
  const found = findRun(state, subject, ids.run_id)
  return found === undefined ? notFound('run') : answer(200, found.run.record)
}

export const getOperation = (state: GatewayState, { subject, ids }: Call): Outcome<Operation> => {
  for (const { record, operations } of state.conversations.values()) {
    const operation = operations.find((candidate) => candidate.record.operation_id === ids.operation_id)
    if (operation !== undefined && record.subject === subject) return answer(200, operation.record)
  }
  return notFound('operation')
}

/** Answers with the operation as it is before a running device has confirmed the stop, so that clients have to look. */
export const cancelRun = (state: GatewayState, intention: Intention<CancelRun>): Outcome<Control> | RawAnswer => {
  const found = findRun(state, intention.subject, intention.ids.run_id)
  if (found === undefined) return notFound('run')
  return once(state, intention, () => {
    const control = structuredClone(cancel(state, found.conversation, found.run))
    advance(state, found.conversation)
    return answer(202, control)
  })
}

/** Answers like `cancelRun`, before running work has stopped. */
export const resetConversation = (
  state: GatewayState,
  intention: Intention<ResetConversation>,
): Outcome<Control> | RawAnswer => {
  const conversation = findConversation(state, intention.subject, intention.ids.conversation_id)
  if (conversation === undefined) return notFound('conversation')
  return once(state, intention, () => {
    const outcome = reset(state, conversation, intention.body)
    if ('kind' in outcome) return outcome
    const control = structuredClone(outcome)
    advance(state, conversation)
    return answer(202, control)
  })
}
