import { messageJson } from '../../../openapi/src/behaviour/message-record.ts'
import { conversationRecord, runRecord } from '../../../openapi/src/behaviour/records.ts'
import type { Conversation, KnownEvent, Message, Run } from '../generated/gateway.ts'
import { answerRequest, type RecordedRequest } from './answer-request.ts'
import { createCallbackSender, type RecordedCallback, type TestCallbacks } from './callbacks.ts'
import { createFaultQueue, type FaultRule } from './faults.ts'
import { checkReply, echo, outcomeOf, type Reply, type RunEnding } from './replies.ts'
import { advance, decideApproval, endRun, expireOverdue, takeStep } from './runs.ts'
import { clearState, createState, endStreams, type FoundRun, findRun, type StoredConversation } from './state.ts'
import { createWebhookReceiver, type TestWebhook } from './webhooks.ts'

export interface TestGatewayOptions {
  /** Origin that the handlers answer for, like `https://gateway.test`. Default: every origin. */
  readonly baseUrl?: string
  /** The only accepted API key; others get 401. Default: any bearer token. */
  readonly apiKey?: string
  /** The published services; others get 404. Default: every ID is published. */
  readonly endpointIds?: readonly string[]
  /** The reply to runs for which none was scripted with `reply`. Default: the input, streamed back by word (D-44). */
  readonly defaultReply?: Reply
  /** The webhooks that it receives. Default: none. */
  readonly webhooks?: readonly TestWebhook[]
  /** Where it sends callbacks. Default: nowhere. */
  readonly callbacks?: TestCallbacks
  /** The clock of timestamps and start deadlines. Default: the real one. */
  readonly now?: () => Date
  /**
   * A prefix for identifiers, which makes them the same in every run of a test and after `reset`. Default: identifiers
   * are unique.
   */
  readonly idSeed?: string
}

/** A conversation at the moment of the call; later changes do not affect it. */
export interface TestConversation {
  readonly record: Conversation
  readonly messages: readonly Message[]
  readonly runs: readonly Run[]
  readonly events: readonly KnownEvent[]
}

/**
 * A small stateful gateway in memory, to test code that uses the gateway. It has all operations with an API key or a
 * signature, and gives the contract's answers. It has no timers and does no I/O. It has one application, and its only
 * limit on load is the queue of 20 runs; inject others as faults.
 */
export interface TestGateway {
  /** The origin that it answers for; `*` for every one. */
  readonly baseUrl: string
  /** For `createClient({ fetch: gateway.fetch })`, and for senders of webhooks. Reaches only this gateway. */
  readonly fetch: typeof globalThis.fetch
  /** Answers any request; `Response.error()` for a broken connection. `fetch` and the msw handlers are built on it. */
  answer(request: Request): Promise<Response>
  /** Every request to an operation so far, in order. */
  readonly requests: readonly RecordedRequest[]
  /** Every conversation of every subject, the oldest first. */
  readonly conversations: readonly TestConversation[]
  /** Scripts the next runs, one reply each, in the order of their admission. */
  reply(...replies: readonly Reply[]): void
  /** Pauses automatic execution: runs stay queued, and cancels and resets stay unconfirmed. */
  hold(): void
  /** Executes everything that was held, and from then on executes new work immediately. */
  release(): void
  /**
   * Takes the next step in the run's conversation while it is held: starts a run, takes one step of its reply, or
   * confirms a stop.
   * @returns the run afterwards. Throws if there is nothing to do, or a run waits for `decide` or `finish`.
   */
  step(runId: string): Run
  /**
   * Ends an unfinished run, even one that hangs or is being cancelled. By default it succeeds with the streamed text.
   * @returns the run afterwards. Throws if the run has ended, or is queued behind another run.
   */
  finish(runId: string, ending?: RunEnding): Run
  /**
   * Decides the approval that a run waits for. If denied, the run fails with APPROVAL_DENIED.
   * @returns the run afterwards. Throws if the run does not wait for an approval.
   */
  decide(runId: string, decision: 'approved' | 'denied'): Run
  /** Makes the next requests fail. */
  failNext(rule: FaultRule): void
  /** Sends `: ping` down the open streams. */
  ping(): void
  /** Ends the open streams cleanly, as a gateway that restarts does. */
  endStreams(): void
  /** Forgets events up to `throughSeq`, by default all: older positions get 410 CURSOR_EXPIRED. */
  pruneEvents(conversationId: string, throughSeq?: number): void
  /** Every callback so far, in the order of the events. */
  readonly callbacks: readonly RecordedCallback[]
  /** Resolves when every delivery of a callback has been answered. */
  callbacksSettled(): Promise<void>
  /** Sends every callback again that was not answered with 2xx, with the same ID and bytes. */
  retryCallbacks(): Promise<void>
  /** Forgets records, requests, callbacks, replies and faults; ends streams and a `hold()`. For `afterEach`. */
  reset(): void
}

