import { createHmac, randomUUID } from 'node:crypto'
import type { HeaderLine } from '../header-lines.ts'

/** A callback in wire format: unchanged header lines, and bytes. */
export interface Callback {
  readonly eventId: string
  readonly headers: readonly HeaderLine[]
  readonly body: Uint8Array
}

/** The parts of a callback. Omitted parts get correct values. */
export interface CallbackParts {
  readonly secret: string
  /** `webhook-id`. */
  readonly id?: string
  /** `webhook-timestamp`. Default: now. */
  readonly timestamp?: string
  readonly body?: string | Uint8Array
  /** Values to sign instead of the sent ones. */
  readonly signed?: { readonly id?: string; readonly timestamp?: string; readonly body?: string | Uint8Array }
}

export const newEventId = (): string => `evt_${randomUUID()}`

/** The envelope of a `run.completed`. `changes` replaces members. */
export const eventOf = (eventId: string, changes: Readonly<Record<string, unknown>> = {}) => ({
  conversation_id: `conv_of_${eventId}`,
  generation: 1,
  event_id: eventId,
  seq: 12,
  run_id: `run_of_${eventId}`,
  message_id: 'msg_1',
  type: 'run.completed',
  payload: { state: 'succeeded', result: { text: 'Größe, 漢字 🚀', resource_ids: [] } },
  ...changes,
})

export const nowSeconds = (): number => Math.floor(Date.now() / 1000)

/** The HMAC that a signature contains. */
export const hmacOf = (
  secret: string | Uint8Array,
  id: string,
  timestamp: string,
  body: string | Uint8Array,
  hash = 'sha256',
): Buffer => createHmac(hash, secret).update(`${id}.${timestamp}.`, 'utf8').update(body).digest()

/** Creates a callback with the signature of the signed values. */
export const makeCallback = ({ secret, signed = {}, ...parts }: CallbackParts): Callback => {
  const eventId = parts.id ?? newEventId()
  const timestamp = parts.timestamp ?? String(nowSeconds())
  const body = parts.body ?? JSON.stringify(eventOf(eventId))
  const mac = hmacOf(secret, signed.id ?? eventId, signed.timestamp ?? timestamp, signed.body ?? body)
  return {
    eventId,
    headers: [
      ['Content-Type', 'application/json'],
      ['webhook-id', eventId],
      ['webhook-timestamp', timestamp],
      ['webhook-signature', `v1,${mac.toString('hex')}`],
    ],
    body: Buffer.from(body),
  }
}

/** Replaces a header. Each value becomes a line; without values the header is omitted. */
export const withHeader = (callback: Callback, name: string, ...values: readonly string[]): Callback => {
  const others = callback.headers.filter(([each]) => each !== name)
  return { ...callback, headers: [...others, ...values.map((value): HeaderLine => [name, value])] }
}

export const headerOf = ({ headers }: Callback, name: string): string =>
  headers.find(([each]) => each === name)?.[1] ?? ''
