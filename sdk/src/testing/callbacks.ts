import { CALLBACK_EVENT_TYPES } from '../generated/events.ts'
import type { KnownEvent } from '../generated/gateway.ts'
import { signedHeaders } from '../signature/sign.ts'
import type { WrittenEvent } from './state.ts'

/** The receiver of the in-memory gateway's callbacks. */
export interface TestCallbacks {
  /** The signing secret. */
  readonly secret: string
  /** Answers a delivery: `toFetchHandler(receiver)`, or a function that passes it on to the program's own route. */
  readonly handler: (request: Request) => Response | Promise<Response>
  /** Default: every type that callbacks can have. */
  readonly eventTypes?: readonly (typeof CALLBACK_EVENT_TYPES)[number][]
  /** The URL of the requests that the handler receives. Default `https://receiver.test/callbacks`. */
  readonly url?: string
}

/** A callback, and how its deliveries were answered. */
export interface RecordedCallback {
  readonly event: KnownEvent
  /** The status of each attempt, in order; null where the handler threw. */
  readonly attempts: readonly (number | null)[]
}

export interface CallbackSender {
  readonly callbacks: readonly RecordedCallback[]
  send(event: WrittenEvent): void
  /** Resolves when no delivery is in progress. */
  settled(): Promise<void>
  /** Repeats every callback that was not answered with 2xx, with the same ID and bytes. */
  retry(): Promise<void>
  clear(): void
}

/** Deliveries begin in the order of the events, each with its own timestamp, and do not wait for each other. */
export const createCallbackSender = (options: TestCallbacks | undefined, now: () => Date): CallbackSender => {
  const callbacks: { event: KnownEvent; body: Uint8Array<ArrayBuffer>; attempts: (number | null)[] }[] = []
  const underWay = new Set<Promise<void>>()
  let begun: Promise<unknown> = Promise.resolve()

  const deliver = ({ event, body, attempts }: (typeof callbacks)[number]): void => {
    if (options === undefined) return
    const { secret, handler, url = 'https://receiver.test/callbacks' } = options
    const signing = begun.then(() => signedHeaders({ id: event.event_id, body, secret, now: now() }))
    begun = signing.catch(() => {})
    const delivery = signing
      .then((headers) => handler(new Request(url, { method: 'POST', headers, body })))
      .then(
        ({ status }) => void attempts.push(status),
        () => void attempts.push(null),
      )
      .then(() => void underWay.delete(delivery))
    underWay.add(delivery)
  }
  const settled = async (): Promise<void> => {
    while (underWay.size > 0) await Promise.all(underWay)
  }

  return {
    callbacks,
    send: ({ type, json }) => {
      const types: readonly string[] = options?.eventTypes ?? CALLBACK_EVENT_TYPES
      if (options === undefined || !types.includes(type)) return
      const callback = { event: JSON.parse(json), body: new TextEncoder().encode(json), attempts: [] }
      callbacks.push(callback)
      deliver(callback)
    },
    settled,
    retry: async () => {
      await settled()
      for (const callback of callbacks) if (!isDelivered(callback)) deliver(callback)
      await settled()
    },
    clear: () => {
      callbacks.length = 0
    },
  }
}

const isDelivered = ({ attempts }: RecordedCallback): boolean => {
  const last = attempts.at(-1) ?? null
  return last !== null && last >= 200 && last < 300
}
