/** Follows an event log over any number of connections, as a pure state machine. `read-events.ts` does its I/O. */

import { ConnectionError, type GatewayError, StreamInterruptedError } from '../errors.ts'
import type { EventEnvelope } from '../generated/gateway.ts'
import { describeFailure } from '../transport/attempt.ts'
import type { Decision, Trouble } from '../transport/decision-report.ts'
import { type Backoff, type Failing, isTransientError, planReconnect, retryAfterOf } from '../transport/retry.ts'
import type { EndPlace } from './stream-source.ts'

/** The constants of a followed stream. */
export interface FollowRules {
  readonly operationId: string
  /** Types of the last event of a run. */
  readonly terminal: readonly string[]
  readonly pingMs: number
  readonly backoff: Backoff
  readonly patienceMs: number
}

export type Phase =
  /**
   * No batch is requested. `hasPing` and `fault` came with the last batch, and apply when the next one is requested.
   */
  | {
      readonly is: 'resting'
      /** When the connection was opened; null without one. */
      readonly openedAtMs: number | null
      readonly hasPing: boolean
      readonly fault: ConnectionError | null
    }
  | { readonly is: 'connecting' }
  | { readonly is: 'reading'; readonly openedAtMs: number }
  | { readonly is: 'pausing' }
  /** The last event was delivered, or is proven to have passed. */
  | { readonly is: 'ended' }
  | { readonly is: 'failed'; readonly error: unknown }

/** The search for a last event that may be at or before the position. */
export type Search =
  /** The last event is still to come, or the stream has no end. */
  | { readonly is: 'over' }
  /** `lookedAtMs` is null before the first search. */
  | { readonly is: 'open'; readonly lookedAtMs: number | null }
  | { readonly is: 'looking'; readonly lookedAtMs: number }

export interface Follower {
  readonly phase: Phase
  /** The seq of the last received event; null for the beginning. */
  readonly position: number | null
  /** The reconnection time that the gateway requests. */
  readonly retryMs: number
  /** Null after progress. */
  readonly failing: Failing | null
  readonly search: Search
}

/** The contents of a chunk. */
export interface Arrival {
  readonly events: readonly EventEnvelope[]
  readonly hasPing: boolean
  /** Null if the chunk did not set it. */
  readonly retryMs: number | null
  /** The fault after these events. */
  readonly fault: ConnectionError | null
}

export type Input =
  /** The reader wants the next batch. */
  | { readonly kind: 'asked' }
  | { readonly kind: 'opened' }
  | { readonly kind: 'arrived'; readonly arrival: Arrival }
  | { readonly kind: 'closed' }
  /** The connection could not be opened, or broke. `isFinal` forbids another one. */
  | { readonly kind: 'broke'; readonly trouble: Trouble; readonly error: unknown; readonly isFinal: boolean }
  | { readonly kind: 'paused' }
  | { readonly kind: 'looked'; readonly place: EndPlace }
  | { readonly kind: 'look-failed'; readonly error: unknown }
  /** The search for the end has lasted as long as the patience allows. */
  | { readonly kind: 'search-overdue' }
  | { readonly kind: 'aborted'; readonly reason: unknown }

export type Action =
  | { readonly do: 'connect'; readonly position: number | null }
  | { readonly do: 'read' }
  /** Closes the connection, aborts its opening, or ends the wait before it. */
  | { readonly do: 'disconnect' }
  | { readonly do: 'pause'; readonly delayMs: number }
  | { readonly do: 'look'; readonly position: number | null; readonly isFirst: boolean }
  | { readonly do: 'stop-search' }
  | { readonly do: 'report'; readonly decision: Decision }
  | { readonly do: 'give'; readonly events: readonly EventEnvelope[] }
  | { readonly do: 'end' }
  | { readonly do: 'fail'; readonly error: unknown }

/** The time of an input, and the random number for the jitter, from 0 to 1. */
export interface Moment {
  readonly nowMs: number
  readonly random: number
}

export interface Step {
  readonly follower: Follower
  /** To be executed in this order. Effects that can call back into the follower come last. */
  readonly actions: readonly Action[]
}

/** @param position The seq to resume after; null for the beginning. */
export const startFollowing = (position: number | null, retryMs: number, hasEnd: boolean): Follower => ({
  phase: { is: 'resting', openedAtMs: null, hasPing: false, fault: null },
  position,
  retryMs,
  failing: null,
  search: hasEnd ? { is: 'open', lookedAtMs: null } : OVER,
})

