import type { Operation, paths } from '../generated/gateway.ts'
import { Conversations, Operations } from '../generated/namespaces.ts'
import type { Calls } from './calls.ts'
import type { WaitOptions } from './options.ts'

/** Operations have no stream of their own; what ends them shows on their conversation's. */
export class FollowedOperations extends Operations {
  readonly #calls: Calls<paths>
  readonly #conversations: Conversations

  constructor(calls: Calls<paths>) {
    super(calls)
    this.#calls = calls
    this.#conversations = new Conversations(calls)
  }

  /**
   * Reads until the state is `succeeded` or `failed`, and resolves with that record: `failed` is a result, not an
   * exception. Follows the conversation's events and polls where it may not (it takes the scope `conversations:read`).
   * @throws {TimeoutError} still incomplete after `options.timeoutMs`; waiting again later is safe. See D-20.
   */
  override wait(operationId: string, options?: WaitOptions): Promise<Operation> {
    return this.#calls.wait(options, {
      operationId: 'getOperation',
      poll: (call) => this.get(operationId, call),
      isDone: ({ state }) => state === 'succeeded' || state === 'failed',
      wake: (signal) => this.#events(operationId, signal),
    })
  }

  async *#events(operationId: string, signal: AbortSignal): AsyncGenerator<unknown, void, undefined> {
    const { ref } = await this.get(operationId, { signal })
    const { watermark } = await this.#conversations.get(ref.conversation_id, { signal })
    // What happened before the watermark will not come as an event.
    yield watermark
    yield* this.#conversations.events(ref.conversation_id, { after: watermark, signal })
  }
}
