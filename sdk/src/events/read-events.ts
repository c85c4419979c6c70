import type { Trouble } from '../client/decision.ts'
import { ApiError, ConnectionError, type GatewayError, isApiError, TimeoutError } from '../errors.ts'
import type { EventEnvelope } from '../generated/gateway.ts'
import { followSignal } from '../transport/follow-signal.ts'
import type { ObservedCall } from '../transport/observed-call.ts'
import { mayPass } from '../transport/retry.ts'
import { sleep, type Timing } from '../transport/timing.ts'
import { type Arrivals, createFrameDecoder } from './decode-frames.ts'
import { watchEnd } from './end-watch.ts'
import type { Batches, Sink } from './iterate-once.ts'
import { createPatience } from './patience.ts'
import type { StreamSource } from './stream-source.ts'

/** Connections that bring no byte, pings included, for this many ping intervals count as dead. */
const IDLE_PINGS = 3

/** A connection that is open, and what keeps it from being waited for without end. */
interface Connection {
  readonly controller: AbortController
  readonly reader: ReadableStreamDefaultReader<Uint8Array>
  readonly decode: ReturnType<typeof createFrameDecoder>
  readonly idle: Idle
  readonly openedAtMs: number
}

/**
 * The events after the position in batches, as they arrive, over any number of connections. Reads on when the next batch
 * is asked for.
 * @param after Null starts at the oldest retained event.
 * @param onOpen Called with each connection.
 * @param waits Whether a refusal with `STREAM_LIMIT` is one to wait for.
 */
export const readEvents = (
  source: StreamSource,
  after: number | null,
  signal: AbortSignal,
  { onItems, onFailure }: Sink<EventEnvelope>,
  onOpen: () => void,
  waits: (refusal: ApiError) => boolean = () => source.waitForStream,
): Batches => {
  const { info, timing } = source
  const pingMs = info.pingSeconds * 1000
  const patience = createPatience(source)
  let call: ObservedCall | undefined
  let connection: Connection | undefined
  let { retryMs } = info
  let position = after
  const end = watchEnd(source, signal, () => connection?.controller.abort())
  let isLast = false
  /** Of what arrived last: what is new, whether it had a ping, what was wrong with the rest, and whether it was the end. */
  let events: EventEnvelope[] = []
  let hasPing = false
  let fault: ConnectionError | undefined
  let done = false
  let outcome: { readonly error?: unknown } = {}

  const arrivals: Arrivals = {
    onEvent: (event) => {
      // A repeat is no progress: a gateway that sends nothing else must meet the backoff.
      const isNew = event.seq > (position ?? -1)
      if (isLast || !isNew) return
      position = event.seq
      events.push(event)
      isLast = info.terminal.includes(event.type)
    },
    onPing: () => {
      hasPing = true
    },
    onRetry: (delayMs) => {
      retryMs = delayMs
    },
  }

  const connect = async (observed: ObservedCall): Promise<Connection> => {
    const controller = followSignal(signal)
    try {
      const { body } = await source.open(observed, position, controller.signal)
      // No body is one without bytes.
      const reader = (body ?? new Blob().stream()).getReader()
      // A body that has failed or ended refuses, and is closed all the same.
      controller.signal.addEventListener('abort', () => reader.cancel().catch(() => {}))
      const idle = watchIdle(timing, IDLE_PINGS * pingMs, () => controller.abort())
      const decode = createFrameDecoder(source.maxFrameLength, arrivals)
      onOpen()
      return { controller, reader, decode, idle, openedAtMs: timing.elapsed() }
    } catch (error) {
      controller.abort()
      throw error
    }
  }
  const forget = (): void => {
    events = []
    hasPing = false
    fault = undefined
    done = false
  }
  const disconnect = (): void => {
    connection?.idle.cancel()
    connection?.controller.abort()
    connection = undefined
    forget()
  }

  const read = ({ idle, reader }: Connection): Promise<Read> => {
    idle.begin()
    return reader.read()
  }
  /** The events that were read. */
  const receive = ({ controller, decode, openedAtMs }: Connection, result: Read): readonly EventEnvelope[] => {
    forget()
    done = result.done
    if (result.value) fault = decode(result.value)
    // Any peer can send a comment or an old event. One whose connection has lasted for a ping interval serves a quiet log.
    if (events.length > 0 || (hasPing && timing.elapsed() - openedAtMs >= pingMs)) patience.renew()
    // The last event of a run is after any other (D-28).
    if (events.length > 0) end.stop()
    if (isLast) controller.abort()
    return events
  }

  /** Goes on whatever arrived, over as many connections as it takes. @param reading What was asked of this one already. */
  const goOn = async (reading?: Promise<Read>): Promise<readonly EventEnvelope[] | null> => {
    let pending = reading
    try {
      call ??= source.observe(source.operationId)
      for (;;) {
        signal.throwIfAborted()
        if (isLast || end.isPassed()) return null
        let failure: GatewayError | undefined
        let trouble: Trouble = 'closed'
        let isReading = false
        try {
          connection ??= await connect(call)
          for (;;) {
            if (fault) throw fault
            if (done || hasPing) end.look(position)
            if (done) break
            const asked = pending ?? read(connection)
            pending = undefined
            isReading = true
            const result = await asked
            isReading = false
            connection.idle.end()
            signal.throwIfAborted()
            if (end.isPassed()) return null
            if (connection.idle.isOver) throw broken()
            const received = receive(connection, result)
            if (received.length > 0) return received
          }
        } catch (thrown) {
          signal.throwIfAborted()
          if (end.isPassed()) return null
          const error = isReading ? broken(thrown) : thrown
          if (!mayPass(error)) throw error
          if (isApiError(error, 'STREAM_LIMIT') && !waits(error)) throw error
          failure = error
          trouble = troubleOf(error, connection?.idle.isOver === true, fault === error)
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
    if (!connection || connection.controller.signal.aborted) {
      goingOn(reading)
      return
    }
    connection.idle.end()
    const received = receive(connection, result)
    if (received.length > 0) onItems(received)
    else goingOn()
  }
  const onBroken = (): void => goingOn(reading)
  return {
    next: () => {
      if (!connection || isLast || hasPing || done || fault) return goingOn()
      // The way of nearly every event: no promise between the network's and the reader's.
      reading = read(connection)
      reading.then(onRead, onBroken)
    },
    close: async () => {
      end.stop()
      disconnect()
      call?.end(outcome.error)
    },
  }
}

type Read = ReadableStreamReadResult<Uint8Array>

const troubleOf = (error: GatewayError, isIdle: boolean, isBrokenFrame: boolean): Trouble => {
  if (isIdle) return 'idle'
  if (isBrokenFrame) return 'broken-frame'
  if (error instanceof ApiError) return 'refused'
  return error instanceof TimeoutError ? 'timeout' : 'connection'
}

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