export const follow = (rules: FollowRules, follower: Follower, input: Input, moment: Moment): Step => {
  const { phase } = follower
  switch (input.kind) {
    case 'asked':
      return ask(rules, follower, moment)
    case 'opened':
      return phase.is === 'connecting'
        ? { follower: { ...follower, phase: { is: 'reading', openedAtMs: moment.nowMs } }, actions: READ }
        : ignore(follower)
    case 'arrived':
      return phase.is === 'reading' ? take(rules, follower, phase.openedAtMs, input.arrival, moment) : ignore(follower)
    case 'closed':
      return phase.is === 'reading'
        ? andThen(look(rules, follower, moment), (looked) => reconnect(rules, looked, 'closed', ended(), moment))
        : ignore(follower)
    case 'broke':
      if (phase.is !== 'connecting' && phase.is !== 'reading') return ignore(follower)
      return input.isFinal || !isTransientError(input.error)
        ? stop(follower, { is: 'failed', error: input.error })
        : reconnect(rules, follower, input.trouble, input.error, moment)
    case 'paused':
      return phase.is === 'pausing' ? connect(follower) : ignore(follower)
    case 'looked':
    case 'look-failed':
      return follower.search.is === 'looking' ? conclude(follower, follower.search.lookedAtMs, input) : ignore(follower)
    case 'search-overdue':
      return follower.search.is === 'over'
        ? ignore(follower)
        : stop(follower, { is: 'failed', error: overdue(rules, follower) })
    case 'aborted':
      // Leaving while no batch is requested is not a failure.
      return stop(follower, phase.is === 'resting' ? { is: 'ended' } : { is: 'failed', error: input.reason })
  }
}

const OVER: Search = { is: 'over' }
const READ: readonly Action[] = [{ do: 'read' }]
const DISCONNECT: Action = { do: 'disconnect' }
const STOP_SEARCH: Action = { do: 'stop-search' }

const ignore = (follower: Follower): Step => ({ follower, actions: [] })

/** Takes the step, and then another one from the resulting state. */
const andThen = ({ follower, actions }: Step, next: (follower: Follower) => Step): Step => {
  const later = next(follower)
  return { follower: later.follower, actions: [...actions, ...later.actions] }
}

const ask = (rules: FollowRules, follower: Follower, moment: Moment): Step => {
  const { phase } = follower
  if (phase.is === 'ended' || phase.is === 'failed') return { follower, actions: [endAction(phase)] }
  if (phase.is !== 'resting') return ignore(follower)
  const { openedAtMs, hasPing, fault } = phase
  if (openedAtMs === null) return connect(follower)
  if (fault) return reconnect(rules, follower, 'broken-frame', fault, moment)
  return readOn(rules, follower, openedAtMs, hasPing, moment)
}

const connect = (follower: Follower): Step => ({
  follower: { ...follower, phase: { is: 'connecting' } },
  actions: [{ do: 'connect', position: follower.position }],
})

/** A ping without new events may mean that the end has already passed. */
const readOn = (rules: FollowRules, follower: Follower, openedAtMs: number, hasPing: boolean, moment: Moment): Step => {
  const reading: Follower = { ...follower, phase: { is: 'reading', openedAtMs } }
  if (!hasPing) return { follower: reading, actions: READ }
  return andThen(look(rules, reading, moment), (looked) => ({ follower: looked, actions: READ }))
}

const take = (
  rules: FollowRules,
  follower: Follower,
  openedAtMs: number,
  { events, hasPing, retryMs, fault }: Arrival,
  moment: Moment,
): Step => {
  const fresh = newEvents(rules, follower.position, events)
  const last = fresh.at(-1)
  // A comment or an old event alone is not progress, because any peer can send it. A ping after a whole ping interval
  // is progress: it shows a working connection to a quiet log.
  const isProgress = last !== undefined || (hasPing && moment.nowMs - openedAtMs >= rules.pingMs)
  const moved: Follower = {
    phase: { is: 'resting', openedAtMs, hasPing, fault },
    position: last?.seq ?? follower.position,
    retryMs: retryMs ?? follower.retryMs,
    failing: isProgress ? null : follower.failing,
    // The last event of a run is after any other (D-28).
    search: last === undefined ? follower.search : OVER,
  }
  if (last === undefined)
    return fault
      ? reconnect(rules, moved, 'broken-frame', fault, moment)
      : readOn(rules, moved, openedAtMs, hasPing, moment)
  const give: Action = { do: 'give', events: fresh }
  if (rules.terminal.includes(last.type))
    return { follower: { ...moved, phase: { is: 'ended' } }, actions: [STOP_SEARCH, DISCONNECT, give] }
  return { follower: moved, actions: follower.search.is === 'over' ? [give] : [STOP_SEARCH, give] }
}

