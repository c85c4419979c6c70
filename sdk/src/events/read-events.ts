import { ApiError, ConnectionError, isApiError, TimeoutError } from '../errors.ts'
import type { EventEnvelope } from '../generated/gateway.ts'
import type { Trouble } from '../transport/decision-report.ts'
import type { ObservedCall } from '../transport/observed-call.ts'
import type { Timing } from '../transport/timing.ts'
import { createFrameDecoder } from './decode-frames.ts'
import { type Action, type Arrival, follow, type Input, startFollowing } from './follow.ts'
import type { Batches, Sink } from './iterate-once.ts'
import type { StreamSource } from './stream-source.ts'

/** A connection without a byte, pings included, for this many ping intervals is treated as dead. */
const IDLE_PINGS = 3

/** A connection, from the moment it is requested. */
interface Connection {
  read(): void
  /** Closes it. Later data is ignored. */
  close(): void
}

/**
 * The events after the position in batches, as they arrive, over any number of connections. Reads on when the next
 * batch is requested. `follow.ts` decides each step.
 * @param after Null starts at the oldest retained event.
 * @param onOpen Called for each connection that was opened.
 * @param waits Whether to wait after a refusal with `STREAM_LIMIT`.
 */
export const readEvents = (
  source: StreamSource,
  after: number | null,
  signal: AbortSignal,
  { onItems, onFailure }: Sink<EventEnvelope>,
  onOpen: () => void,
  waits: (refusal: ApiError) => boolean = () => source.waitForStream,
): Batches => {
  const { operationId, info, timing, backoff, patienceMs, findEnd, report } = source
  const rules = { operationId, terminal: info.terminal, pingMs: info.pingSeconds * 1000, backoff, patienceMs }
  let follower = startFollowing(after, info.retryMs, findEnd !== null)
  let call: ObservedCall | undefined
  let connection: Connection | undefined
  let cancelPause = (): void => {}
  let search: AbortController | undefined
  let cancelSearchDeadline = (): void => {}

  const put = (input: Input): void => {
    const step = follow(rules, follower, input, { nowMs: timing.elapsed(), random: timing.random() })
    follower = step.follower
    for (const action of step.actions) perform(action)
  }
  const perform = (action: Action): void => {
    switch (action.do) {
      case 'read':
        connection?.read()
        break
      case 'give':
        onItems(action.events)
        break
      case 'connect':
        connection = connect(action.position)
        break
      case 'disconnect':
        disconnect()
        break
      case 'pause':
        cancelPause = timing.after(action.delayMs, () => put(PAUSED))
        break
      case 'look':
        look(action.position, action.isFirst)
        break
      case 'stop-search':
        stopSearch()
        break
      case 'report':
        report(action.decision)
        break
      case 'end':
        onItems(null)
        break
      case 'fail':
        onFailure(action.error)
    }
  }

  const connect = (position: number | null): Connection => {
    const controller = new AbortController()
    const isDropped = (): boolean => controller.signal.aborted
    const breaks = (error: unknown, trouble = troubleOf(error)): void => {
      if (isDropped()) return
      const isFinal = isApiError(error, 'STREAM_LIMIT') && !waits(error)
      put({ kind: 'broke', trouble, error, isFinal })
    }
    const idle = watchIdle(timing, IDLE_PINGS * rules.pingMs, () => breaks(broken(), 'idle'))
    let reader: ReadableStreamDefaultReader<Uint8Array> | undefined
    let arrival = emptyArrival()
    const decode = createFrameDecoder(source.maxFrameLength, {
      onEvent: (event) => arrival.events.push(event),
      onPing: () => {
        arrival.hasPing = true
      },
      onRetry: (delayMs) => {
        arrival.retryMs = delayMs
      },
    })
    const onRead = ({ done, value }: ReadableStreamReadResult<Uint8Array>): void => {
      if (isDropped()) return
      idle.end()
      arrival = emptyArrival()
      if (value) arrival.fault = decode(value) ?? null
      put(done ? CLOSED : { kind: 'arrived', arrival })
    }
    const onBroken = (cause: unknown): void => breaks(broken(cause))
    const open = async (observed: ObservedCall): Promise<void> => {
      try {
        const { body } = await source.open(observed, position, controller.signal)
        // A missing body is treated as an empty one.
        reader = (body ?? new Blob().stream()).getReader()
        if (isDropped()) cancel()
        else onOpen()
      } catch (error) {
        breaks(error)
      }
      if (!isDropped()) put(OPENED)
    }
    // Cancelling a failed or ended body rejects; it is closed anyway.
    const cancel = (): void => void reader?.cancel().catch(() => {})
    call ??= source.observe(operationId)
    void open(call)
    return {
      read: () => {
        idle.begin()
        reader?.read().then(onRead, onBroken)
      },
      close: () => {
        idle.cancel()
        controller.abort()
        cancel()
      },
    }
  }
  const disconnect = (): void => {
    cancelPause()
    connection?.close()
    connection = undefined
  }
  const look = (position: number | null, isFirst: boolean): void => {
    search ??= new AbortController()
    if (isFirst) cancelSearchDeadline = timing.after(patienceMs, () => put(SEARCH_OVERDUE))
    findEnd?.(position, search.signal).then(
      (place) => put({ kind: 'looked', place }),
      (error: unknown) => put({ kind: 'look-failed', error }),
    )
  }
  const stopSearch = (): void => {
    cancelSearchDeadline()
    search?.abort()
  }

  const abort = (): void => put({ kind: 'aborted', reason: signal.reason })
  if (signal.aborted) abort()
  else signal.addEventListener('abort', abort, { once: true })
  return {
    next: () => put(ASKED),
    close: async () => {
      signal.removeEventListener('abort', abort)
      stopSearch()
      disconnect()
      call?.end(follower.phase.is === 'failed' ? follower.phase.error : undefined)
    },
  }
}

const ASKED: Input = { kind: 'asked' }
const OPENED: Input = { kind: 'opened' }
const CLOSED: Input = { kind: 'closed' }
const PAUSED: Input = { kind: 'paused' }
const SEARCH_OVERDUE: Input = { kind: 'search-overdue' }

const emptyArrival = (): { -readonly [Name in keyof Arrival]: Arrival[Name] } & { events: EventEnvelope[] } => ({
  events: [],
  hasPing: false,
  retryMs: null,
  fault: null,
})

const troubleOf = (error: unknown): Trouble => {
  if (error instanceof ApiError) return 'refused'
  return error instanceof TimeoutError ? 'timeout' : 'connection'
}

const broken = (cause?: unknown): ConnectionError => new ConnectionError('The event stream broke.', { cause })

/**
 * Time without a byte while waiting for one. The network is read only on demand, so a slow consumer slows the gateway
 * down.
 */
interface Idle {
  begin(): void
  end(): void
  cancel(): void
}

/** One timer for many waits. If the latest wait has not lasted `idleMs` when it fires, it is set again. */
const watchIdle = (timing: Timing, idleMs: number, onIdle: () => void): Idle => {
  let sinceMs: number | null = null
  let cancel: (() => void) | undefined
  const check = (): void => {
    cancel = undefined
    if (sinceMs === null) return
    const leftMs = sinceMs + idleMs - timing.elapsed()
    if (leftMs > 0) cancel = timing.after(leftMs, check)
    else onIdle()
  }
  return {
    begin: () => {
      sinceMs = timing.elapsed()
      cancel ??= timing.after(idleMs, check)
    },
    end: () => {
      sinceMs = null
    },
    cancel: () => cancel?.(),
  }
}
