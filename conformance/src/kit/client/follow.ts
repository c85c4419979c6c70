import { type Answer, json } from './answers.ts'
import type { ClientContext } from './client-context.ts'
import type { JsonObject } from './commands.ts'
import { frame, MESSAGES, messageRecord, snapshotRecord } from './records.ts'

/** The record of the assistant's message, with further content besides its text. */
export const replyRecord = (cursor: number, text: string, content: JsonObject = {}): JsonObject =>
  messageRecord(cursor, text, { message_id: 'msg_reply', role: 'assistant', content: { text, ...content } })

/** A snapshot with one question, one run and these messages. */
export const snapshotAt = (watermark: number, state: string, ...messages: readonly JsonObject[]): Answer =>
  json(
    200,
    snapshotRecord({
      watermark,
      messages: [messageRecord(1, 'Hello', { message_id: 'msg_1' }), ...messages],
      runs: [{ run_id: 'run_1', generation: 1, state, device_received: true, result: null, result_available: false }],
    }),
  )

export const frames = (...events: readonly JsonObject[]): string[] => events.map((event) => frame(event))

/** Follows the conversation until its view reaches this position, and returns that view. */
export const followTo = async ({ gateway, open }: ClientContext, position: number): Promise<JsonObject> => {
  gateway.on('GET', MESSAGES, json(200, { messages: [] }))
  const follow = (await open()).start('follow_conversation', { conversation_id: 'conv_1' })
  const view = await follow.until(`The view must reach position ${position}`, (items) =>
    items.find((item) => item.position === position),
  )
  await follow.stop()
  return view
}

/** The messages of a view as pairs of ID and text. */
export const textsOf = ({ messages }: JsonObject): unknown =>
  Array.isArray(messages) ? messages.map(({ message_id, text }) => [message_id, text]) : messages

export const QUESTION = ['msg_1', 'Hello']
