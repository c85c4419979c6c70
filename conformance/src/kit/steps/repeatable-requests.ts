import type { ServerContext } from '../server/context.ts'
import { deliver, eventOf, integrationOf, subjectOf } from '../server/webhook-sender.ts'
import { declaration } from './attachments.ts'
import type { Effects, PreparedRequest, RepeatableRequest } from './effects.ts'
import { NO_EFFECTS } from './effects.ts'
import { admitHanging } from './runs.ts'

/** The effects of one admitted request after its run has ended. */
const MESSAGE: Effects = { ...NO_EFFECTS, inputs: 1, runs: 1, endedRuns: 1 }
const NEW_CONVERSATION: Effects = { ...NO_EFFECTS, conversations: 1 }
const DIRECT_RUN: Effects = { ...MESSAGE, conversations: 1 }
const RESET: Effects = { ...NO_EFFECTS, resets: 1 }
const CANCEL: Effects = { ...NO_EFFECTS, endedRuns: 1 }

/** An input whose run ends immediately, so that it has only its own effects. */
const input = (t: ServerContext, variant = 0) => t.script({ succeed: { text: `content ${variant}` } })

/** Creating, messaging, cancelling, resetting and direct runs, for `me`. */
export function keyedRequests(t: ServerContext): readonly RepeatableRequest[] {
  const { main } = t.config.services
  const make = (
    effects: Effects,
    path: string,
    json: (variant: number | undefined) => object,
    targets: PreparedRequest['targets'] = [],
  ): PreparedRequest => {
    const key = t.fresh()
    const send: PreparedRequest['send'] = ({ variant, ...options } = {}) =>
      t.me.post(path, json(variant), { key, ...options })
    return { caller: t.me, targets, effects, send }
  }
  return [
    {
      name: 'a conversation',
      varies: true,
      prepare: async () => {
        const named = (variant: number | undefined) =>
          variant === undefined ? {} : { conversation_key: t.fresh(`variant-${variant}`) }
        return make(NEW_CONVERSATION, '/conversations', (variant) => ({ endpoint_id: main, ...named(variant) }))
      },
    },
    {
      name: 'a conversation with a key',
      varies: false,
      prepare: async () => {
        const creation = { endpoint_id: main, conversation_key: t.fresh('order') }
        return make(NEW_CONVERSATION, '/conversations', () => creation)
      },
    },
    {
      name: 'a message',
      varies: true,
      prepare: async () => {
        const { conversation_id: id } = await t.conversation()
        const message = (variant: number | undefined) => ({ expected_generation: 1, input: input(t, variant) })
        return make(MESSAGE, `/conversations/${id}/messages`, message, [id])
      },
    },
    {
      name: 'a cancel',
      varies: false,
      prepare: async () => {
        const { conversation, admission } = await t.startIn('running', { hang: true })
        return make(CANCEL, `/runs/${admission.run_id}/cancel`, () => ({}), [conversation.conversation_id])
      },
    },
    {
      name: 'a reset',
      varies: false,
      prepare: async () => {
        const { conversation_id: id } = await t.conversation()
        return make(RESET, `/conversations/${id}/reset`, () => ({ expected_generation: 1 }), [id])
      },
    },
    {
      name: 'a direct run',
      varies: true,
      prepare: async () =>
        make(DIRECT_RUN, `/agent-endpoints/${main}/runs`, (variant) => ({ input: input(t, variant) })),
    },
    {
      name: 'a direct run with a conversation key',
      varies: true,
      prepare: async () => {
        const run = { conversation_key: t.fresh('order') }
        return make(DIRECT_RUN, `/agent-endpoints/${main}/runs`, (variant) => ({ ...run, input: input(t, variant) }))
      },
    },
  ]
}

/** Declares an attachment. A repeated execution is visible only by the IDs in the answers. */
export const declaringRequest = (t: ServerContext): RepeatableRequest => ({
  name: 'an attachment',
  varies: true,
  prepare: async () => {
    const key = t.fresh()
    return {
      caller: t.me,
      targets: [],
      effects: NO_EFFECTS,
      send: ({ variant = 0, ...options } = {}) =>
        t.me.createResource(declaration({ filename: `${variant}.txt` }), { key, ...options }),
    }
  },
})

/** Deliveries to the configured integrations, one for each action. */
export function webhookRequests(t: ServerContext): readonly RepeatableRequest[] {
  const make = (
    name: Parameters<typeof integrationOf>[1],
    effects: Effects,
    prepareEvent: () => Promise<{ readonly parts: Parameters<typeof eventOf>[0]; readonly targets: readonly string[] }>,
  ): RepeatableRequest => ({
    name: `the webhook ${name}`,
    varies: true,
    prepare: async () => {
      const integration = integrationOf(t, name)
      const id = t.fresh('event')
      const { parts, targets } = await prepareEvent()
      const send: PreparedRequest['send'] = ({ variant, ...options } = {}) =>
        deliver(t, integration, { ...eventOf(parts), variant }, { id, ...options })
      return { caller: subjectOf(t, integration), targets, effects, send }
    },
  })
  const ownerOf = (name: Parameters<typeof integrationOf>[1]) => subjectOf(t, integrationOf(t, name))
  const content = input(t)
  return [
    make('new', DIRECT_RUN, async () => ({ parts: content, targets: [] })),
    make('messageByKey', DIRECT_RUN, async () => ({ parts: { ...content, key: t.fresh('order') }, targets: [] })),
    make('messageById', MESSAGE, async () => {
      const { conversation_id: conversationId } = await t.conversation({}, ownerOf('messageById'))
      return { parts: { ...content, conversationId, generation: 1 }, targets: [conversationId] }
    }),
    make('resetCancel', RESET, async () => {
      const { conversation_id: conversationId } = await t.conversation({}, ownerOf('resetCancel'))
      return { parts: { conversationId, generation: 1 }, targets: [conversationId] }
    }),
    make('cancel', CANCEL, async () => {
      const owner = ownerOf('cancel')
      const conversation = await t.conversation({}, owner)
      const runId = await admitHanging(t, conversation, owner)
      return { parts: { runId }, targets: [conversation.conversation_id] }
    }),
  ]
}
