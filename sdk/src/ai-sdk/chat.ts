import type { UIMessage } from 'ai'
import type { GatewayClient } from '../client/create-client.ts'
import type { MutationOptions } from '../client/options.ts'
import type { AskedReply } from '../client/reply/ask.ts'
import type { Reply } from '../client/reply/reply.ts'
import { isFinished } from '../events/event-guards.ts'
import type { Snapshot } from '../generated/gateway.ts'
import { sha256Hex } from '../signature/sign.ts'

/** The part of a client that chats need. The client acts for the subject that owns the chats. */
export type ChatClient = Pick<GatewayClient, 'ask' | 'follow'> & {
  readonly conversations: Pick<GatewayClient['conversations'], 'get'>
  readonly runs: Pick<GatewayClient['runs'], 'cancel' | 'get'>
}

/** What `useChat` posts. The chat's ID is the conversation's ID. */
export interface ChatRequest {
  readonly id: string
  readonly messages: readonly UIMessage[]
  readonly trigger?: 'submit-message' | 'regenerate-message' | undefined
  /** The message to regenerate, or the user's edited message. */
  readonly messageId?: string | undefined
  /**
   * The page's own ID for this press of a button. `useChat` posts none. A page adds one with `new
   * DefaultChatTransport({ body: () => ({ intention: crypto.randomUUID() }) })`; `body` is called once for each press.
   */
  readonly intention?: string | undefined
}

/**
 * Sends the newest message of the user to the chat's conversation. Each intention is one run. If an effect that runs
 * twice or the network repeats a request, the request is admitted once, and every repeat gets the same reply.
 *
 * The idempotency key is derived as follows:
 * - If the page posts an `intention`, each value of it is one run.
 * - A new message is identified by its ID and text, for as long as the gateway remembers keys.
 * - `regenerate({ messageId })` of an answer is identified by that answer.
 * - `regenerate()` and an edited message (`sendMessage({ text, messageId })`) contain nothing that changes with each
 *   press. They are identified by the newest run that has ended or is being stopped. A press while the run of the
 *   previous press is in progress, in this or another tab, gets the same reply; a later press is a new run. A network
 *   repeat after the run has ended is also a new run; post an `intention` to prevent this.
 *
 * Resuming sends nothing. `stop()` alone does not end the run. After {@link stopChat}, the next request is a new run.
 * @throws {TypeError} the body is not one that `useChat` posts, or the newest message has parts other than text: answer
 * with 400. Upload files first, and send their IDs with `client.ask`.
 * @throws {ApiError} the conversation does not exist or belongs to another subject (404).
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

/** Identifies this intention within the chat. */
const intentionOf = (
  { messages, trigger, messageId, intention }: ChatRequest,
  sentId: string,
  text: string,
  runs: Snapshot['runs'],
): readonly string[] => {
  if (intention !== undefined) return [intention]
  const isRegeneration = trigger === 'regenerate-message'
  const replacedId = isRegeneration ? (messageId ?? messages.at(-1)?.id) : messageId
  if (replacedId === undefined) return [sentId, text]
  if (isRegeneration && replacedId !== sentId) return [sentId, text, replacedId]
  const last = runs.findLast(({ state }) => isFinished(state) || state === 'cancelling')
  return [sentId, text, 'after', last?.run_id ?? '']
}

/** A page may have read the history while an answer was incomplete, and resume after that answer has ended. */
const JUST_ENDED_MS = 60_000

export interface ResumeOptions {
  /** The time in milliseconds since the epoch, for tests. */
  readonly now?: (() => number) | undefined
}

/**
 * The newest reply of the chat, from its beginning, as `useChat({ resume: true })` expects it. Null unless the reply is
 * in progress or ended within the last minute: the page may have been loaded before the reply ended.
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
 * Cancels the unfinished runs of the chat. `stop()` of `useChat` only stops reading; call this in your backend to stop
 * the work. A run that ends meanwhile keeps its state.
 */
export async function stopChat(client: ChatClient, chatId: string): Promise<void> {
  const { runs } = await client.conversations.get(chatId)
  const unfinished = runs.filter(({ state }) => !isFinished(state))
  await Promise.all(unfinished.map(({ run_id }) => client.runs.cancel(run_id)))
}

/** A page may post anything, so every member that is used is checked here. */
const newestOfUser = ({ id, messages, messageId, intention }: ChatRequest): UIMessage => {
  if (typeof id !== 'string') throw new TypeError('id must be the chat’s ID: is this what useChat posted?')
  if (!Array.isArray(messages)) throw new TypeError('messages must be a list: is this what useChat posted?')
  const message: UIMessage | undefined = messages.findLast((each) => each?.role === 'user')
  if (!message) throw new TypeError('messages has no message of the user: is this what useChat posted?')
  if (typeof message.id !== 'string' || message.id === '') throw new TypeError('The message has no id.')
  if (messageId !== undefined && typeof messageId !== 'string') throw new TypeError('messageId must be a string.')
  if (intention !== undefined && (typeof intention !== 'string' || intention === ''))
    throw new TypeError('intention must be a string that is not empty, and a different one for each press.')
  if (!Array.isArray(message.parts)) throw new TypeError('The message has no parts.')
  return message
}

const textOf = ({ parts }: UIMessage): string => {
  const text = parts
    .map((part) => {
      if (part?.type !== 'text') throw new TypeError(`A part of the message is ${part?.type}; only text is sent.`)
      if (typeof part.text !== 'string') throw new TypeError('The text of a part must be a string.')
      return part.text
    })
    .join('')
  if (text === '') throw new TypeError('The message has no text.')
  return text
}

/** The idempotency key for the intention, within the characters and length that keys allow. */
const keyOf = async (names: readonly string[]): Promise<string> =>
  `chat_${await sha256Hex(new TextEncoder().encode(JSON.stringify(names)))}`
