import type { Admission, Conversation, Message, MessageInput, Snapshot } from '#openapi/generated/gateway'
import type { ServerContext } from '../server/context.ts'
import { expectStatus } from '../server/expectations.ts'

export const readSnapshot = async (t: ServerContext, conversationId: string): Promise<Snapshot> =>
  expectStatus(await t.me.snapshot(conversationId), 200).body

/** The newest messages of the history, by default 100, oldest first. */
export const readHistory = async (t: ServerContext, conversationId: string, query = 'limit=100'): Promise<Message[]> =>
  expectStatus(await t.me.history(conversationId, query), 200).body.messages

/** The submitted messages among the newest 100 messages of the history. */
export const inputsIn = async (t: ServerContext, conversationId: string): Promise<Message[]> =>
  (await readHistory(t, conversationId)).filter(({ role }) => role === 'user')

/** Number of messages to send before waiting, well below the limit of 20 queued runs. */
const BATCH = 15

/** Sends `count` messages, and waits until all runs have ended. */
export async function runMany(
  t: ServerContext,
  conversation: Conversation,
  count: number,
  inputOf: (at: number) => MessageInput,
): Promise<readonly Admission[]> {
  const admissions: Admission[] = []
  for (let at = 0; at < count; at += 1) {
    const admission = await t.admit(conversation, inputOf(at))
    admissions.push(admission)
    if (admissions.length % BATCH === 0 || admissions.length === count) await t.runEnded(admission.run_id)
  }
  return admissions
}

/** Maximum number of messages of one run, so that no run takes long. */
const MESSAGES_PER_RUN = 20

/** The text of the assistant's message number `at`, from 1, in a conversation of `fillWithMessages`. */
export const labelOf = (at: number): string => `message-${String(at).padStart(4, '0')}.`

/**
 * Adds `count` messages to a conversation, in several runs. Each run starts with the user's message. The text of each
 * assistant's message is the label of its number.
 * @param from Number of the first message.
 */
export async function fillWithMessages(t: ServerContext, conversation: Conversation, from: number, count: number) {
  for (let done = 0; done < count; done += MESSAGES_PER_RUN) {
    const said = Math.min(MESSAGES_PER_RUN, count - done) - 1
    const steps = Array.from({ length: said }, (_, at) => ({ message: labelOf(from + done + 1 + at) }))
    await t.runEnded((await t.admit(conversation, t.script(...steps))).run_id)
  }
}
