import type { Admission, Conversation, Message, MessageInput, Snapshot } from '#openapi/generated/gateway'
import type { ServerContext } from '../server/context.ts'
import { expectStatus } from '../server/expectations.ts'

export const readSnapshot = async (t: ServerContext, conversationId: string): Promise<Snapshot> =>
  expectStatus(await t.me.snapshot(conversationId), 200).body

/** The newest messages of the history, at most 100, oldest first. */
export const readHistory = async (t: ServerContext, conversationId: string, query = 'limit=100'): Promise<Message[]> =>
  expectStatus(await t.me.history(conversationId, query), 200).body.messages

/** Well below the 20 runs that may be queued. */
const WAVE = 15

/** Sends so many messages one after the other and waits until all runs have ended. */
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
    if (admissions.length % WAVE === 0 || admissions.length === count) await t.runEnded(admission.run_id)
  }
  return admissions
}

/** Messages of one run at most, so that none takes long. */
const MESSAGES_OF_A_RUN = 20

/** What the assistant says as message number `at` of a conversation that `fillWithMessages` fills, from 1. */
export const labelOf = (at: number): string => `message-${String(at).padStart(4, '0')}.`

/**
 * Lets a conversation have so many messages more, each labelled by its number, in runs that start with the user's.
 * @param from number of the first one.
 */
export async function fillWithMessages(t: ServerContext, conversation: Conversation, from: number, count: number) {
  for (let done = 0; done < count; done += MESSAGES_OF_A_RUN) {
    const said = Math.min(MESSAGES_OF_A_RUN, count - done) - 1
    const steps = Array.from({ length: said }, (_, at) => ({ message: labelOf(from + done + 1 + at) }))
    await t.runEnded((await t.admit(conversation, t.script(...steps))).run_id)
  }
}
