import { type Activity, type ActivityChange, foldActivities } from '../../../openapi/src/behaviour/activities.ts'
import type { EventEnvelope, Message, RunResult, Snapshot, SnapshotRun } from '../../src/generated/gateway.ts'

/** A step in a conversation. `pick` selects one of the runs that it can apply to; `start` and `reset` ignore it. */
export type ModelStep =
  | { readonly kind: 'admit' | 'annotate' }
  | { readonly kind: 'start' | 'reset'; readonly pick: number }
  | { readonly kind: 'delta' | 'message' | 'approval' | 'cancelling'; readonly pick: number }
  /** The first change of an activity gets a kind and a name. */
  | { readonly kind: 'activity'; readonly pick: number; readonly change: Readonly<ActivityChange> }
  | {
      readonly kind: 'end'
      readonly pick: number
      readonly state: 'succeeded' | 'failed' | 'cancelled' | 'interrupted'
      readonly data?: Readonly<Record<string, unknown>> | undefined
    }

export interface ModelConversation {
  readonly log: readonly EventEnvelope[]
  readonly history: readonly Message[]
  /** The snapshot after each commit, by its watermark, in order. */
  readonly snapshots: ReadonlyMap<number, Snapshot>
}

type ModelRun = SnapshotRun & {
  inputId: string
  reply: { message: Message; pieces: number } | null
  hasMessage: boolean
}

