import { continueApproved, requireApproval } from '../behaviour/approvals.ts'
import { addMessage } from '../behaviour/finish-run.ts'
import { isExecuting } from '../behaviour/run-state.ts'
import { applyTime } from '../behaviour/time-passes.ts'
import type { Admission, MessageInput } from '../generated/gateway.ts'
import { change, changeRun } from './change.ts'
import { endRun, outcomeOf } from './end-run.ts'
import { emitRunEvent } from './event-log.ts'
import { addDelta, addInput } from './messages.ts'
import type { ReplyStep } from './replies.ts'
import { replySteps } from './replies.ts'
import type { GatewayState, StoredConversation, StoredRun } from './state.ts'
import { isUnfinished, timestamp } from './state.ts'

/** Admits an input as a queued run. The admission is the run's first event, whose seq is the cursor (D-26). */
export const admitRun = (
  state: GatewayState,
  conversation: StoredConversation,
  input: MessageInput,
  startBefore: Date,
): Admission => {
  const { conversation_id, generation } = conversation.record
  const ids = { conversation_id, generation, message_id: state.newId('msg'), run_id: state.newId('run') }
  const now = timestamp(state)
  const record: StoredRun['record'] = {
    ...ids,
    state: 'queued',
    delivery_state: 'waiting_device',
    created_at: now,
    updated_at: now,
    result: null,
  }
  const run: StoredRun = {
    record,
    startBefore,
    resourceIds: input.resource_ids ?? [],
    steps: replySteps(state.replies.shift() ?? state.defaultReply, input),
    streamed: null,
    deltas: 0,
    hasWholeMessage: false,
  }
  addInput(state, conversation, ids, input)
  conversation.runs.push(run)
  emitUpdate(state, conversation, run)
  return { ...ids, state: record.state, event_cursor: conversation.events.length }
}

/** Carries a conversation's work as far as it goes, unless the test holds it. */
export const advance = (state: GatewayState, conversation: StoredConversation): void => {
  while (!state.isHeld && takeStep(state, conversation));
}

/**
 * The next thing that happens in a conversation: a stop is confirmed, the executing run takes a step of its reply, or
 * the next queued run starts. False when there is nothing to do, or a run waits for the test.
 */
export const takeStep = (state: GatewayState, conversation: StoredConversation): boolean => {
  const run = executing(conversation)
  if (run === undefined) return startNext(state, conversation)
  if (run.record.state === 'cancelling') {
    endRun(state, conversation, run, { state: 'cancelled' })
    return true
  }
  const [step = { succeed: {} }] = run.steps
  if (run.record.state !== 'running' || 'hang' in step) return false
  run.steps.shift()
  perform(state, conversation, run, step)
  return true
}

/** The run that occupies the conversation: one at a time does (D-17). */
const executing = ({ runs }: StoredConversation): StoredRun | undefined =>
  runs.find(({ record }) => isExecuting(record.state))

/** Whether nothing stands before a queued run. */
export const isNext = ({ runs }: StoredConversation, run: StoredRun): boolean => runs.find(isUnfinished) === run

const startNext = (state: GatewayState, conversation: StoredConversation): boolean => {
  const run = conversation.runs.find(({ record }) => record.state === 'queued')
  if (run === undefined) return false
  start(state, conversation, run)
  return true
}

const start = (state: GatewayState, conversation: StoredConversation, run: StoredRun): void => {
  run.record.state = 'running'
  run.record.delivery_state = 'device_received'
  run.record.updated_at = timestamp(state)
  emitRunEvent(state, conversation, run, { type: 'run.started', payload: { state: 'running' } })
}

type ActiveStep = Exclude<ReplyStep, { hang: true }>

const perform = (state: GatewayState, conversation: StoredConversation, run: StoredRun, step: ActiveStep): void => {
  if ('delta' in step) addDelta(state, conversation, run, step.delta)
  else if ('message' in step)
    changeRun(state, conversation, run, (draft, work) => addMessage(draft, work, step.message))
  else if ('approval' in step)
    changeRun(state, conversation, run, (draft, work) => requireApproval(draft, work, step.approval))
  else endRun(state, conversation, run, outcomeOf(step))
}

/** Lets a run that waits for an approval go on, or ends it (D-45). */
export const decideApproval = (
  state: GatewayState,
  conversation: StoredConversation,
  run: StoredRun,
  decision: 'approved' | 'denied',
): void => {
  if (decision === 'approved') changeRun(state, conversation, run, continueApproved)
  else endRun(state, conversation, run, outcomeOf({ fail: APPROVAL_DENIED }))
}

const APPROVAL_DENIED = { code: 'APPROVAL_DENIED', message: 'The operator denied the approval.' }

const emitUpdate = (state: GatewayState, conversation: StoredConversation, run: StoredRun): void => {
  const { state: runState, delivery_state } = run.record
  emitRunEvent(state, conversation, run, { type: 'run.updated', payload: { state: runState, delivery_state } })
}

/** Ends the queued runs whose latest start has passed. */
export const expireOverdue = (state: GatewayState): void => {
  for (const conversation of state.conversations.values()) change(state, conversation, applyTime)
}
