import type { EndPlace, StreamSource } from '../../src/events/stream-source.ts'
import type { EventEnvelope } from '../../src/generated/gateway.ts'
import { OPERATIONS } from '../../src/generated/operations.ts'
import type { Decision } from '../../src/transport/decision-report.ts'
import { observer } from '../../src/transport/observed-call.ts'
import type { ManualTiming } from './manual-timing.ts'

/** How a played connection continues after its chunks. */
export type Ending = 'end' | 'reset' | 'hang'

/** One played connection: its chunks, each sent on request, or the error that opening it rejects with. */
export type PlayedConnection =
  | {
      readonly chunks: readonly (string | Uint8Array)[]
      readonly ending: Ending
      /** How long it is silent before its first chunk. Default 0. */
      readonly silentMs?: number
    }
  | { readonly error: unknown }

export interface PlayedGateway extends StreamSource {
  /** The positions of the connections so far. */
  readonly positions: readonly (number | null)[]
  readonly decisions: readonly Decision[]
  /** The number of chunks requested on all connections. */
  readonly chunksRead: number
  /** How many of the connections are open. */
  readonly openConnections: number
  /** How often the end of the run was searched for. */
  readonly timesAsked: number
}

export interface PlayedGatewayOptions {
  readonly timing: ManualTiming
  /** Returns the connection for the attempt with this index, from 0. */
  readonly play: (index: number, position: number | null) => PlayedConnection
  readonly over?: 'conversation' | 'run'
  /** Searches for the end of the stream's run. */
  readonly findEnd?: () => Promise<EndPlace>
  readonly patienceMs?: number
  readonly maxFrameLength?: number
  /** Whether aborting the signal leaves a connection open, so that only cancelling its body closes it. */
  readonly ignoresSignal?: boolean
}

const encoder = new TextEncoder()

export const createPlayedGateway = (options: PlayedGatewayOptions): PlayedGateway => {
  const { timing, play, findEnd } = options
  const positions: (number | null)[] = []
  const decisions: Decision[] = []
  const counts = { chunksRead: 0, open: 0, asked: 0 }
  const operation = options.over === 'run' ? OPERATIONS.streamRunEvents : OPERATIONS.streamConversationEvents
  return {
    operationId: operation.operationId,
    info: operation.stream,
    timing,
    backoff: { baseMs: 250, maxMs: 8_000 },
    waitForStream: true,
    patienceMs: options.patienceMs ?? 300_000,
    maxFrameLength: options.maxFrameLength ?? 1_000_000,
    report: (decision) => decisions.push(decision),
    observe: observer({}, { timing, report() {} }),
    findEnd:
      findEnd === undefined
        ? null
        : () => {
            counts.asked += 1
            return findEnd()
          },
    open: async (_call, position, signal) => {
      positions.push(position)
      const connection = play(positions.length - 1, position)
      if ('error' in connection) throw connection.error
      signal.throwIfAborted()
      return new Response(playBody(connection, options.ignoresSignal ? null : signal, counts, timing))
    },
    positions,
    decisions,
    get chunksRead() {
      return counts.chunksRead
    },
    get openConnections() {
      return counts.open
    },
    get timesAsked() {
      return counts.asked
    },
  }
}

const playBody = (
  { chunks, ending, silentMs = 0 }: Exclude<PlayedConnection, { error: unknown }>,
  signal: AbortSignal | null,
  counts: { chunksRead: number; open: number },
  timing: ManualTiming,
): ReadableStream<Uint8Array> => {
  const rest = [...chunks]
  let isOpen = true
  let isSilent = silentMs > 0
  const close = (): void => {
    if (isOpen) counts.open -= 1
    isOpen = false
  }
  counts.open += 1
  return new ReadableStream<Uint8Array>(
    {
      start: (controller) => {
        const abort = (): void => {
          if (isOpen) controller.error(signal?.reason)
          close()
        }
        // As fetch does, fails the body when the signal is aborted.
        signal?.addEventListener('abort', abort, { once: true })
      },
      pull: async (controller) => {
        if (isSilent) await new Promise<void>((resolve) => timing.after(silentMs, resolve))
        isSilent = false
        const chunk = rest.shift()
        if (chunk !== undefined) {
          counts.chunksRead += 1
          controller.enqueue(typeof chunk === 'string' ? encoder.encode(chunk) : chunk)
          return
        }
        if (ending === 'hang') return new Promise(() => {})
        close()
        if (ending === 'end') controller.close()
        else controller.error(new TypeError('terminated'))
        return undefined
      },
      cancel: close,
    },
    { highWaterMark: 0 },
  )
}

/** A sample event with this seq. */
export const someEvent = (seq: number, type = 'run.annotated'): EventEnvelope => {
  const event: unknown = {
    conversation_id: 'conv_1',
    generation: 1,
    event_id: `evt_${seq}`,
    seq,
    run_id: 'run_1',
    message_id: 'msg_1',
    type,
    payload: { note: `Größe ${seq} 🚀` },
  }
  return event as EventEnvelope
}

/** An event in its wire format. */
export const frameOf = (event: EventEnvelope, lineEnd = '\n'): string =>
  [`id: ${event.seq}`, `event: ${event.type}`, `data: ${JSON.stringify(event)}`, '', ''].join(lineEnd)

export const PING = ': ping\n\n'
