import type { Trouble } from '../client/decision.ts'
import { ApiError, ConnectionError, GatewayError, TimeoutError } from '../errors.ts'
import type { EventEnvelope } from '../generated/gateway.ts'
import { followSignal } from '../transport/follow-signal.ts'
import type { ObservedCall } from '../transport/observed-call.ts'
import { sleep, type Timing } from '../transport/timing.ts'
import { judge } from '../transport/verdict.ts'
import { type Arrival, createFrameDecoder } from './decode-frames.ts'
import type { Batches, Sink } from './iterate-once.ts'
import { createPatience } from './patience.ts'
import type { StreamSource } from './stream-source.ts'

/** Connections that bring no byte, pings included, for this many ping intervals count as dead. */
const IDLE_PINGS = 3

/** A connection that is open, and what keeps it from being waited for without end. */
interface Connection {
  readonly controller: AbortController
  readonly reader: ReadableStreamDefaultReader<Uint8Array>
  readonly decode: (bytes: Uint8Array) => readonly Arrival[]
  readonly idle: Idle
}

/**
 * The events after the position in batches, as they arrive, over any number of connections. Reads on when the next batch
 * is asked for.
 * @param after Null starts at the oldest retained event.
 */
export const readEvents = (
  source: StreamSource,
  after: number | null,
  signal: AbortSignal,
  { onItems, onFailure }: Sink<EventEnvelope>,
): Batches => {
  const { info, timing, isOver } = source
  const patience = createPatience(source)
  let call: ObservedCall | undefined
  let connection: Connection | undefined
  let { retryMs } = info
  let position = after
  /**
   * Whether the last event may lie at or before the position, or be pruned, so that none is left to come. It is asked
   * once: what was not over then, or has shown an event since, still has its last event to come (D-28).
   */
  let over: boolean | undefined
  let emptyEnds = 0
  let isLast = false
  /** What arrived last, of which only the events have been given; and whether it was the end. */
  let arrivals = NOTHING
  let done = false
  /** Whether it was nothing but events. */
  let isPlain = true
  let outcome: { readonly error?: unknown } = {}

  /** What is new of what arrived. */
  const accept = (): EventEnvelope[] => {
    const events: EventEnvelope[] = []
    isPlain = !done
    for (const arrival of arrivals) {
      if (typeof arrival === 'number') retryMs = arrival
      else if (arrival === 'ping') {
        patience.renew()
        isPlain = false
      } else if (arrival instanceof Error) isPlain = false
      // A repeat is no progress: a gateway that sends nothing else must meet the backoff.
      else if (arrival.seq > (position ?? -1)) {
        position = arrival.seq
        events.push(arrival)
        isLast = info.terminal.includes(arrival.type)
        if (isLast) break
      }
    }
    if (events.length > 0) {
      patience.renew()
      over = false
    }
    return events
  }

  const connect = async (observed: ObservedCall): Promise<Connection> => {
    const controller = followSignal(signal)
    try {
      const { body } = await source.open(observed, position, controller.signal)
      // No body is one without bytes.
      const reader = (body ?? new Blob().stream()).getReader()
      // A body that has failed or ended refuses, and is closed all the same.
      controller.signal.addEventListener('abort', () => reader.cancel().catch(() => {}))
      const idle = watchIdle(timing, IDLE_PINGS * info.pingSeconds * 1000, () => controller.abort())
      return { controller, reader, decode: createFrameDecoder(source.maxFrameLength), idle }
    } catch (error) {
      controller.abort()
      throw error
    }
  }
  const disconnect = (): void => {
    connection?.idle.cancel()
    connection?.controller.abort()
    connection = undefined
    arrivals = NOTHING
    done = false
  }

  const read = ({ idle, reader }: Connection): Promise<Read> => {
    idle.begin()
    return reader.read()
  }
  /** The events that were read. */
  const receive = ({ controller, decode }: Connection, result: Read): readonly EventEnvelope[] => {
    done = result.done
    arrivals = result.value ? decode(result.value) : NOTHING
    const events = accept()
    if (isLast) controller.abort()
    return events
  }

  /** Whether all ends with what arrived, or the connection, or neither. */
  const judgeRest = async (done: boolean): Promise<'all' | 'connection' | null> => {
    // A first ping comes when what was stored has been sent: where the connection was opened after it was known that
    // nothing more will be written, and brought no event, there is none. An end proves less: a gateway that shuts down
    // ends a stream as cleanly. Two in a row are believed.
    if (over && (!done || ++emptyEnds > 1)) return 'all'
    over ??= (await isOver?.(signal)) ?? false
    return over || done ? 'connection' : null
  }

  /** Goes on whatever arrived, over as many connections as it takes. @param reading What was asked of this one already. */
  const goOn = async (reading?: Promise<Read>): Promise<readonly EventEnvelope[] | null> => {
    let pending = reading
    try {
      call ??= await source.observe(source.operationId)
      for (;;) {
        signal.throwIfAborted()
        if (isLast) return null
        let failure: GatewayError | undefined
        let trouble: Trouble = 'closed'
        let isReading = false
        try {
          connection ??= await connect(call)
          for (;;) {
            const fault = arrivals.at(-1)
            if (fault instanceof Error) throw fault
            if (done || arrivals.includes('ping')) {
              const end = await judgeRest(done)
              if (end === 'all') return null
              if (end) break
            }
            const asked = pending ?? read(connection)
            pending = undefined
            isReading = true
            const result = await asked
            isReading = false
            connection.idle.end()
            signal.throwIfAborted()
            if (connection.idle.isOver) throw broken()
            const events = receive(connection, result)
            if (events.length > 0) return events
          }
        } catch (thrown) {
          signal.throwIfAborted()
          const error = isReading ? broken(thrown) : thrown
          if (!mayPass(error)) throw error
          failure = error
          trouble = troubleOf(error, connection?.idle.isOver === true, arrivals.at(-1) === error)
        }
        disconnect()
        failure ??= new ConnectionError('The event stream ended.')
        await sleep(timing, patience.spend(trouble, failure, retryMs, position), signal)
      }
    } catch (error) {
      outcome = { error }
      throw error
    }
  }
  const goingOn = (asked?: Promise<Read>): void => void goOn(asked).then(onItems, onFailure)
  /** What is being read the quick way. */
  let reading: Promise<Read> | undefined
  const onRead = (result: Read): void => {
    if (!connection || signal.aborted || connection.idle.isOver) {
      goingOn(reading)
      return
    }
    connection.idle.end()
    const events = receive(connection, result)
    if (events.length > 0) onItems(events)
    else goingOn()
  }
  const onBroken = (): void => goingOn(reading)
  return {
    next: () => {
      if (!connection || isLast || !isPlain) return goingOn()
      // The way of nearly every event: no promise between the network's and the reader's.
      reading = read(connection)
      reading.then(onRead, onBroken)
    },
    close: async () => {
      disconnect()
      call?.end(outcome.error)
    },
  }
}

