import type { UIMessage } from 'ai'
import type { GatewayClient } from '../client/create-client.ts'
import type { MutationOptions } from '../client/options.ts'
import type { AskedReply } from '../client/reply/ask.ts'
import type { Reply } from '../client/reply/reply.ts'
import { isFinished } from '../events/event-guards.ts'
import type { Snapshot } from '../generated/gateway.ts'
import { toHex } from '../signature/sign.ts'

/** The part of a client that chats need: that of the subject whose chats they are. */
export type ChatClient = Pick<GatewayClient, 'ask' | 'follow'> & {
  readonly conversations: Pick<GatewayClient['conversations'], 'get'>
  readonly runs: Pick<GatewayClient['runs'], 'cancel' | 'get'>
}

/** What `useChat` posts. The ID of the chat is that of a conversation. */
export interface ChatRequest {
  readonly id: string
  readonly messages: readonly UIMessage[]
  readonly trigger?: 'submit-message' | 'regenerate-message' | undefined
  /** The message to be made anew, or the user's message that was edited. */
  readonly messageId?: string | undefined
  /**
   * The page's own ID of this press of a button. `useChat` posts none; a page adds one with
   * `new DefaultChatTransport({ body: () => ({ intention: crypto.randomUUID() }) })`, which is called once a press.
   */
  readonly intention?: string | undefined
}

/**
 * Sends the newest message of the user to the chat's conversation. Each intention is one run: a request that is repeated, by
 * an effect that runs twice or a network that tries again, is admitted once, and every repeat gets the same reply.
 *
 * The idempotency key comes from what tells intentions apart:
 * - A page that posts an `intention` of its own decides: one ID is one run.
 * - A new message is told by its ID and text, for as long as the gateway remembers keys.
 * - `regenerate({ messageId })` of an answer is told by that answer.
 * - `regenerate()` and an edited message (`sendMessage({ text, messageId })`) name nothing that changes with each press. They
 *   are told by the newest run that has ended or is being stopped: a press while the last one's run is under way, and one in
 *   another tab at that moment, get its reply; a later one is a new run. So is a repeat by the network that comes after the run
 *   has ended: a page to which that matters posts an `intention`.
 *
 * Resuming sends nothing. `stop()` alone does not end the run: with {@link stopChat}, what is sent next is a new run.
 * @throws {TypeError} what was posted is not what `useChat` posts, or the newest message has parts that are no text: answer
 * with 400. Upload files first, and send their IDs with `client.ask`.
 * @throws {ApiError} the conversation is not there, or not this subject's (404).
 */
export async function sendChatMessage(
  client: ChatClient,
  request: ChatRequest,
  options: Omit<MutationOptions, 'idempotencyKey'> = {},
): Promise<AskedReply> {
  const { id: chatId } = request
  const message = newestOfUser(request)
  const text = textOf(message)
  const { generation, runs } = await client.conversations.get(chatId, { signal: options.signal })
  const idempotencyKey = await keyOf([chatId, ...intentionOf(request, message.id, text, runs)])
  return client.ask({ conversation_id: chatId, generation }, text, { ...options, idempotencyKey })
}

/** What tells this intention from every other one in the chat. */
const intentionOf = (
  { messages, trigger, messageId, intention }: ChatRequest,
  sentId: string,
  text: string,
  runs: Snapshot['runs'],
): readonly string[] => {
  if (intention !== undefined) return [intention]
  const isAnew = trigger === 'regenerate-message'
  const replacedId = isAnew ? (messageId ?? messages.at(-1)?.id) : messageId
  if (replacedId === undefined) return [sentId, text]
  if (isAnew && replacedId !== sentId) return [sentId, text, replacedId]
  const last = runs.findLast(({ state }) => isFinished(state) || state === 'cancelling')
  return [sentId, text, 'after', last?.run_id ?? '']
}

/** A page that has just read the history may hold half of an answer that has ended since. */
const JUST_ENDED_MS = 60_000

export interface ResumeOptions {
  /** The time in milliseconds since the epoch, for tests. */
  readonly now?: (() => number) | undefined
}

/**
 * The newest reply of the chat, from its beginning, as `useChat({ resume: true })` wants it: one that is under way, or that
 * ended within the last minute, since the page may have been loaded before. Null when there is nothing to resume.
 */
export async function resumeChat(
  client: ChatClient,
  chatId: string,
  { now = Date.now }: ResumeOptions = {},
): Promise<Reply | null> {
  const { runs } = await client.conversations.get(chatId)
  const run = runs.at(-1)
  if (!run) return null
  if (isFinished(run.state)) {
    const { updated_at } = await client.runs.get(run.run_id)
    if (now() - Date.parse(updated_at) > JUST_ENDED_MS) return null
  }
  return client.follow(run.run_id)
}

/**
 * Cancels what is under way in the chat. `stop()` of `useChat` only ends reading: a page that shall stop the work asks its
 * backend for this. A run that ends meanwhile keeps its end.
 */
export async function stopChat(client: ChatClient, chatId: string): Promise<void> {
  const { runs } = await client.conversations.get(chatId)
  const unfinished = runs.filter(({ state }) => !isFinished(state))
  await Promise.all(unfinished.map(({ run_id }) => client.runs.cancel(run_id)))
}

/** A page may post anything: what is read of it is checked here. */
const newestOfUser = ({ id, messages, messageId, intention }: ChatRequest): UIMessage => {
  if (typeof id !== 'string') throw new TypeError('id must be the chat’s ID: is this what useChat posted?')
  if (!Array.isArray(messages)) throw new TypeError('messages must be a list: is this what useChat posted?')
  const message: UIMessage | undefined = messages.findLast((each) => each?.role === 'user')
  if (!message) throw new TypeError('messages has none of the user: is this what useChat posted?')
  if (typeof message.id !== 'string' || message.id === '') throw new TypeError('The message has no id.')
  if (messageId !== undefined && typeof messageId !== 'string') throw new TypeError('messageId must be a text.')
  if (intention !== undefined && (typeof intention !== 'string' || intention === ''))
    throw new TypeError('intention must be a text that is not empty, and a new one for each press.')
  if (!Array.isArray(message.parts)) throw new TypeError('The message has no parts.')
  return message
}

const textOf = ({ parts }: UIMessage): string => {
  const text = parts
    .map((part) => {
      if (part?.type !== 'text') throw new TypeError(`A part of the message is ${part?.type}; only text is sent.`)
      if (typeof part.text !== 'string') throw new TypeError('The text of a part is no text.')
      return part.text
    })
    .join('')
  if (text === '') throw new TypeError('The message has no text.')
  return text
}

/** One key for the intention, in the characters and the length that keys have. */
const keyOf = async (names: readonly string[]): Promise<string> =>
  `chat_${toHex(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(JSON.stringify(names))))}`
