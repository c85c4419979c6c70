import { json, stream } from '../../kit/client/answers.ts'
import type { ClientCheck, ClientContext } from '../../kit/client/client-context.ts'
import { isObject, type JsonObject } from '../../kit/client/commands.ts'
import { expectEqual } from '../../kit/client/expect.ts'
import { followTo, frames, QUESTION, replyRecord, snapshotAt, textsOf } from '../../kit/client/follow.ts'
import { replyText } from '../../kit/client/observing.ts'
import {
  assistantActivity,
  assistantDelta,
  CONVERSATION,
  EVENTS,
  eventEnvelope,
  RUN,
  runCompleted,
  runRecord,
} from '../../kit/client/records.ts'

const TOOL = { activity_id: 'call_1', kind: 'tool', name: 'find_order', state: 'running', input: { order: '4711' } }
const REASONING = { activity_id: 'think', kind: 'reasoning', name: 'Thinks', state: 'running', text: 'Which order? ' }

/** Text with a tool call before it and reasoning within it. */
const EVENTS_OF_RUN: readonly JsonObject[] = [
  assistantActivity(11, TOOL),
  assistantDelta(12, 0, 'Good '),
  assistantActivity(13, { ...REASONING, text: undefined, text_delta: 'Which order? ' }),
  assistantActivity(14, { activity_id: 'call_1', state: 'succeeded', output: { text: 'never shown' } }),
  assistantDelta(15, 1, 'day'),
  assistantActivity(16, { activity_id: 'think', text_delta: 'That one.' }),
]
const AFTER_ALL = [
  { ...TOOL, state: 'succeeded', output: { text: 'never shown' } },
  { ...REASONING, text: 'Which order? That one.' },
]

/** The result of a run, with data, usage and `truncated`. */
const RESULT = {
  text: 'Good day',
  resource_ids: [],
  data: { order: '4711', text: 'never shown' },
  usage: { input_tokens: 12, output_tokens: 3, cost: { amount: '0.0123', currency: 'EUR' }, model: 'small-1' },
  truncated: true,
}

/** For each message of the view with activities: its ID and the activities. */
const activitiesOf = ({ messages }: JsonObject): unknown =>
  Array.isArray(messages)
    ? messages.filter(isObject).flatMap(({ message_id, activities }) => (activities ? [[message_id, activities]] : []))
    : messages

const expectReply = (view: JsonObject, text: string): void =>
  expectEqual('The messages', textsOf(view), [QUESTION, ['msg_reply', text]])

/** Follows the conversation from a snapshot at position 10. */
const follow = async (
  context: ClientContext,
  message: JsonObject | null,
  events: readonly JsonObject[],
): Promise<JsonObject> => {
  context.gateway.on('GET', CONVERSATION, snapshotAt(10, 'running', ...(message === null ? [] : [message])))
  context.gateway.on('GET', EVENTS, stream(frames(...events)))
  return followTo(context, Number(events.at(-1)?.seq))
}

const shown = (check: Omit<ClientCheck, 'needs' | 'rules'>): ClientCheck => ({
  ...check,
  rules: ['ACT-12'],
  needs: ['follow_conversation', 'activities'],
})

