import { quietly } from '../quietly.ts'
import { headerValues, type SignatureHeaders } from '../signature/headers.ts'
import { sha256Hex } from '../signature/sign.ts'
import { SignatureError } from '../signature/signature-error.ts'
import type { CallbackStore } from './callback-store.ts'
import { type CallbackEvent, verifyCallback } from './verify-callback.ts'

export interface ReceiverOptions<Tx> {
  /** The callback configuration's secret, or several while one is being rotated. */
  readonly secret: string | readonly string[]
  /** Distinguishes new events from repeats: `postgresCallbackStore(pool)`, `memoryCallbackStore()` or your own. */
  readonly store: CallbackStore<Tx>
  /**
   * Handles a new event, inside the store's transaction; the answer waits for it. If it rejects, nothing is recorded
   * and the gateway sends the event again. With PostgreSQL, writes through `tx` happen exactly once, and all other
   * effects at least once. Leave slow work to a later job. It also receives events of unknown types.
   */
  readonly onEvent?: (event: CallbackEvent, tx: Tx) => void | Promise<void>
  /** Receives the error behind every answer that is not 2xx. The receiver's own errors contain no secret. */
  readonly onError?: (error: unknown) => void
  /** Longer bodies are answered with 413. In bytes. Default: 1 MiB. */
  readonly maxBodyBytes?: number
  /** The clock. Default: the system's. */
  readonly now?: () => Date
}

/** A request, as an adapter passes it on. */
export interface IncomingCallback {
  readonly method: string
  readonly headers: SignatureHeaders
  /** Reads the raw body, or gives undefined when it is longer than `maxBytes`. Called at most once. */
  readonly readBody: (maxBytes: number) => Promise<Uint8Array | undefined>
}

/** The response to send. */
export interface CallbackReply {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  /** JSON: `outcome`, and `message` for errors that the developer must fix. */
  readonly body: string
}

export interface CallbackReceiver {
  /** Receives one callback. Never rejects. */
  receive(callback: IncomingCallback): Promise<CallbackReply>
}

/** The message of the error that `onError` receives when the connection ends before the body is complete. */
export const SENDER_LEFT = 'The connection closed before the whole body had arrived.'

/** Other content arrived under the ID of an event that was recorded before (CB-39). */
export class CallbackConflictError extends Error {
  override readonly name = 'CallbackConflictError'
  readonly eventId: string

  constructor(eventId: string) {
    super(`Event ${eventId} arrived again with other content. The first content is kept; this content was not stored.`)
    this.eventId = eventId
  }
}

/**
 * A receiver of callbacks; an adapter puts it on a route: `toFetchHandler`, `toNodeHandler`, `toExpressHandler`,
 * `toFastifyPlugin`.
 *
 * It answers 200 only after the store has committed a new event, or for an identical repeat of a committed one (CB-40).
 * Otherwise: 400 signed, but not an event, or with another ID than its header; 401 unsigned, wrongly signed, or outside
 * the time tolerance; 405 not POST; 409 other content under a known ID; 413 too long; 415 not JSON; 500 the store or
 * the handler failed, or another component parsed the body first. The gateway repeats the callback after a 500.
 *
 * @throws {TypeError} the secret is missing or empty.
 */
export const createReceiver = <Tx>(options: ReceiverOptions<Tx>): CallbackReceiver => {
  const { secret, store, onEvent, onError, maxBodyBytes = 1_048_576, now = () => new Date() } = options
  if (secret === undefined || secret.length === 0 || [secret].flat().includes('')) {
    throw new TypeError('The receiver has no secret. Was the environment variable or setting that holds it read?')
  }

  const receive = async ({ method, headers, readBody }: IncomingCallback): Promise<CallbackReply> => {
    if (method !== 'POST') throw new Refusal(405, 'method_not_allowed', `${method} is not POST.`)
    const [contentType = ''] = headerValues(headers, 'content-type')
    if (!/^application\/json[ \t]*(;|$)/i.test(contentType)) {
      throw new Refusal(415, 'unsupported_media_type', 'The content type is not application/json.')
    }
    const [contentLength = '0'] = headerValues(headers, 'content-length')
    const body = Number(contentLength) > maxBodyBytes ? undefined : await readBody(maxBodyBytes)
    if (body === undefined || body.length > maxBodyBytes) {
      throw new Refusal(413, 'payload_too_large', `The body is longer than ${maxBodyBytes} bytes.`)
    }

    const event = await verifyCallback({ body, headers, secret, now: now() })
    const verdict = await store.record({ event, body, bodySha256: await sha256Hex(body) }, async (tx) => {
      await onEvent?.(event, tx)
    })
    if (verdict === 'conflicting') throw new CallbackConflictError(event.event_id)
    return reply(200, verdict)
  }

  return {
    receive: async (callback) => {
      try {
        return await receive(callback)
      } catch (error) {
        // A failing logger must not change the answer.
        quietly(() => onError?.(error))
        return toReply(error)
      }
    },
  }
}

/** A request that is refused before its signature is checked. */
class Refusal extends Error {
  override readonly name = 'CallbackRefusal'
  readonly status: number
  readonly outcome: string

  constructor(status: number, outcome: string, message: string) {
    super(message)
    this.status = status
    this.outcome = outcome
  }
}

const toReply = (error: unknown): CallbackReply => {
  if (error instanceof Refusal) {
    return reply(error.status, error.outcome, error.status === 405 ? { allow: 'POST' } : {})
  }
  if (error instanceof CallbackConflictError) return reply(409, 'conflicting')
  if (error instanceof SignatureError) {
    if (error.reason === 'parsed_body') return reply(500, error.reason, {}, error.message)
    return reply(error.reason === 'malformed_body' || error.reason === 'id_mismatch' ? 400 : 401, error.reason)
  }
  return reply(500, 'failed')
}

const reply = (
  status: number,
  outcome: string,
  headers: Record<string, string> = {},
  message?: string,
): CallbackReply => ({
  status,
  headers: { 'content-type': 'application/json', ...headers },
  body: JSON.stringify({ outcome, message }),
})
