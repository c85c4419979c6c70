import { stream } from '../../kit/client/answers.ts'
import type { ClientCheck } from '../../kit/client/client-context.ts'
import { expectEqual } from '../../kit/client/expect.ts'
import { frames } from '../../kit/client/follow.ts'
import { expectStreamsClosed, replyText } from '../../kit/client/observing.ts'
import { assistantDelta, assistantMessage, eventEnvelope, RUN, runCompleted } from '../../kit/client/records.ts'

export const checks: readonly ClientCheck[] = [
  {
    id: 'replies/end-with-the-run',
    title: 'a reply ends with its run although the gateway keeps the stream open',
    rules: ['SSE-10'],
    needs: ['reply_text'],
    run: async (context) => {
      expectEqual('The reply', await replyText(context, [assistantDelta(11, 0, 'Hi'), runCompleted(12)]), 'Hi')
      await expectStreamsClosed(context, `${RUN}/events`)
    },
  },
  {
    id: 'replies/unknown-types',
    title: 'events of unknown types add no text to a reply',
    rules: ['EVT-27'],
    needs: ['reply_text'],
    run: async (context) => {
      const text = await replyText(context, [
        assistantDelta(11, 0, 'Good '),
        eventEnvelope(12, 'assistant.thought', { text: 'never shown', index: 1 }),
        assistantDelta(13, 1, 'day'),
        eventEnvelope(14, 'assistant.delta.v2', { text: 'never shown' }),
        runCompleted(15),
      ])
      expectEqual('The reply', text, 'Good day')
    },
  },
  {
    id: 'replies/deltas-or-message',
    title: 'a reply sent as deltas and then as a whole message is returned once',
    rules: ['EVT-13'],
    needs: ['reply_text'],
    run: async (context) => {
      const events = [
        assistantDelta(11, 0, 'Good '),
        assistantDelta(12, 1, 'day'),
        assistantMessage(13, 'Good day'),
        runCompleted(14),
      ]
      expectEqual('The reply', await replyText(context, events), 'Good day')
    },
  },
  {
    id: 'replies/whole-message',
    title: 'a reply that is sent only as a whole message is returned',
    rules: ['EVT-13'],
    needs: ['reply_text'],
    run: async (context) =>
      expectEqual(
        'The reply',
        await replyText(context, [assistantMessage(11, 'Good day'), runCompleted(12)]),
        'Good day',
      ),
  },
  {
    id: 'replies/deltas-across-connections',
    title: 'deltas that a new connection repeats are not added to the reply again',
    rules: ['EVT-13'],
    needs: ['reply_text'],
    run: async (context) => {
      const [one, two] = [assistantDelta(11, 0, 'Good '), assistantDelta(12, 1, 'day')]
      const text = await replyText(
        context,
        [],
        stream(frames(one, two), 'reset'),
        stream(frames(one, two, assistantMessage(13, 'Good day'), runCompleted(14))),
      )
      expectEqual('The reply', text, 'Good day')
    },
  },
  {
    id: 'replies/two-messages',
    title: 'of two messages, one streamed and one whole, each is returned once',
    rules: ['EVT-12', 'EVT-13'],
    needs: ['reply_text'],
    run: async (context) => {
      const other = { message_id: 'msg_other' }
      const text = await replyText(context, [
        assistantDelta(11, 0, 'One. '),
        assistantMessage(12, 'Two. ', other),
        assistantMessage(13, 'One. '),
        runCompleted(14),
      ])
      expectEqual('The reply', text, 'One. Two. ')
    },
  },
]
