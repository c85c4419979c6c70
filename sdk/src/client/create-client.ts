import type { MessageInput, paths } from '../generated/gateway.ts'
import { createNamespaces, type Namespaces, type ReplayedAnswers } from '../generated/namespaces.ts'
import type { IdempotentOperationId } from '../generated/operations.ts'
import { checkSubject } from '../transport/headers.ts'
import { createOpenFetch } from '../transport/open-fetch.ts'
import type { ReplayHandle } from '../transport/replay-handle.ts'
import { type AskTarget, ask, type Reply } from './ask.ts'
import { Calls, type Mutation } from './calls.ts'
import { FollowedOperations } from './followed-operations.ts'
import { type CallOptions, type ClientOptions, type MutationOptions, resolveOptions } from './options.ts'
import type { Outcome } from './pending-call.ts'
import { WatchedConversations } from './watched-conversations.ts'

/** What `recover()` made of one recorded intention. */
export interface Recovery<Id extends IdempotentOperationId = IdempotentOperationId> {
  readonly handle: ReplayHandle<Id>
  readonly outcome: Outcome<ReplayedAnswers[Id], ReplayHandle<Id>>
}

/** A client of one gateway, application and subject. Holds no connection and needs no closing. */
export interface GatewayClient extends Namespaces {
  readonly conversations: WatchedConversations
  readonly operations: FollowedOperations
  /** The same client for another subject; costs next to nothing. */
  forSubject(subject: string): GatewayClient
  /** Sends a message and follows its run: `for await (const text of client.ask(conversation, 'Hello'))`. */
  ask(target: AskTarget, input: string | MessageInput, options?: MutationOptions): Reply
  /**
   * Finishes an intention whose outcome was not known, in this process or another: the gateway answers what it answered
   * at first, or admits it now. Acts for the handle's subject.
   * @throws {TypeError} the handle is for another gateway.
   * @throws {UnknownOutcomeError} also when the handle is older than the gateway's memory of keys (D-12): nothing is sent
   * then, and `cause` is a `NotSentError`.
   */
  replay<Id extends IdempotentOperationId>(
    handle: ReplayHandle<Id>,
    options?: CallOptions,
  ): Mutation<ReplayedAnswers[Id], ReplayHandle<Id>>
  /**
   * Replays what the outbox holds for this gateway, oldest first, one after the other: call it when a process starts.
   * Settled ones are cleared. One whose outcome stays unknown is kept for the next time; so is one that is too old to be
   * replayed, until the caller has looked into it and deletes it from the outbox.
   */
  recover(options?: CallOptions): Promise<Recovery[]>
}

/**
 * A client. Throws a `TypeError` that names the option when one is missing or wrong.
 * @example
 * const client = createClient({ baseUrl: 'https://gateway.example.com', apiKey, subject: 'customer-4711' })
 */
export function createClient(options: ClientOptions = {}): GatewayClient {
  const settings = resolveOptions(options)
  const subject = options.subject === undefined ? undefined : checkSubject(options.subject)
  return clientOf(new Calls<paths>(settings, createOpenFetch<paths>(settings.origin), subject))
}

function clientOf(calls: Calls<paths>): GatewayClient {
  const namespaces = {
    ...createNamespaces(calls),
    conversations: new WatchedConversations(calls),
    operations: new FollowedOperations(calls),
  }
  const { origin, outbox } = calls.settings
  const replay: GatewayClient['replay'] = (handle, options) => calls.replay(handle, options)
  return {
    ...namespaces,
    forSubject: (subject) => clientOf(calls.forSubject(subject)),
    ask: (target, input, options) => ask(namespaces, target, input, options),
    replay,
    async recover(options) {
      if (outbox === null) throw new TypeError('recover() needs the option outbox.')
      const recoveries: Recovery[] = []
      for (const handle of await outbox.list())
        if (handle.origin === origin) recoveries.push({ handle, outcome: await replay(handle, options).outcome() })
      return recoveries
    },
  }
}