export const checks: readonly ClientCheck[] = [
  {
    id: 'activities/text-of-a-view',
    title: 'activities between the pieces of a text do not change the text, in the snapshot and in events',
    rules: ['ACT-11'],
    needs: ['follow_conversation'],
    run: async (context) => {
      const activities = [{ ...TOOL, text: 'never shown' }]
      const view = await follow(context, replyRecord(2, 'Well: ', { partial: true, activities }), EVENTS_OF_RUN)
      expectReply(view, 'Well: Good day')
      expectEqual('The runs', view.runs, [{ run_id: 'run_1', state: 'running' }])
    },
  },
  {
    id: 'activities/text-of-a-reply',
    title: 'a reply contains only text, even with activities, data and usage',
    rules: ['ACT-11'],
    needs: ['reply_text'],
    run: async (context) => {
      const end = eventEnvelope(17, 'run.completed', { state: 'succeeded', result: RESULT }, { message_id: 'msg_1' })
      expectEqual('The reply', await replyText(context, [...EVENTS_OF_RUN, end]), 'Good day')
    },
  },
  {
    id: 'activities/events-are-whole',
    title: 'a stream of events delivers activities unchanged and in order',
    rules: ['ACT-11'],
    needs: ['watch_run'],
    run: async ({ gateway, open }) => {
      gateway.on('GET', `${RUN}/events`, stream(frames(...EVENTS_OF_RUN, runCompleted(17))))
      gateway.on('GET', RUN, json(200, runRecord('running')))
      const watch = (await open()).start('watch_run', { run_id: 'run_1' })
      await watch.result
      const expected: unknown = JSON.parse(JSON.stringify([...EVENTS_OF_RUN, runCompleted(17)]))
      expectEqual(
        'The events',
        watch.items.map(({ event }) => event),
        expected,
      )
    },
  },
  {
    id: 'activities/result-is-whole',
    title: 'a run is returned with its data, its usage and `truncated`',
    rules: ['ACT-11'],
    needs: ['read_run'],
    run: async ({ gateway, open }) => {
      gateway.on('GET', RUN, json(200, runRecord('succeeded', { result: RESULT })))
      const run = await (await open()).call('read_run', { run_id: 'run_1' })
      expectEqual('The result', run.result, RESULT)
    },
  },
  shown({
    id: 'activities/changes-add-up',
    title:
      'a change replaces the members that it names, a delta appends to the text, and activities are ordered by their first change',
    run: async (context) => {
      const view = await follow(context, null, EVENTS_OF_RUN)
      expectEqual('The activities', activitiesOf(view), [['msg_reply', AFTER_ALL]])
      expectReply(view, 'Good day')
    },
  }),
  shown({
    id: 'activities/before-the-text',
    title: 'an activity before any text begins the message',
    run: async (context) => {
      const view = await follow(context, null, EVENTS_OF_RUN.slice(0, 1))
      expectEqual('The activities', activitiesOf(view), [['msg_reply', [TOOL]]])
    },
  }),
  shown({
    id: 'activities/from-a-snapshot',
    title: 'changes after a snapshot continue from its state',
    run: async (context) => {
      const activities = [TOOL, REASONING]
      const later = [
        assistantActivity(11, { activity_id: 'think', text_delta: 'That one.' }),
        assistantActivity(12, { activity_id: 'call_1', state: 'failed', text: 'No such order' }),
      ]
      const view = await follow(context, replyRecord(2, '', { partial: true, activities }), later)
      const expected = [
        { ...TOOL, state: 'failed', text: 'No such order' },
        { ...REASONING, text: 'Which order? That one.' },
      ]
      expectEqual('The activities', activitiesOf(view), [['msg_reply', expected]])
    },
  }),
  shown({
    id: 'activities/repeats',
    title: 'changes that a new connection repeats have no effect',
    run: async (context) => {
      const { gateway } = context
      gateway.on('GET', CONVERSATION, snapshotAt(10, 'running'))
      gateway.on('GET', EVENTS, stream(frames(...EVENTS_OF_RUN.slice(0, 3)), 'reset'), stream(frames(...EVENTS_OF_RUN)))
      const view = await followTo(context, 16)
      expectEqual('The activities', activitiesOf(view), [['msg_reply', AFTER_ALL]])
    },
  }),
  shown({
    id: 'activities/by-message',
    title: 'two messages with activities of the same ID do not mix',
    run: async (context) => {
      const other = { ...assistantActivity(12, { ...TOOL, name: 'find_customer' }), message_id: 'msg_other' }
      const view = await follow(context, null, [
        assistantActivity(11, TOOL),
        other,
        assistantActivity(13, { activity_id: 'call_1', state: 'succeeded' }),
      ])
      expectEqual('The activities', activitiesOf(view), [
        ['msg_reply', [{ ...TOOL, state: 'succeeded' }]],
        ['msg_other', [{ ...TOOL, name: 'find_customer' }]],
      ])
    },
  }),
  shown({
    id: 'activities/complete-message',
    title: 'a complete message replaces streamed activities',
    run: async (context) => {
      const message = replyRecord(17, 'Good day', { activities: AFTER_ALL.slice(0, 1), data: { order: '4711' } })
      const view = await follow(context, null, [...EVENTS_OF_RUN, eventEnvelope(17, 'assistant.message', { message })])
      expectEqual('The activities', activitiesOf(view), [['msg_reply', AFTER_ALL.slice(0, 1)]])
      expectReply(view, 'Good day')
    },
  }),
  shown({
    id: 'activities/without-a-beginning',
    title: 'a change of an activity whose first change is unknown is not shown',
    run: async (context) => {
      const view = await follow(context, replyRecord(2, 'Good day', { partial: true }), [
        assistantActivity(11, { activity_id: 'call_1', state: 'succeeded', output: 1 }),
      ])
      expectEqual('The activities', activitiesOf(view), [])
      expectReply(view, 'Good day')
    },
  }),
]
