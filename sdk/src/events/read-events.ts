import type { Trouble } from '../client/decision.ts'
import { ApiError, ConnectionError, GatewayError, TimeoutError } from '../errors.ts'
import type { EventEnvelope } from '../generated/gateway.ts'
import { followSignal } from '../transport/follow-signal.ts'
import { sleep, type Timing } from '../transport/timing.ts'
import { judge } from '../transport/verdict.ts'
import { type Arrival, createFrameDecoder } from './decode-frames.ts'
import { createPatience } from './patience.ts'
import type { StreamSource } from './stream-source.ts'

/** Connections that bring no byte, pings included, for this many ping intervals count as dead. */
const IDLE_PINGS = 3

/** Where a stream is. */
export interface Place {
  position: number | null
}

/** The events in batches, as they arrive, over any number of connections. */
export async function* readEvents(
  source: StreamSource,
  place: Place,
  signal: AbortSignal,
): AsyncGenerator<Iterable<EventEnvelope>, void> {
  const { info, timing, isOver } = source
  const patience = createPatience(source)
  let { retryMs } = info
  /**
   * Whether the last event may lie at or before the position, or be pruned, so that none is left to come. It is asked
   * once: what was not over then, or has shown an event since, still has its last event to come (D-28).
   */
  let over: boolean | undefined
  let emptyEnds = 0
  let isLast = false

  for (;;) {
    signal.throwIfAborted()
    const connection = followSignal(signal)
    let trouble: Trouble = 'closed'
    let failure: GatewayError = new ConnectionError('The event stream ended.')
    /** Hands the events on as they are asked for. */
    const deliver = function* (arrivals: readonly Arrival[]): Generator<EventEnvelope> {
      for (const arrival of arrivals) {
        if (typeof arrival === 'number') retryMs = arrival
        else if (arrival === 'ping') patience.renew()
        // A repeat is no progress: a gateway that sends nothing else must meet the backoff.
        else if (!(arrival instanceof Error) && arrival.seq > (place.position ?? -1)) {
          patience.renew()
          over = false
          isLast = info.terminal.includes(arrival.type)
          if (isLast) connection.abort()
          yield arrival
          place.position = arrival.seq
          if (isLast) return
        }
      }
    }
    try {
      const { body } = await source.open(place.position, connection.signal)
      // No body is one without bytes.
      const reader = (body ?? new Blob().stream()).getReader()
      // A body that has failed or ended refuses, and is closed all the same.
      connection.signal.addEventListener('abort', () => reader.cancel().catch(() => {}))
      const decode = createFrameDecoder(source.maxFrameLength)
      for (;;) {
        const received = await receive(reader, timing, IDLE_PINGS * info.pingSeconds * 1000)
        signal.throwIfAborted()
        if (!received) {
          trouble = 'idle'
          break
        }
        const { done, value } = received
        const arrivals = done ? [] : decode(value)
        yield deliver(arrivals)
        signal.throwIfAborted()
        if (isLast) return
        const fault = arrivals.at(-1)
        if (fault instanceof Error) {
          trouble = 'broken-frame'
          throw fault
        }
        if (done || arrivals.includes('ping')) {
          // A first ping comes when what was stored has been sent: where the connection was opened after it was known
          // that nothing more will be written, and brought no event, there is none. An end proves less: a gateway
          // that shuts down ends a stream as cleanly. Two in a row are believed.
          if (over && (!done || ++emptyEnds > 1)) return
          over ??= (await isOver?.(signal)) ?? false
          if (over || done) break
        }
      }
    } catch (error) {
      signal.throwIfAborted()
      if (!mayPass(error)) throw error
      if (trouble === 'closed')
        trouble = error instanceof ApiError ? 'refused' : error instanceof TimeoutError ? 'timeout' : 'connection'
      failure = error
    } finally {
      connection.abort()
    }
    await sleep(timing, patience.spend(trouble, failure, retryMs, place.position), signal)
  }
}

const mayPass = (error: unknown): error is GatewayError =>
  error instanceof ApiError
    ? judge(error.status, error.code, error.problem?.outcome).isPassing
    : error instanceof GatewayError

/**
 * What comes next, or nothing when it does not come within `idleMs`. The network is only read here, so that a slow
 * consumer slows the gateway down.
 */
const receive = (
  reader: ReadableStreamDefaultReader<Uint8Array>,
  timing: Timing,
  idleMs: number,
): Promise<ReadableStreamReadResult<Uint8Array> | undefined> =>
  new Promise((resolve, reject) => {
    const cancel = timing.after(idleMs, () => resolve(undefined))
    const fail = (cause: unknown): void => reject(new ConnectionError('The event stream broke.', { cause }))
    reader.read().then(resolve, fail).then(cancel)
  })