/** The events after the position, up to the last event of a run's stream. A repeat is not progress. */
const newEvents = (
  { terminal }: FollowRules,
  position: number | null,
  events: readonly EventEnvelope[],
): readonly EventEnvelope[] => {
  const fresh: EventEnvelope[] = []
  let seq = position ?? -1
  for (const event of events) {
    if (event.seq <= seq) continue
    seq = event.seq
    fresh.push(event)
    if (terminal.includes(event.type)) break
  }
  return fresh
}

const ended = (): ConnectionError => new ConnectionError('The event stream ended.')

const reconnect = (
  rules: FollowRules,
  follower: Follower,
  trouble: Trouble,
  error: GatewayError,
  { nowMs, random }: Moment,
): Step => {
  const { operationId } = rules
  const { position, retryMs } = follower
  const { failing, elapsedMs, delayMs, isOver } = planReconnect(
    { ...rules, retryMs },
    follower.failing,
    error,
    nowMs,
    random,
  )
  const about = { operationId, ...describeFailure({ trouble, error }) }
  if (isOver) {
    const message = `The event stream failed for ${elapsedMs} ms (${trouble}). Resume it later after ${position ?? 'its start'}.`
    const decision: Decision = { kind: 'give-up', ...about, attempts: failing.failures, elapsedMs }
    const gaveUp = stop(follower, { is: 'failed', error: new StreamInterruptedError(message, position, error) })
    return { ...gaveUp, actions: [{ do: 'report', decision }, ...gaveUp.actions] }
  }
  const decision: Decision = {
    kind: 'reconnect',
    ...about,
    attempt: failing.failures,
    delayMs,
    retryAfterMs: retryAfterOf(error),
    position,
  }
  return {
    follower: { ...follower, failing, phase: { is: 'pausing' } },
    actions: [DISCONNECT, { do: 'pause', delayMs }, { do: 'report', decision }],
  }
}

/** Begins to search for the end, at most once per ping interval. */
const look = ({ pingMs }: FollowRules, follower: Follower, { nowMs }: Moment): Step => {
  const { search, position } = follower
  if (search.is !== 'open' || (search.lookedAtMs !== null && nowMs - search.lookedAtMs < pingMs))
    return ignore(follower)
  return {
    follower: { ...follower, search: { is: 'looking', lookedAtMs: nowMs } },
    actions: [{ do: 'look', position, isFirst: search.lookedAtMs === null }],
  }
}

const conclude = (
  follower: Follower,
  lookedAtMs: number,
  input: Extract<Input, { kind: 'looked' | 'look-failed' }>,
): Step => {
  // A transient failure is retried at the next ping.
  const isOpen = input.kind === 'looked' ? input.place === 'awaited' : isTransientError(input.error)
  if (isOpen) return ignore({ ...follower, search: { is: 'open', lookedAtMs } })
  if (input.kind === 'look-failed') return stop(follower, { is: 'failed', error: input.error })
  if (input.place === 'passed') return stop(follower, { is: 'ended' })
  // The last event is not written yet, so it will arrive.
  return { follower: { ...follower, search: OVER }, actions: [STOP_SEARCH] }
}

const overdue = ({ patienceMs }: FollowRules, { position }: Follower): StreamInterruptedError =>
  new StreamInterruptedError(
    `Neither the run's last event nor a proof that it lies before the position came within ${patienceMs} ms: read the run.`,
    position,
    undefined,
  )

type Over = Extract<Phase, { is: 'ended' | 'failed' }>

/** Ends permanently. A waiting reader is notified at once. */
const stop = (follower: Follower, over: Over): Step => {
  const { is } = follower.phase
  if (is === 'ended' || is === 'failed') return ignore(follower)
  return {
    follower: { ...follower, phase: over, search: OVER },
    actions: [STOP_SEARCH, DISCONNECT, ...(is === 'resting' ? [] : [endAction(over)])],
  }
}

const endAction = (over: Over): Action => (over.is === 'ended' ? { do: 'end' } : { do: 'fail', error: over.error })
