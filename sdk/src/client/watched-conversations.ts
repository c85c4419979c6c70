import type { paths } from '../generated/gateway.ts'
import { Conversations, Messages } from '../generated/namespaces.ts'
import { watch } from '../view/watch.ts'
import type { WatchItem, WatchOptions } from '../view/watch-item.ts'
import type { Calls } from './calls.ts'
import { checkNames } from './option-names.ts'

const WATCH_OPTIONS: Readonly<Record<keyof WatchOptions, 1>> = { signal: 1 }

/** Conversations, and the merged view of one. */
export class WatchedConversations extends Conversations {
  readonly #calls: Calls<paths>
  readonly #messages: Messages

  constructor(calls: Calls<paths>) {
    super(calls)
    this.#calls = calls
    this.#messages = new Messages(calls)
  }

  /**
   * The conversation as it is now and as it becomes: first the snapshot, then a new immutable state for every event.
   * Messages are built by their ID, never doubled; where events were missed, the snapshot is read once more and the item
   * says so. While no stream is free, the snapshot is read every two seconds. Ends only when the caller leaves the loop or aborts; that cancels nothing at the gateway.
   * @throws {ApiError} 400, 401, 403 or 404.
   * @throws {StreamInterruptedError} reconnecting failed for longer than `streamPatienceMs`.
   */
  watch(conversationId: string, options: WatchOptions = {}): AsyncIterable<WatchItem> {
    checkNames(options, WATCH_OPTIONS)
    const port = {
      readSnapshot: (signal: AbortSignal) => this.get(conversationId, { signal }),
      readMessages: async (query: { limit: number; before?: number }, signal: AbortSignal) =>
        (await this.#messages.list(conversationId, query, { signal })).messages,
      events: (after: number, signal: AbortSignal, waitForStream: boolean) =>
        this.events(conversationId, { after, signal, waitForStream }),
      tell: this.#calls.settings.tell,
      timing: this.#calls.settings.timing,
    }
    return watch(port, options)
  }
}
