import fc from 'fast-check'
import { expect, it } from 'vitest'
import { anyStep } from '../../test/support/any-step.ts'
import { type ModelConversation, type ModelStep, playConversation } from '../../test/support/model-conversation.ts'
import type { EventEnvelope } from '../generated/gateway.ts'
import { applyEvent, type ConversationView, fromSnapshot, unknownInput } from './conversation-view.ts'

const snapshotAt = ({ snapshots }: ModelConversation, seq: number): ConversationView => {
  const snapshot = snapshots.get(seq)
  if (snapshot === undefined) throw new Error(`nothing was committed at ${seq}`)
  return fromSnapshot(snapshot)
}

/** Applies the log up to a seq, reading input messages from the final history. */
const follow = (model: ModelConversation, from: ConversationView, until: number): ConversationView =>
  model.log
    .filter(({ seq }) => seq <= until)
    .reduce((view, event) => {
      const input = unknownInput(view, event)
      return applyEvent(
        view,
        event,
        model.history.find(({ message_id }) => message_id === input),
      )
    }, from)

const play = (...steps: ModelStep[]): ConversationView => {
  const model = playConversation(steps)
  return follow(model, snapshotAt(model, 0), model.log.length)
}

it('reaches the same state through a snapshot, events, or any mix of both', () => {
  fc.assert(
    fc.property(fc.array(anyStep, { maxLength: 40 }), fc.nat(), fc.nat(), (steps, early, late) => {
      const model = playConversation(steps)
      const commits = [...model.snapshots.keys()]
      const [from = 0, until = 0] = [early, late]
        .map((pick) => commits[pick % commits.length] ?? 0)
        .sort((a, b) => a - b)
      expect(follow(model, snapshotAt(model, from), until)).toEqual(snapshotAt(model, until))
    }),
    { numRuns: 500 },
  )
})

it('holds the newest 200 messages and 100 runs, as a snapshot does', () => {
  const step = (index: number): ModelStep[] => [
    { kind: 'admit' },
    { kind: 'start', pick: 0 },
    ...(index % 3 === 0 ? [{ kind: 'delta', pick: 0 } as const] : []),
    { kind: 'end', pick: 0, state: 'succeeded' },
  ]
  const model = playConversation(Array.from({ length: 130 }, (_, index) => step(index)).flat())
  const view = follow(model, snapshotAt(model, 0), model.log.length)
  expect([view.messages.length, view.runs.length]).toEqual([200, 100])
  expect(view).toEqual(snapshotAt(model, model.log.length))
})

it('shows a message in pieces until it is complete, and then once', () => {
  const running: ModelStep[] = [
    { kind: 'admit' },
    { kind: 'start', pick: 0 },
    { kind: 'delta', pick: 0 },
    { kind: 'delta', pick: 0 },
  ]
  const replies = (view: ConversationView) => view.messages.slice(1).map(({ content }) => content)
  expect(replies(play(...running))).toEqual([{ text: 'piece 0 piece 1 ', partial: true }])
  expect(replies(play(...running, { kind: 'end', pick: 0, state: 'succeeded' }))).toEqual([
    { text: 'piece 0 piece 1 ', partial: false },
  ])
})

it('shows activities as they change, and the data of the complete message', () => {
  const change = (activity_id: string, members: object = {}): ModelStep => ({
    kind: 'activity',
    pick: 0,
    change: { activity_id, ...members },
  })
  const running: ModelStep[] = [
    { kind: 'admit' },
    { kind: 'start', pick: 0 },
    change('call_1', { input: { order: 1 } }),
    change('thinking', { kind: 'reasoning', name: 'think', text_delta: 'Let me ' }),
    { kind: 'delta', pick: 0 },
    change('thinking', { text_delta: 'see.' }),
    change('call_1', { state: 'succeeded', output: null }),
  ]
  const replies = (view: ConversationView) => view.messages.slice(1).map(({ content }) => content)
  const call = { activity_id: 'call_1', kind: 'tool', name: 'find_order', input: { order: 1 } }
  const activities = [
    { ...call, state: 'succeeded', output: null },
    { activity_id: 'thinking', kind: 'reasoning', name: 'think', state: 'running', text: 'Let me see.' },
  ]
  expect(replies(play(...running.slice(0, 3)))).toEqual([
    { text: '', activities: [{ ...call, state: 'running' }], partial: true },
  ])
  expect(replies(play(...running))).toEqual([{ text: 'piece 0 ', activities, partial: true }])
  const ended = play(...running, { kind: 'end', pick: 0, state: 'succeeded', data: { shipped: true } })
  expect(replies(ended)).toEqual([{ text: 'piece 0 ', activities, data: { shipped: true }, partial: false }])
  expect(ended.runs[0]?.result).toEqual({ text: 'piece 0 ', data: { shipped: true } })
})

