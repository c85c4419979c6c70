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

/**
 * The events after the position in batches, as they arrive, over any number of connections. Reads on when the next batch
 * is asked for.
 * @param after Null starts at the oldest retained event.
 * @param toBatch What becomes of the events that arrived together.
 */
export async function* readEvents<Batch>(
  source: StreamSource,
  after: number | null,
  signal: AbortSignal,
  toBatch: (events: readonly EventEnvelope[]) => Batch,
): AsyncGenerator<Batch, void> {
  const { info, timing, isOver } = source
  const patience = createPatience(source)
  const call = await source.observe(source.operationId)
  let { retryMs } = info
  let position = after
  /**
   * Whether the last event may lie at or before the position, or be pruned, so that none is left to come. It is asked
   * once: what was not over then, or has shown an event since, still has its last event to come (D-28).
   */
  let over: boolean | undefined
  let emptyEnds = 0
  let isLast = false
  /** What is new of what arrived. */
  const accept = (arrivals: readonly Arrival[]): EventEnvelope[] => {
    const events: EventEnvelope[] = []
    for (const arrival of arrivals) {
      if (typeof arrival === 'number') retryMs = arrival
      else if (arrival === 'ping') patience.renew()
      // A repeat is no progress: a gateway that sends nothing else must meet the backoff.
      else if (!(arrival instanceof Error) && arrival.seq > (position ?? -1)) {
        patience.renew()
        over = false
        position = arrival.seq
        events.push(arrival)
        isLast = info.terminal.includes(arrival.type)
        if (isLast) break
      }
    }
    return events
  }

  let outcome: { readonly error?: unknown } = {}
  try {
    for (;;) {
      signal.throwIfAborted()
      const connection = followSignal(signal)
      let idle: Idle | undefined
      let trouble: Trouble = 'closed'
      let failure: GatewayError = new ConnectionError('The event stream ended.')
      try {
        const { body } = await source.open(call, position, connection.signal)
        // No body is one without bytes.
        const reader = (body ?? new Blob().stream()).getReader()
        // A body that has failed or ended refuses, and is closed all the same.
        connection.signal.addEventListener('abort', () => reader.cancel().catch(() => {}))
        const decode = createFrameDecoder(source.maxFrameLength)
        idle = watchIdle(timing, IDLE_PINGS * info.pingSeconds * 1000, () => connection.abort())
        for (;;) {
          idle.begin()
          const { done, value } = await reader.read().catch(throwBroken)
          idle.end()
          signal.throwIfAborted()
          if (idle.isOver) throwBroken()
          const arrivals = done ? [] : decode(value)
          const events = accept(arrivals)
          if (isLast) connection.abort()
          if (events.length > 0) {
            yield toBatch(events)
            signal.throwIfAborted()
          }
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
        if (idle?.isOver) trouble = 'idle'
        else if (trouble === 'closed')
          trouble = error instanceof ApiError ? 'refused' : error instanceof TimeoutError ? 'timeout' : 'connection'
        failure = error
      } finally {
        idle?.cancel()
        connection.abort()
      }
      await sleep(timing, patience.spend(trouble, failure, retryMs, position), signal)
    }
  } catch (error) {
    outcome = { error }
    throw error
  } finally {
    call.end(outcome.error)
  }
}

const mayPass = (error: unknown): error is GatewayError =>
  error instanceof ApiError
    ? judge(error.status, error.code, error.problem?.outcome).isPassing
    : error instanceof GatewayError

const throwBroken = (cause?: unknown): never => {
  throw new ConnectionError('The event stream broke.', { cause })
}

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