type Read = ReadableStreamReadResult<Uint8Array>

const NOTHING: readonly Arrival[] = []

const troubleOf = (error: GatewayError, isIdle: boolean, isBrokenFrame: boolean): Trouble => {
  if (isIdle) return 'idle'
  if (isBrokenFrame) return 'broken-frame'
  if (error instanceof ApiError) return 'refused'
  return error instanceof TimeoutError ? 'timeout' : 'connection'
}

const mayPass = (error: unknown): error is GatewayError =>
  error instanceof ApiError
    ? judge(error.status, error.code, error.problem?.outcome).isPassing
    : error instanceof GatewayError

const broken = (cause?: unknown): ConnectionError => new ConnectionError('The event stream broke.', { cause })

/** Time without a byte while one is waited for. The network is only read then, so that a slow consumer slows the gateway down. */
interface Idle {
  readonly isOver: boolean
  begin(): void
  end(): void
  cancel(): void
}

/** One timer for many waits, which is set anew when it finds that the latest has not lasted long enough. */
const watchIdle = (timing: Timing, idleMs: number, onIdle: () => void): Idle => {
  let isOver = false
  let sinceMs: number | null = null
  let cancel: (() => void) | undefined
  const look = (): void => {
    cancel = undefined
    if (sinceMs === null) return
    const leftMs = sinceMs + idleMs - timing.elapsed()
    if (leftMs > 0) {
      cancel = timing.after(leftMs, look)
      return
    }
    isOver = true
    onIdle()
  }
  return {
    get isOver() {
      return isOver
    },
    begin: () => {
      sinceMs = timing.elapsed()
      cancel ??= timing.after(idleMs, look)
    },
    end: () => {
      sinceMs = null
    },
    cancel: () => cancel?.(),
  }
}