it('ignores changes of an unknown activity in a message that it does not have', () => {
  const model = playConversation([
    { kind: 'admit' },
    { kind: 'start', pick: 0 },
    { kind: 'activity', pick: 0, change: { activity_id: 'call_1' } },
    { kind: 'activity', pick: 0, change: { activity_id: 'call_1', state: 'succeeded' } },
  ])
  const view = snapshotAt(model, 3)
  const without = { ...view, messages: view.messages.slice(0, 1) }
  expect(follow(model, without, 4).messages).toBe(without.messages)
})

it('keeps the streamed text of a failed run as partial', () => {
  const view = play(
    { kind: 'admit' },
    { kind: 'start', pick: 0 },
    { kind: 'delta', pick: 0 },
    { kind: 'end', pick: 0, state: 'failed' },
  )
  expect(view.messages[1]?.content).toEqual({ text: 'piece 0 ', partial: true })
  expect(view.runs).toMatchObject([{ state: 'failed', result: { text: 'piece 0 ' }, result_available: true }])
})

it('keeps messages and runs in their generation when a reset advances it [RESET-20]', () => {
  const view = play({ kind: 'admit' }, { kind: 'reset', pick: 0 }, { kind: 'admit' })
  expect(view.generation).toBe(2)
  expect(view.messages.map(({ generation }) => generation)).toEqual([1, 2])
  expect(view.runs.map(({ generation, state }) => [generation, state])).toEqual([
    [1, 'cancelled'],
    [2, 'queued'],
  ])
})

it('ignores a repeated event, and every piece after the complete message', () => {
  const model = playConversation([
    { kind: 'admit' },
    { kind: 'start', pick: 0 },
    { kind: 'delta', pick: 0 },
    { kind: 'end', pick: 0, state: 'succeeded' },
  ])
  const view = follow(model, snapshotAt(model, 0), model.log.length)
  for (const event of model.log) expect(applyEvent(view, event)).toBe(view)
  const delta = model.log.find(({ type }) => type === 'assistant.delta')
  if (delta === undefined) throw new Error('the log has no delta')
  const late: EventEnvelope = { ...delta, seq: view.position + 1 }
  expect(applyEvent(view, late)).toEqual({ ...view, position: view.position + 1 })
})

it('ignores later pieces of a message that is too old for the view', () => {
  const model = playConversation([
    { kind: 'admit' },
    { kind: 'start', pick: 0 },
    { kind: 'delta', pick: 0 },
    { kind: 'delta', pick: 0 },
  ])
  const view = snapshotAt(model, 3)
  const without = { ...view, messages: view.messages.slice(0, 1) }
  expect(follow(model, without, 4).messages).toBe(without.messages)
})

it('moves only the position for an event of a type that it does not know', () => {
  const model = playConversation([{ kind: 'admit' }, { kind: 'annotate' }])
  const view = snapshotAt(model, 1)
  const next = follow(model, view, 2)
  expect(next).toEqual({ ...view, position: 2 })
  expect(next.messages).toBe(view.messages)
})

it('shares everything that an event does not touch with the state before, which stays unchanged', () => {
  const model = playConversation([{ kind: 'admit' }, { kind: 'admit' }, { kind: 'start', pick: 0 }])
  const view = snapshotAt(model, 2)
  const before = structuredClone(view)
  const next = follow(model, view, 3)
  expect(view).toEqual(before)
  expect(next.messages).toBe(view.messages)
  expect(next.runs[1]).toBe(view.runs[1])
})

it('asks for the missing input message of a new run, but not for that of a known run', () => {
  const model = playConversation([{ kind: 'admit' }, { kind: 'start', pick: 0 }])
  const [admitted, started] = model.log
  if (admitted === undefined || started === undefined) throw new Error('the log lacks an event')
  expect(unknownInput(snapshotAt(model, 0), admitted)).toBe('msg_1')
  expect(unknownInput({ ...snapshotAt(model, 1), messages: [] }, started)).toBeNull()
})
