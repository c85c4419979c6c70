import type { HttpHandler } from 'msw'
import type { Conversation, KnownEvent, Message, Run } from '../generated/gateway.ts'
import type { RunOutcome } from './end-run.ts'
import { endRun, outcomeOf } from './end-run.ts'
import type { FaultRule } from './faults.ts'
import { createFaultQueue } from './faults.ts'
import { createHandlers } from './handlers.ts'
import type { RecordedRequest } from './recorded-request.ts'
import type { Reply, RunEnding } from './replies.ts'
import { checkReply, echo } from './replies.ts'
import { advance, decideApproval, expireOverdue, isNext, takeStep } from './runs.ts'
import type { FoundRun, GatewayState, StoredConversation } from './state.ts'
import { clearState, createState, endStreams, findRun, isUnfinished } from './state.ts'

export interface TestGatewayOptions {
  /** Origin that the handlers answer for, like `https://gateway.test`. Default: every origin. */
  readonly baseUrl?: string
  /** The only API key that is let in; others get 401. Default: any bearer token. */
  readonly apiKey?: string
  /** The published services; others get 404. Default: every ID is one. */
  readonly endpointIds?: readonly string[]
  /** The reply to runs for which none was scripted with `reply`. Default: the input, streamed back by word (D-44). */
  readonly defaultReply?: Reply
  /** The clock of timestamps and start deadlines. Default: the real one. */
  readonly now?: () => Date
}

/** A conversation as it stands at the moment of asking; later changes do not show in it. */
export interface TestConversation {
  readonly record: Conversation
  readonly messages: readonly Message[]
  readonly runs: readonly Run[]
  readonly events: readonly KnownEvent[]
}

/**
 * A small stateful gateway in memory, for the tests of code that uses the gateway. It has all operations that take an
 * API key, with the contract's answers, and does nothing by itself: no timers, no I/O, and identifiers that are the same
 * in every run of a test. It knows one application, and has no limits but the queue of 20 runs; inject the others.
 */
export interface TestGateway {
  /** For msw's `setupServer` or `setupWorker`. */
  readonly handlers: HttpHandler[]
  /** Every request so far, in order. */
  readonly requests: readonly RecordedRequest[]
  /** Every conversation of every subject, the oldest first. */
  readonly conversations: readonly TestConversation[]
  /** Scripts the next runs, one reply each, in the order of their admission. */
  reply(...replies: readonly Reply[]): void
  /** From now on nothing executes by itself: runs stay queued, stops unconfirmed. */
  hold(): void
  /** Takes up everything that was held, and executes new work at once again. */
  release(): void
  /**
   * Does the next thing in the run's conversation while it is held: starts a run, takes one step of its reply, or
   * confirms a stop.
   * @returns the run afterwards. Throws when there is nothing to do, or a run waits for `decide` or `finish`.
   */
  step(runId: string): Run
  /**
   * Ends a run that is not finished, also one that hangs or is being cancelled; by default it succeeds with what it
   * has streamed. @returns the run afterwards.
   */
  finish(runId: string, ending?: RunEnding): Run
  /** Decides the approval that a run waits for. Denied, it fails with APPROVAL_DENIED. @returns the run afterwards. */
  decide(runId: string, decision: 'approved' | 'denied'): Run
  /** Makes the next requests fail. */
  failNext(rule: FaultRule): void
  /** Sends `: ping` down the open streams. */
  ping(): void
  /** Ends the open streams cleanly, as a gateway that restarts does. */
  endStreams(): void
  /** Forgets events up to `throughSeq`, by default all: older positions get 410 CURSOR_EXPIRED. */
  pruneEvents(conversationId: string, throughSeq?: number): void
  /** Forgets everything: records, requests, replies, faults; ends the streams. For `afterEach`. */
  reset(): void
}

export const createTestGateway = (options: TestGatewayOptions = {}): TestGateway => {
  const { baseUrl = '*', apiKey, endpointIds, defaultReply = echo, now = () => new Date() } = options
  checkReply(defaultReply)
  const isEndpoint = (id: string): boolean => endpointIds === undefined || endpointIds.includes(id)
  const state = createState({ now, isEndpoint, defaultReply })
  const faults = createFaultQueue()
  const requests: RecordedRequest[] = []

  /** Applies a change of the test's to a run, and lets its conversation go on. */
  const change = (runId: string, apply: (found: FoundRun) => void): Run => {
    expireOverdue(state)
    const found = needRun(state, runId)
    apply(found)
    advance(state, found.conversation)
    return structuredClone(found.run.record)
  }

  return {
    handlers: createHandlers({ state, faults, requests, baseUrl: originOf(baseUrl), apiKey }),
    requests,
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
          throw new Error(`There is nothing to do: the run ${runId} is ${run.record.state}. Use finish or decide.`)
      }),
    finish: (runId, ending = { succeed: {} }) => change(runId, (found) => finishRun(state, found, outcomeOf(ending))),
    decide: (runId, decision) =>
      change(runId, ({ conversation, run }) => {
        if (run.record.state !== 'waiting_approval')
          throw new Error(`The run ${runId} waits for no approval: it is ${run.record.state}.`)
        decideApproval(state, conversation, run, decision)
      }),
    failNext: faults.add,
    ping: () => {
      for (const conversation of state.conversations.values()) {
        conversation.pings += 1
        conversation.bell.ring()
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
      faults.clear()
      requests.length = 0
    },
  }
}

const finishRun = (state: GatewayState, { conversation, run }: FoundRun, outcome: RunOutcome): void => {
  const { run_id, state: runState } = run.record
  if (!isUnfinished(run)) throw new Error(`The run ${run_id} has already ended: it is ${runState}.`)
  if (runState === 'queued' && !(isNext(conversation, run) && takeStep(state, conversation)))
    throw new Error(`The run ${run_id} is queued behind another run of its conversation; finish that one first.`)
  if (runState === 'waiting_approval' && outcome.state === 'succeeded')
    decideApproval(state, conversation, run, 'approved')
  endRun(state, conversation, run, outcome)
}

const needRun = (state: GatewayState, runId: string): FoundRun => {
  const found = findRun(state, null, runId)
  if (found === undefined) throw new Error(`There is no run ${runId}.`)
  return found
}

/** The origin, as clients take it: without a path (`*` stands for every origin). */
const originOf = (baseUrl: string): string => {
  if (baseUrl === '*') return baseUrl
  const { origin, pathname } = new URL(baseUrl)
  if (pathname !== '/')
    throw new TypeError(`baseUrl is an origin like https://gateway.test, without the path ${pathname}.`)
  return origin
}

const viewOf = ({ record, messages, runs, events }: StoredConversation): TestConversation =>
  structuredClone({ record, messages, runs: runs.map((run) => run.record), events })