/** Simulates a conversation by the gateway's rules: snapshots show the effects of all events of each step. */
export const playConversation = (steps: readonly ModelStep[]): ModelConversation => {
  const log: EventEnvelope[] = []
  const history: Message[] = []
  const runs: ModelRun[] = []
  const snapshots = new Map<number, Snapshot>()
  let generation = 1

  const emit = (
    type: string,
    runId: string | null,
    messageId: string | null,
    payload: object,
    of = generation,
  ): void => {
    const seq = log.length + 1
    const event: unknown = {
      conversation_id: 'conv_1',
      generation: of,
      event_id: `evt_${seq}`,
      seq,
      run_id: runId,
      message_id: messageId,
      type,
      payload,
    }
    log.push(structuredClone(event) as EventEnvelope)
  }
  const emitRun = (type: string, run: ModelRun, payload: object): void =>
    emit(type, run.run_id, run.inputId, payload, run.generation)
  const emitUpdate = (run: ModelRun): void =>
    emitRun('run.updated', run, {
      state: run.state,
      delivery_state: run.device_received ? 'device_received' : 'waiting_device',
    })
  const addMessage = (
    run: Pick<ModelRun, 'run_id' | 'generation'>,
    role: string,
    content: Message['content'],
  ): Message => {
    const cursor = history.length + 1
    const message: Message = {
      cursor,
      message_id: `msg_${cursor}`,
      conversation_id: 'conv_1',
      run_id: run.run_id,
      generation: run.generation,
      role,
      created_at: '2026-03-02T09:30:00.500Z',
      content,
    }
    history.push(message)
    return message
  }
  const emitMessage = (run: ModelRun, message: Message): void =>
    emit('assistant.message', run.run_id, message.message_id, { message }, run.generation)

  const among = (pick: number, states: readonly string[]): ModelRun | undefined => {
    const candidates = runs.filter(({ state }) => states.includes(state))
    return candidates[pick % Math.max(1, candidates.length)]
  }
  const EXECUTING = ['running', 'waiting_approval', 'cancelling']

  const end = (run: ModelRun, state: string, answered?: Readonly<Record<string, unknown>>): void => {
    const streamed = run.reply?.message.content.text || undefined
    const error = { code: 'MODEL_UNAVAILABLE', message: 'No answer.', retryable: true }
    const partial = streamed === undefined ? {} : { text: streamed }
    const data = answered && { data: { ...answered } }
    let result: RunResult | null = streamed === undefined ? null : partial
    if (state === 'succeeded') result = { text: streamed ?? 'whole', ...data }
    if (state === 'failed') result = { ...partial, error }
    const text = streamed ?? (run.hasMessage ? '' : 'whole')
    if (state === 'succeeded' && run.reply !== null) {
      run.reply.message.content = { ...run.reply.message.content, ...data, text, partial: false }
      emitMessage(run, run.reply.message)
    } else if (state === 'succeeded' && (!run.hasMessage || data)) {
      emitMessage(run, addMessage(run, 'assistant', { text, ...data, partial: false }))
    }
    Object.assign(run, { state, result, result_available: result !== null })
    const type = state === 'succeeded' ? 'completed' : state
    emitRun(`run.${type}`, run, { state, ...(state === 'failed' ? { error } : {}), result })
  }

  const streamedReply = (run: ModelRun): NonNullable<ModelRun['reply']> => {
    run.reply ??= { message: addMessage(run, 'assistant', { text: '', partial: true }), pieces: 0 }
    return run.reply
  }

  const take = (step: ModelStep): void => {
    switch (step.kind) {
      case 'admit': {
        const run_id = `run_${runs.length + 1}`
        const input = addMessage({ run_id, generation }, 'user', { text: `Question ${run_id}`, data: { nested: [1] } })
        const run: ModelRun = {
          run_id,
          generation,
          state: 'queued',
          device_received: false,
          result: null,
          result_available: false,
          inputId: input.message_id,
          reply: null,
          hasMessage: false,
        }
        runs.push(run)
        emitUpdate(run)
        return
      }
      case 'annotate':
        emit('conversation.annotated', null, null, { note: 'from a newer gateway' })
        return
      case 'reset':
        for (const run of runs) if (['queued', ...EXECUTING].includes(run.state)) end(run, 'cancelled')
        generation += 1
        emit('conversation.reset', null, null, {
          operation_id: 'op_1',
          generation,
          previous_generation: generation - 1,
          binding_version: 3,
        })
        return
      case 'start': {
        const run = among(0, EXECUTING) === undefined ? among(0, ['queued']) : undefined
        if (run === undefined) return
        Object.assign(run, { state: 'running', device_received: true })
        emitRun('run.started', run, { state: 'running' })
        return
      }
      case 'end': {
        const run = among(step.pick, step.state === 'cancelled' ? ['queued', ...EXECUTING] : EXECUTING)
        if (run !== undefined) end(run, step.state, step.data)
        return
      }
      default: {
        const run = among(step.pick, EXECUTING)
        if (run === undefined) return
        if (step.kind === 'delta') {
          const reply = streamedReply(run)
          const piece = `piece ${reply.pieces} `
          const { content } = reply.message
          reply.message.content = { ...content, text: content.text + piece }
          emit(
            'assistant.delta',
            run.run_id,
            reply.message.message_id,
            { text: piece, index: reply.pieces++ },
            run.generation,
          )
        } else if (step.kind === 'activity') {
          const { message } = streamedReply(run)
          const { activities = [] } = message.content
          const isNew = !activities.some(({ activity_id }) => activity_id === step.change.activity_id)
          const activity = isNew ? { kind: 'tool', name: 'find_order', state: 'running', ...step.change } : step.change
          message.content = {
            ...message.content,
            activities: [...foldActivities([activity as ActivityChange], activities as Activity[])],
          }
          emit('assistant.activity', run.run_id, message.message_id, { activity }, run.generation)
        } else if (step.kind === 'message') {
          run.hasMessage = true
          emitMessage(run, addMessage(run, 'assistant', { text: 'in between', partial: false }))
        } else {
          run.state = step.kind === 'approval' ? 'waiting_approval' : 'cancelling'
          if (step.kind === 'approval') emitRun('approval.required', run, { approval_id: 'apr_1', summary: 'Refund' })
          emitUpdate(run)
        }
      }
    }
  }

  const commit = (): void => {
    const snapshot: Snapshot = {
      conversation_id: 'conv_1',
      generation,
      watermark: log.length,
      messages: history.slice(-200),
      runs: runs.slice(-100).map(({ run_id, generation, state, device_received, result, result_available }) => ({
        run_id,
        generation,
        state,
        device_received,
        result,
        result_available,
      })),
    }
    snapshots.set(log.length, structuredClone(snapshot))
  }
  commit()
  for (const step of steps) {
    take(step)
    commit()
  }
  return { log, history, snapshots }
}