export const createTestGateway = (options: TestGatewayOptions = {}): TestGateway => {
  const { apiKey, endpointIds, defaultReply = echo, now = () => new Date(), webhooks = [] } = options
  const origin = options.baseUrl === undefined ? null : originOf(options.baseUrl)
  checkReply(defaultReply)
  const isEndpoint = (id: string): boolean => endpointIds === undefined || endpointIds.includes(id)
  const sender = createCallbackSender(options.callbacks, now)
  const state = createState({ now, isEndpoint, defaultReply, onEvent: sender.send, idSeed: options.idSeed })
  const receiver = createWebhookReceiver(state, webhooks)
  const faults = createFaultQueue()
  const requests: RecordedRequest[] = []

  /** Applies the test's change to a run, and continues its conversation. */
  const change = (runId: string, apply: (found: FoundRun) => void): Run => {
    expireOverdue(state)
    const found = findRun(state, null, runId)
    if (found === undefined) throw new Error(`There is no run ${runId}.`)
    apply(found)
    advance(state, found.conversation)
    return structuredClone(runRecord(found.run))
  }

  const answer = (request: Request): Promise<Response> =>
    answerRequest({ state, faults, requests, receiveWebhook: receiver.receive, apiKey }, request)

  return {
    baseUrl: origin ?? '*',
    answer,
    fetch: createPlainFetch(origin, answer),
    requests,
    callbacks: sender.callbacks,
    callbacksSettled: sender.settled,
    retryCallbacks: sender.retry,
    get conversations() {
      return [...state.conversations.values()].map(viewOf)
    },
    reply: (...replies) => {
      for (const reply of replies) checkReply(reply)
      state.replies.push(...replies)
    },
    hold: () => {
      state.isHeld = true
    },
    release: () => {
      state.isHeld = false
      expireOverdue(state)
      for (const conversation of state.conversations.values()) advance(state, conversation)
    },
    step: (runId) =>
      change(runId, ({ conversation, run }) => {
        if (!takeStep(state, conversation))
          throw new Error(`There is nothing to do: the run ${runId} is ${run.state}. Use finish or decide.`)
      }),
    finish: (runId, ending = { succeed: {} }) => change(runId, (found) => endRun(state, found, outcomeOf(ending))),
    decide: (runId, decision) =>
      change(runId, (found) => {
        if (found.run.state !== 'waiting_approval')
          throw new Error(`The run ${runId} does not wait for an approval: it is ${found.run.state}.`)
        decideApproval(state, found, decision)
      }),
    failNext: faults.add,
    ping: () => {
      for (const conversation of state.conversations.values()) {
        conversation.pings += 1
        conversation.wakeUp.notify()
      }
    },
    endStreams: () => endStreams(state),
    pruneEvents: (conversationId, throughSeq) => {
      const conversation = state.conversations.get(conversationId)
      if (conversation === undefined) throw new Error(`There is no conversation ${conversationId}.`)
      const last = conversation.events.length
      conversation.prunedSeq = Math.max(conversation.prunedSeq, Math.min(throughSeq ?? last, last))
    },
    reset: () => {
      clearState(state)
      receiver.clear()
      sender.clear()
      faults.clear()
      requests.length = 0
    },
  }
}

/** The origin, as clients take it: without a path (`*` stands for every origin, which is null). */
const originOf = (baseUrl: string): string | null => {
  if (baseUrl === '*') return null
  const { origin, pathname } = new URL(baseUrl)
  if (pathname !== '/')
    throw new TypeError(`baseUrl must be an origin like https://gateway.test, without the path ${pathname}.`)
  return origin
}

const viewOf = (conversation: StoredConversation): TestConversation => ({
  record: conversationRecord(conversation),
  messages: conversation.messages.map((message) => JSON.parse(messageJson(message))),
  runs: conversation.runs.map((run) => structuredClone(runRecord(run))),
  events: conversation.events.map(({ json }) => JSON.parse(json)),
})

/** A `fetch` that reaches only the in-memory gateway. Like a host's `fetch`, it rejects if no answer arrives. */
const createPlainFetch =
  (origin: string | null, answer: (request: Request) => Promise<Response>): typeof globalThis.fetch =>
  async (input, init) => {
    const request = new Request(input, init)
    const { signal } = request
    if (origin !== null && new URL(request.url).origin !== origin)
      throw new TypeError(`fetch failed: the test gateway is ${origin}; this fetch reaches nothing else.`)
    signal.throwIfAborted()
    const aborted = new Promise<never>((_resolve, reject) => {
      signal.addEventListener('abort', () => reject(signal.reason), { once: true })
    })
    const response = await Promise.race([answer(request), aborted])
    if (response.type === 'error')
      throw new TypeError('fetch failed', { cause: new Error('The connection was reset.') })
    const { body, status, headers } = response
    // An abort also ends a body that is being read.
    return body === null
      ? response
      : new Response(body.pipeThrough(new TransformStream(), { signal }), { status, headers })
  }
