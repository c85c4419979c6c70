import { leavable } from '../events/leavable.ts'
import type { MessageInput } from '../generated/gateway.ts'
import { createNamespaces, type Namespaces, type ReplayedAnswers } from '../generated/namespaces.ts'
import type { IdempotentOperationId } from '../generated/operations.ts'
import type { ReplayHandle } from '../replay-handle.ts'
import { checkSubject } from '../transport/headers.ts'
import { Calls, type Mutation } from './calls.ts'
import { type CallOptions, type ClientOptions, type MutationOptions, resolveOptions } from './options.ts'
import { type Recovery, recover } from './recover.ts'
import {
  type AskedReply,
  type AskPort,
  type AskTarget,
  ask,
  askForData,
  type DataReply,
  type FollowOptions,
  follow,
  type OutputOptions,
} from './reply/ask.ts'
import type { Reply } from './reply/reply.ts'
import { UploadedResources } from './uploaded-resources.ts'
import { WatchedConversations } from './watched-conversations.ts'

/** A client of one gateway, application and subject. Holds no connection and needs no closing. */
export interface GatewayClient extends Namespaces {
  readonly conversations: WatchedConversations
  readonly resources: UploadedResources
  /** The same client for another subject. Cheap. */
  forSubject(subject: string): GatewayClient
  /** Sends a message and follows its run: `for await (const text of client.ask(conversation, 'Hello'))`. */
  ask(target: AskTarget, input: string | MessageInput, options?: MutationOptions): AskedReply
  /** The same for an answer that is data: `await client.ask(conversation, 'How many?', { output: schema }).data()`. */
  ask<Output>(target: AskTarget, input: string | MessageInput, options: OutputOptions<Output>): DataReply<Output>
  /**
   * Follows a run that was sent here or elsewhere, from its beginning or after a position. Serve a browser that
   * reconnects with `client.follow(runId, { after: request.headers.get('last-event-id') }).toResponse()`.
   */
  follow(runId: string, options?: FollowOptions): Reply
  /**
   * Settles a write whose outcome was unknown, in this process or another: the gateway repeats its first answer, or
   * admits the write now. Acts for the handle's subject.
   * @throws {TypeError} the handle is for another gateway.
   * @throws {UnknownOutcomeError} also if the handle is older than the gateway's retention of keys (D-12): then nothing
   * is sent, and `cause` is a `NotSentError`.
   */
  replay<Id extends IdempotentOperationId>(
    handle: ReplayHandle<Id>,
    options?: CallOptions,
  ): Mutation<ReplayedAnswers[Id], ReplayHandle<Id>>
  /**
   * Replays the intentions that earlier processes left in the outbox, at most eight at once, and yields each outcome as
   * soon as it is known. Call it when a process starts. A settled entry is deleted when you request the next one, so
   * if a process dies while it handles an outcome, the next recovery yields that outcome again. An entry whose outcome
   * stays unknown is kept for the next recovery. An entry that is too old to be replayed is kept until the program
   * deletes it from the outbox. Entries that a living process is sending are skipped; those of a process that died are
   * taken over within five seconds. A damaged entry is yielded with the kind `damaged` and set aside.
   *
   * While the gateway is unreachable, `timeoutMs` limits all replays together.
   * @throws {TypeError} the client has no outbox.
   */
  recover(options?: CallOptions): AsyncIterable<Recovery>
}

/**
 * A client. Throws a `TypeError` that names the option when one is missing or wrong.
 * @example
 * const client = createClient({ baseUrl: 'https://gateway.example.com', apiKey, subject: 'customer-4711' })
 */
export function createClient(options: ClientOptions = {}): GatewayClient {
  const settings = resolveOptions(options)
  const subject = options.subject === undefined ? undefined : checkSubject(options.subject)
  return clientOf(new Calls(settings, subject))
}

function clientOf(calls: Calls): GatewayClient {
  const namespaces = {
    ...createNamespaces(calls),
    conversations: new WatchedConversations(calls),
    resources: new UploadedResources(calls),
  }
  const { outbox, timing, report } = calls.settings
  const port = { ...namespaces, timing, report }
  return {
    ...namespaces,
    forSubject: (subject) => clientOf(calls.forSubject(subject)),
    ask: createAsk(port),
    follow: (runId, options) => follow(port, runId, options),
    replay: (handle, options) => calls.replay(handle, options),
    recover(options) {
      if (outbox === null) throw new TypeError('recover() needs the option outbox.')
      return leavable(options?.signal, (signal) => recover(calls, outbox, { ...options, signal }))
    },
  }
}

const createAsk = (port: AskPort): GatewayClient['ask'] => {
  function askEither(target: AskTarget, input: string | MessageInput, options?: MutationOptions): AskedReply
  function askEither<Output>(
    target: AskTarget,
    input: string | MessageInput,
    options: OutputOptions<Output>,
  ): DataReply<Output>
  function askEither(
    target: AskTarget,
    input: string | MessageInput,
    options: MutationOptions | OutputOptions<unknown> = {},
  ): AskedReply {
    return 'output' in options ? askForData(port, target, input, options) : ask(port, target, input, options)
  }
  return askEither
}
