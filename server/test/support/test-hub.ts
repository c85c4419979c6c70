import type { EventSink } from '../../src/gateway/stream/event-sink.ts'
import { createHub, type Hub } from '../../src/gateway/stream/hub.ts'
import { sseFrames } from '../../src/http/answers/sse-frame.ts'
import type { ConversationHint } from '../../src/writer/wakeups.ts'
import { createManualTimers, type ManualTimers } from './manual-timers.ts'
import { LOG, type MemoryLog } from './memory-log.ts'
import { createMemorySink, type MemorySink } from './memory-sink.ts'

export const PING_MS = 15_000
export const RETRY_MS = 1_000
export const GRACE_MS = 2_000

export interface OpenOptions {
  readonly after?: number
  readonly runId?: string
  /** The newest seq that the caller has read. Default: that of the log. */
  readonly lastSeq?: number
}

/** A hub over one conversation in memory. The test controls the hints, the time and the readers. */
export interface TestHub {
  readonly hub: Hub
  readonly timers: ManualTimers
  readonly errors: unknown[]
  readonly lags: number[]
  hint(): void
  loseHints(): void
  /** Opens a stream for a reader, by default from the start of the log. */
  serve(sink: EventSink, options?: OpenOptions): void
  /** Opens a stream for a reader in memory, by default one that takes everything at once. */
  open(options?: OpenOptions & { readonly sink?: MemorySink }): MemorySink
}

export const createTestHub = (log: MemoryLog): TestHub => {
  const timers = createManualTimers()
  const errors: unknown[] = []
  const lags: number[] = []
  let onHint: (hint: ConversationHint) => void = () => {}
  let onLost = (): void => {}
  const hub = createHub({
    reader: log,
    frames: sseFrames,
    clock: { now: () => new Date(timers.now) },
    timers,
    pingMs: PING_MS,
    retryMs: RETRY_MS,
    graceMs: GRACE_MS,
    wakeups: {
      onConversation: (hintListener, lostListener) => {
        onHint = hintListener
        onLost = lostListener
        return () => {
          onHint = () => {}
          onLost = () => {}
        }
      },
    },
    onError: (error) => errors.push(error),
    onLag: (lagMs) => lags.push(lagMs),
  })
  const serve = (sink: EventSink, { after = 0, runId, lastSeq = log.lastSeq }: OpenOptions = {}): void => {
    hub.subscribe({ log: { ...LOG, runId: runId ?? null }, position: after, lastSeq, sink })
  }
  return {
    hub,
    timers,
    errors,
    lags,
    hint: () => onHint(LOG),
    loseHints: () => onLost(),
    serve,
    open: ({ sink = createMemorySink(), ...options } = {}) => {
      serve(sink, options)
      return sink
    },
  }
}

/** Waits for one turn of the event loop, in which all pending microtasks run. */
export const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))
