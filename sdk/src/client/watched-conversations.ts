import { isApiError } from '../errors.ts'
import type { Conversation, CreateConversation } from '../generated/gateway.ts'
import { Conversations, Messages } from '../generated/namespaces.ts'
import type { Calls } from './calls.ts'
import { type CallOptions, checkNames } from './options.ts'
import { type WatchItem, type WatchOptions, watch } from './watch.ts'

const WATCH_OPTIONS: Readonly<Record<keyof WatchOptions, 1>> = { signal: 1 }

/** A conversation by the application's own key. */
export type KeyedConversation = CreateConversation & Required<Pick<CreateConversation, 'conversation_key'>>

/** Conversations, and the merged view of one. */
export class WatchedConversations extends Conversations {
  readonly #calls: Calls
  readonly #messages: Messages

  constructor(calls: Calls) {
    super(calls)
    this.#calls = calls
    this.#messages = new Messages(calls)
  }

  /**
   * The service's conversation of this key; created if needed. Concurrent calls get the same one.
   * @throws {ApiError} as `list` and `create` do. `BUSY` only if the conversation that has the key is not found.
   */
  async getOrCreate(body: KeyedConversation, options: CallOptions = {}): Promise<Conversation> {
    const found = await this.#findByKey(body, options)
    if (found !== undefined) return found
    try {
      return await this.create(body, options)
    } catch (error) {
      // Another call has created it in the meantime.
      const other = isApiError(error, 'BUSY') ? await this.#findByKey(body, options) : undefined
      if (other === undefined) throw error
      return other
    }
  }

  /** A gateway that does not know the parameter lists all conversations, so filter them. */
  async #findByKey(body: KeyedConversation, options: CallOptions): Promise<Conversation | undefined> {
    const { endpoint_id, conversation_key } = body
    for await (const each of this.list({ endpoint_id, conversation_key }, options))
      if (each.endpoint_id === endpoint_id && each.business_key === conversation_key) return each
    return undefined
  }

  /**
   * The conversation and its changes: first the snapshot, then a new immutable state for every event. Messages are
   * merged by ID, so none appears twice. After missed events, the snapshot is reloaded and an item of kind `gap` says
   * so. While no stream is free, the snapshot is read every two seconds. Ends only when the caller leaves the loop or
   * aborts; that cancels nothing at the gateway.
   * @throws {ApiError} 400, 401, 403 or 404.
   * @throws {StreamInterruptedError} reconnecting did not succeed within `streamPatienceMs`.
   */
  watch(conversationId: string, options: WatchOptions = {}): AsyncIterable<WatchItem> {
    checkNames(options, WATCH_OPTIONS)
    const port = {
      readSnapshot: (signal: AbortSignal) => this.get(conversationId, { signal }),
      readMessages: async (query: { limit: number; before?: number }, signal: AbortSignal) =>
        (await this.#messages.list(conversationId, query, { signal })).messages,
      events: (after: number, signal: AbortSignal, waitForStream: boolean) =>
        this.events(conversationId, { after, signal, waitForStream }),
      report: this.#calls.settings.report,
      timing: this.#calls.settings.timing,
    }
    return watch(port, options)
  }
}
