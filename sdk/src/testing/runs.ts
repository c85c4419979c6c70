import { type ActivityUpdate, foldActivities } from '../../../openapi/src/behaviour/activities.ts'
import { continueDecided, requireApproval } from '../../../openapi/src/behaviour/approvals.ts'
import { type Draft, emitRunEvent } from '../../../openapi/src/behaviour/conversation-work.ts'
import { addMessage, finishRun, type RunOutcome } from '../../../openapi/src/behaviour/finish-run.ts'
import { isExecuting } from '../../../openapi/src/behaviour/run-state.ts'
import { applyTime } from '../../../openapi/src/behaviour/time-passes.ts'
import { change } from './change.ts'
import { outcomeOf, type ReplyStep } from './replies.ts'
import { type FoundRun, type GatewayState, isUnfinished, type StoredConversation, type StoredRun } from './state.ts'

/** Executes a conversation's work as far as possible, unless the test holds it. */
export const advance = (state: GatewayState, conversation: StoredConversation): void => {
  while (!state.isHeld && takeStep(state, conversation));
}

/**
 * Takes the next step in a conversation: confirms a stop, takes a step of the executing run's reply, or starts the next
 * queued run. False if there is nothing to do, or a run waits for the test.
 */
export const takeStep = (state: GatewayState, conversation: StoredConversation): boolean => {
  // One run at a time occupies the conversation (D-17).
  const run =
    conversation.runs.find((candidate) => isExecuting(candidate.state)) ?? conversation.runs.find(isUnfinished)
  if (run === undefined) return false
  const [step = { succeed: {} }] = run.steps
  const isAtWork = run.state === 'running' && !('hang' in step)
  if (!isAtWork && run.state !== 'queued' && run.state !== 'cancelling') return false
  change(state, conversation, (draft) => {
    if (run.state === 'queued') start(draft, run)
    else if (run.state === 'cancelling') finishRun(draft, run, { state: 'cancelled' })
    else perform(draft, conversation, run)
  })
  return true
}

const start = (draft: Draft, run: StoredRun): void => {
  run.state = 'running'
  run.deliveryState = 'device_received'
  draft.changedRuns.add(run)
  emitRunEvent(draft, run, 'run.started', { state: 'running' })
}

/** Takes the next step of the reply. */
const perform = (draft: Draft, conversation: StoredConversation, run: StoredRun): void => {
  const step: ReplyStep = run.steps.shift() ?? { succeed: {} }
  if ('delta' in step) addDelta(draft, conversation, run, step.delta)
  else if ('activity' in step) addActivity(draft, conversation, run, step.activity)
  else if ('message' in step) addMessage(draft, run, step.message)
  else if ('approval' in step) requireApproval(draft, run, step.approval)
  else if (!('hang' in step)) finishRun(draft, run, outcomeOf(step))
}

/** Adds a piece to the message that a run streams (D-28). */
const addDelta = (draft: Draft, conversation: StoredConversation, run: StoredRun, text: string): void => {
  const reply = run.reply ?? beginReply(draft, conversation, run)
  changeReply(conversation, run, { ...reply, text: reply.text + text })
  const { runId, generation } = run
  const payload = { text, index: run.deltas }
  draft.events.push({ type: 'assistant.delta', generation, runId, messageId: reply.messageId, payload })
  run.deltas += 1
}

/** Adds an activity change to the message that a run streams (D-69). */
const addActivity = (draft: Draft, conversation: StoredConversation, run: StoredRun, change: ActivityUpdate): void => {
  const reply = run.reply ?? beginReply(draft, conversation, run)
  const isNew = !reply.activities.some(({ activity_id }) => activity_id === change.activity_id)
  const activity = isNew ? { state: 'running' as const, ...change } : change
  changeReply(conversation, run, { ...reply, activities: foldActivities([activity], reply.activities) })
  const { runId, generation } = run
  draft.events.push({
    type: 'assistant.activity',
    generation,
    runId,
    messageId: reply.messageId,
    payload: { activity },
  })
}

const changeReply = (
  conversation: StoredConversation,
  run: StoredRun,
  reply: NonNullable<StoredRun['reply']>,
): void => {
  run.reply = reply
  const { text, activities } = reply
  for (const message of conversation.messages)
    if (message.cursor === reply.cursor) Object.assign(message, { text, activities })
}

const beginReply = (
  draft: Draft,
  conversation: StoredConversation,
  run: StoredRun,
): NonNullable<StoredRun['reply']> => {
  const { conversationId, runId, generation } = run
  conversation.lastCursor += 1
  const reply = {
    messageId: draft.newId('msg'),
    cursor: conversation.lastCursor,
    createdAt: draft.now,
    text: '',
    activities: [],
  }
  const of = { conversationId, runId, generation, role: 'assistant', data: null, resourceIds: null } as const
  conversation.messages.push({ ...reply, ...of, partial: true })
  return reply
}

/** Continues a run that waits for an approval, or ends it (D-45). */
export const decideApproval = (
  state: GatewayState,
  { conversation, run }: FoundRun,
  decision: 'approved' | 'denied',
): void =>
  change(state, conversation, (draft) => {
    continueDecided(draft, run)
    if (decision === 'denied') finishRun(draft, run, outcomeOf({ fail: APPROVAL_DENIED }))
  })

const APPROVAL_DENIED = { code: 'APPROVAL_DENIED', message: 'The operator denied the approval.' }

/** Ends a run in the state that the test chooses. Throws if the run has ended or waits for another run. */
export const endRun = (state: GatewayState, found: FoundRun, outcome: RunOutcome): void => {
  const { conversation, run } = found
  if (!isUnfinished(run)) throw new Error(`The run ${run.runId} has already ended: it is ${run.state}.`)
  if (run.state === 'queued' && !(conversation.runs.find(isUnfinished) === run && takeStep(state, conversation)))
    throw new Error(`The run ${run.runId} is queued behind another run of its conversation; finish that one first.`)
  if (run.state === 'waiting_approval' && outcome.state === 'succeeded') decideApproval(state, found, 'approved')
  change(state, conversation, (draft) => finishRun(draft, run, outcome))
}

/** Ends the queued runs whose start deadline has passed. */
export const expireOverdue = (state: GatewayState): void => {
  for (const conversation of state.conversations.values()) change(state, conversation, applyTime)
}
