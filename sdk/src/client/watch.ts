import { CursorExpiredError, isApiError } from '../errors.ts'
import { iterateOnce } from '../events/iterate-once.ts'
import { snapshotsUntilRetry } from '../events/snapshots-until-retry.ts'
import type { EventEnvelope, Message, Snapshot } from '../generated/gateway.ts'
import { LIMITS } from '../generated/limits.ts'
import type { DecisionListener } from '../transport/decision-report.ts'
import { isTransientError } from '../transport/retry.ts'
import type { Timing } from '../transport/timing.ts'
import { applyEvent, type ConversationView, fromSnapshot, unknownInput, VIEW_MESSAGES } from './conversation-view.ts'

/** What a watch needs from the client, for one conversation. */
export interface WatchPort {
  readSnapshot(signal: AbortSignal): PromiseLike<Snapshot>
  /** Reads the latest page of the history, or the page before a cursor. Its oldest message is first. */
  readMessages(query: { limit: number; before?: number }, signal: AbortSignal): PromiseLike<readonly Message[]>
  events(after: number, signal: AbortSignal, waitForStream: boolean): AsyncIterable<EventEnvelope>
  readonly report: DecisionListener
  readonly timing: Timing
}

export interface WatchOptions {
  /** Ends the watch; the iteration rejects with the signal's reason. Cancels nothing at the gateway. */
  readonly signal?: AbortSignal | undefined
}

/** One step of a watched conversation; `state` is the view after it. */
export type WatchItem =
  /** The first item: the snapshot. */
  | { readonly kind: 'snapshot'; readonly state: ConversationView }
  /** Any event except a reset, including unknown types. */
  | { readonly kind: 'event'; readonly event: EventEnvelope; readonly state: ConversationView }
  /** A reset completed: from now on `expected_generation` is `generation`. */
  | {
      readonly kind: 'generation'
      readonly generation: number
      readonly previous_generation: number
      readonly state: ConversationView
    }
  /**
   * Events after `from` were not read: they are no longer retained, or no stream was free. The snapshot was reloaded,
   * and the watch continues after `to`.
   */
  | { readonly kind: 'gap'; readonly from: number; readonly to: number; readonly state: ConversationView }

/** Maximum number of reloads in a row, without an event between them. */
const MAX_RELOADS = 2
const HISTORY_PAGE = LIMITS.pageRecords

/**
 * A conversation and its changes: the snapshot, then an item for each event, without end. Can be iterated once; leaving
 * the loop closes the connection. Rejects like an event stream, with two exceptions: after an expired position it
 * reloads the snapshot, at most twice in a row; while no stream is free it polls snapshots. Both yield a `gap`.
 */
export const watch = (port: WatchPort, { signal }: WatchOptions = {}): AsyncIterable<WatchItem> =>
  iterateOnce('Call `watch` again.', signal, (inner, sink) => {
    const items = readItems(port, inner)
    return {
      next: () => void items.next().then(({ value }) => sink.onItems(value ?? null), sink.onFailure),
      close: async () => void (await items.return()),
    }
  })

/** The items of a watch, without end. */
async function* readItems(port: WatchPort, signal: AbortSignal): AsyncGenerator<readonly WatchItem[], void> {
  const readInput = createInputReader(port, signal)
  let state = fromSnapshot(await port.readSnapshot(signal))
  yield [{ kind: 'snapshot', state }]
  let isPollReported = false
  let reloads = 0
  for (;;) {
    try {
      for await (const event of port.events(state.position, signal, false)) {
        const input = unknownInput(state, event)
        state = applyEvent(state, event, input === null ? undefined : await readInput(input))
        reloads = 0
        yield [toItem(event, state)]
      }
      return
    } catch (error) {
      if (isApiError(error, 'STREAM_LIMIT')) {
        if (!isPollReported) port.report({ kind: 'poll', operationId: 'streamConversationEvents', error })
        isPollReported = true
        reloads = 0
        const { timing, readSnapshot: read } = port
        try {
          for await (const snapshot of snapshotsUntilRetry({ refusal: error, read, timing, signal })) {
            if (snapshot.watermark <= state.position) continue
            const gap = { from: state.position, to: snapshot.watermark }
            state = fromSnapshot(snapshot)
            yield [{ kind: 'gap', ...gap, state }]
          }
        } catch (failure) {
          signal.throwIfAborted()
          // Continue with the stream, which retries for longer than a single read.
          if (!isTransientError(failure)) throw failure
        }
        continue
      }
      if (!(error instanceof CursorExpiredError) || reloads >= MAX_RELOADS) throw error
    }
    reloads += 1
    const from = state.position
    port.report({ kind: 'reload', operationId: 'streamConversationEvents', position: from })
    state = fromSnapshot(await port.readSnapshot(signal))
    yield [{ kind: 'gap', from, to: state.position, state }]
  }
}

const toItem = (event: EventEnvelope, state: ConversationView): WatchItem => {
  if (event.type !== 'conversation.reset') return { kind: 'event', event, state }
  const { generation, previous_generation } = event.payload
  return { kind: 'generation', generation, previous_generation, state }
}

/**
 * Events contain only the ID of an input message. This reads the message from the history, at most `VIEW_MESSAGES`
 * messages back. It keeps the pages that it has read, because a view that catches up needs many messages in a row.
 */
const createInputReader = (port: WatchPort, signal: AbortSignal) => {
  let read: Message[] = []
  return async (messageId: string): Promise<Message | undefined> => {
    const find = () => read.find((each) => each.message_id === messageId)
    if (!find()) read = []
    for (let query: Parameters<WatchPort['readMessages']>[0] = { limit: HISTORY_PAGE }; ; ) {
      if (find() || read.length >= VIEW_MESSAGES) return find()
      const page = await port.readMessages(query, signal)
      const [oldest] = page
      if (!oldest) return undefined
      read.push(...page)
      query = { ...query, before: oldest.cursor }
    }
  }
}
