import { oneAtATime } from '../../runtime/one-at-a-time.ts'
import type { EventLog } from '../../store/history/events.ts'
import type { WakeupBus } from '../wakeups/wakeup-bus.ts'
import { catchUp } from './catch-up.ts'
import type { Channel, ChannelOptions } from './channel.ts'
import { createChannel } from './channel.ts'
import type { EventSink } from './event-sink.ts'
import type { Subscriber } from './subscriber.ts'
import { createSubscriber } from './subscriber.ts'

export interface Subscription {
  readonly log: EventLog
  /** The stream receives events after this seq. */
  readonly position: number
  /** The newest seq when the position was validated. */
  readonly lastSeq: number
  readonly sink: EventSink
}

/**
 * All event streams of one process. Each subscriber gets every event of its log after its position exactly once, in
 * order; a stream that cannot be continued that way is closed, and the reader resumes.
 */
export interface Hub {
  /** Begins to serve a stream, and returns a function that ends it cleanly. */
  subscribe(subscription: Subscription): () => void
  /** The number of open streams. */
  openStreams(): number
  /** Ends all streams cleanly, including new ones; resolves when none is open. */
  close(): Promise<void>
}

export interface HubOptions extends ChannelOptions {
  readonly wakeups: Pick<WakeupBus, 'onConversation'>
  /** Interval of pings and of polling the logs (D-30: 15 000). */
  readonly pingMs: number
  /** How long a reader may take to receive buffered data when its stream ends. */
  readonly graceMs: number
}

/** Number of logs in one statement. */
const LOGS_AT_ONCE = 500

export const createHub = (options: HubOptions): Hub => {
  const { reader, frames, timers, pingMs, graceMs, onError } = options
  const channels = new Map<string, Channel>()
  const streams = new Set<Subscriber>()
  let closing = false
  let onLastClosed = (): void => {}

  const join = async ({ log, lastSeq }: Subscription, subscriber: Subscriber): Promise<void> => {
    const hasCaughtUp = await catchUp(reader, frames, log, subscriber, lastSeq)
    if (!subscriber.open) return
    if (!hasCaughtUp) {
      subscriber.end()
      return
    }
    const channel = channels.get(keyOf(log)) ?? createChannel(log.appId, log.conversationId, options)
    channels.set(keyOf(log), channel)
    channel.attach(subscriber)
  }

  /**
   * Polls the logs for events without a hint, many logs in one statement. If a log ends before a reader's position at
   * the start of the poll, it has lost events: the database was restored, or failed over without the last commits.
   */
  const poll = oneAtATime(async () => {
    const asked = [...channels.values()].map((channel) => ({ ...channel.log, ...channel.positions() }))
    const highest = new Map(asked.map((positions) => [keyOf(positions), positions.highest]))
    for (let start = 0; start < asked.length; start += LOGS_AT_ONCE)
      for (const moved of await reader.findMoved(asked.slice(start, start + LOGS_AT_ONCE))) {
        const channel = channels.get(keyOf(moved))
        // Readers may have advanced since the poll began; end only the streams of logs that lost events.
        const hasLost = moved.lastSeq < (highest.get(keyOf(moved)) ?? 0)
        channel?.endOutside(hasLost ? moved : { ...moved, lastSeq: Number.POSITIVE_INFINITY })
        channel?.readOn()
      }
  }, onError)
  const startPoll = (): void => {
    void poll()
  }
  const stopListening = options.wakeups.onConversation(
    (hint) => channels.get(keyOf(hint))?.readOn(hint.events),
    startPoll,
  )
  const stopPolling = timers.every(pingMs, startPoll)

  return {
    subscribe: (subscription) => {
      const { log, position, sink } = subscription
      const stopPings = timers.every(pingMs, () => subscriber.ping(frames.ping))
      const onLeave = (): void => {
        stopPings()
        if (channels.get(keyOf(log))?.detach(subscriber)) channels.delete(keyOf(log))
      }
      const subscriber = createSubscriber({ sink, runId: log.runId, position, timers, graceMs, onLeave })
      streams.add(subscriber)
      sink.onClose(() => {
        streams.delete(subscriber)
        if (streams.size === 0) onLastClosed()
      })
      if (closing) subscriber.end()
      join(subscription, subscriber).catch((error: unknown) => {
        onError(error)
        subscriber.end()
      })
      return subscriber.end
    },
    openStreams: () => streams.size,
    close: async () => {
      closing = true
      stopListening()
      stopPolling()
      for (const subscriber of streams) subscriber.end()
      if (streams.size === 0) return
      await new Promise<void>((resolve) => {
        onLastClosed = resolve
      })
    },
  }
}

/** Identifiers contain no slash. */
const keyOf = ({ appId, conversationId }: Pick<EventLog, 'appId' | 'conversationId'>): string =>
  `${appId}/${conversationId}`
