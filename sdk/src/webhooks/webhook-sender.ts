import { captureCaller, withCaller } from '../caller-stack.ts'
import { CALL_TIMES, type ClientOptions, checkNames, isLoopback, resolveSending, timesOf } from '../client/options.ts'
import { type Answer, answerFrom, type Call } from '../client/pending-call.ts'
import { type ApiError, NotSentError } from '../errors.ts'
import type { WebhookAcceptance, WebhookBody } from '../generated/gateway.ts'
import { isObject } from '../is-object.ts'
import { quietly } from '../quietly.ts'
import { EVENT_ID } from '../signature/sign.ts'
import type { DecisionListener } from '../transport/decision-report.ts'
import type { Fetch } from '../transport/fetch.ts'
import type { Hooks } from '../transport/observed-call.ts'
import { isForgotten, isRefusal } from '../transport/retry.ts'
import type { Sent } from '../transport/send.ts'
import type { Timing } from '../transport/timing.ts'
import { type DeliverySettings, deliver, UnknownDeliveryError, type WebhookHandle } from './deliver.ts'

export interface WebhookSenderOptions extends Hooks {
  /** The webhook's whole receiving URL, as shown when it was saved. HTTPS, except on loopback. */
  readonly url: string
  /** Its signing secret, as shown when it was saved or rotated; used literally. */
  readonly secret: string
  /** Replaces the global `fetch`. */
  readonly fetch?: Fetch | undefined
  /** Longest time for one attempt, in milliseconds. Default 15 000. */
  readonly attemptTimeoutMs?: number | undefined
  /**
   * Longest time for an event with all its attempts and waits, in milliseconds. Default 30 000. If the gateway is
   * unreachable and nothing was sent, sending fails after 8 000.
   */
  readonly timeoutMs?: number | undefined
  /** Maximum number of attempts. Default: as many as the timeout allows. */
  readonly maxAttempts?: number | undefined
  /**
   * Waits between attempts: full jitter below a bound that doubles from `baseMs` (default 250) to `maxMs`
   * (default 8 000).
   */
  readonly backoff?: ClientOptions['backoff']
  /** Called with every replay, with giving up, and with failures of hooks. */
  readonly onDecision?: DecisionListener | undefined
  /** Clock and random numbers, for tests. */
  readonly timing?: Timing | undefined
}

export interface SendWebhookOptions {
  /**
   * The event's own ID: 1-128 printable ASCII characters without spaces. If you derive it from the business event,
   * sending the event twice is safe. Default: a new one.
   */
  readonly id?: string | undefined
  /** Aborts sending: it rejects with a `NotSentError` or an `UnknownDeliveryError`. */
  readonly signal?: AbortSignal | undefined
}

/** How sending an event ended. */
export type WebhookOutcome =
  | ({ readonly kind: 'accepted' } & Answer<WebhookAcceptance>)
  /** Nothing happened: the gateway refused, or nothing was sent. */
  | { readonly kind: 'refused'; readonly error: ApiError | NotSentError }
  /** It may have been accepted: settle it with `sender.resend(handle)`. */
  | { readonly kind: 'unknown'; readonly handle: WebhookHandle; readonly error: UnknownDeliveryError }

/**
 * An event that is being sent. If it fails, it rejects with an `ApiError`, a `NotSentError` or an
 * `UnknownDeliveryError`.
 */
export interface WebhookDelivery extends Call<WebhookAcceptance> {
  /** The three outcomes as values. */
  outcome(): Promise<WebhookOutcome>
}

export interface WebhookSender {
  /**
   * Sends one event. After a connection error, a lost or broken answer, a timeout, 408, 425, 429 or a transient error
   * of the gateway, it sends the same ID and bytes again with a new signature. It waits at least `Retry-After`, and
   * stops at `timeoutMs`. Other 4xx are final.
   *
   * Resolves with the gateway's answer: an admission, or a control response if the webhook resets or cancels.
   *
   * @param body A JSON object, or its UTF-8 bytes, which are sent unchanged.
   * @throws {TypeError} `id` or `body` cannot be sent.
   */
  send(body: WebhookBody | Uint8Array, options?: SendWebhookOptions): WebhookDelivery
  /**
   * Sends an event whose outcome is unknown again. If it was accepted before, the gateway repeats its first answer.
   *
   * @throws {TypeError} the handle belongs to another receiving URL.
   * @throws {NotSentError} the handle is too old: the gateway no longer knows the ID and could handle the event twice.
   */
  resend(handle: WebhookHandle, options?: Pick<SendWebhookOptions, 'signal'>): WebhookDelivery
}

const SENDER_OPTIONS: Readonly<Record<keyof WebhookSenderOptions, 1>> = {
  url: 1,
  secret: 1,
  fetch: 1,
  attemptTimeoutMs: 1,
  timeoutMs: 1,
  maxAttempts: 1,
  backoff: 1,
  onDecision: 1,
  onRequest: 1,
  onResponse: 1,
  tracing: 1,
  timing: 1,
}
const SEND_OPTIONS: Readonly<Record<keyof SendWebhookOptions, 1>> = { id: 1, signal: 1 }

/** How long the gateway remembers an accepted ID (D-34). */
const REMEMBERED_MS = 7 * 24 * 60 * 60 * 1000

/**
 * Sends signed events to one webhook of a gateway.
 *
 * @example
 * const sender = createWebhookSender({ url, secret })
 * await sender.send({ type: 'order.question', text: 'Where is my order?' }, { id: 'order-4711-question-1' })
 *
 * @throws {TypeError} the URL, the secret or a duration is invalid, or an option is unknown; the message says why.
 */
export const createWebhookSender = (options: WebhookSenderOptions): WebhookSender => {
  checkNames(options, SENDER_OPTIONS)
  const url = parseReceivingUrl(options.url)
  if (!options.secret) throw new TypeError('secret is empty. Was the environment variable that holds it read?')
  const settings: DeliverySettings = {
    ...resolveSending(options, (decision) => void quietly(() => options.onDecision?.(decision))),
    ...timesOf(options, CALL_TIMES),
    secret: options.secret,
  }
  const { timing } = settings

  return {
    send: (body, options = {}) => {
      checkNames(options, SEND_OPTIONS)
      const { id = `evt_${crypto.randomUUID()}`, signal } = options
      if (!EVENT_ID.test(id)) throw new TypeError('id must be 1-128 printable ASCII characters without spaces.')
      const createdAt = timing.now()
      const handle: WebhookHandle = {
        version: 1,
        url,
        id,
        body: toText(body),
        createdAt: new Date(createdAt).toISOString(),
        resendBefore: new Date(createdAt + REMEMBERED_MS).toISOString(),
      }
      return toDelivery(deliver(settings, handle, false, signal))
    },
    resend: (handle, { signal } = {}) => {
      if (handle.url !== url) throw new TypeError(`The handle is of another receiving URL: ${handle.url}.`)
      if (isForgotten(handle.resendBefore, timing.now())) {
        const message = `Event ${handle.id} was not sent again: the gateway remembered it until ${handle.resendBefore}, and could handle it a second time now.`
        return toDelivery(Promise.reject(new NotSentError(message)))
      }
      return toDelivery(deliver(settings, handle, true, signal))
    },
  }
}

/** Checks a webhook's receiving URL; throws a `TypeError` that says what is wrong with it. */
export const parseReceivingUrl = (text: string): string => {
  const url = URL.canParse(text) ? new URL(text) : null
  if (url === null || !/^https?:$/.test(url.protocol)) {
    throw new TypeError('url must be the whole receiving URL that the gateway shows when the webhook is saved.')
  }
  if (url.pathname === '/') {
    throw new TypeError(`url is only the origin ${url.origin}: use the whole receiving URL, with the webhook's ID.`)
  }
  if (url.username || url.password || url.search || url.hash) {
    throw new TypeError('url must not contain a user, password, query or fragment.')
  }
  if (url.protocol === 'http:' && !isLoopback(url.hostname)) {
    throw new TypeError(`url must use https: over http the events to ${url.hostname} would be readable in transit.`)
  }
  return url.href
}

/** The body as the text that every attempt sends. */
const toText = (body: WebhookBody | Uint8Array): string => {
  if (!(body instanceof Uint8Array)) {
    if (isObject(body)) return JSON.stringify(body)
    throw new TypeError('body must be a JSON object or its bytes.')
  }
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(body)
  } catch {
    throw new TypeError('body must be JSON in UTF-8: these bytes are not UTF-8.')
  }
}

const toDelivery = (delivered: Promise<Sent>): WebhookDelivery => {
  const answer = withCaller(delivered, captureCaller(toDelivery)).then(toAnswer)
  const data = answer.then((each) => each.data)
  // The other views reject with the same error.
  const handled = (): Promise<Answer<WebhookAcceptance>> => {
    data.catch(() => {})
    return answer
  }
  return Object.assign(data, {
    withResponse: handled,
    outcome: () => handled().then((each): WebhookOutcome => ({ kind: 'accepted', ...each }), toFailedOutcome),
  })
}

const toAnswer = async ({ response, attempts }: Sent): Promise<Answer<WebhookAcceptance>> =>
  answerFrom(await response.json(), response, attempts)

const toFailedOutcome = (error: unknown): WebhookOutcome => {
  if (error instanceof UnknownDeliveryError) return { kind: 'unknown', handle: error.handle, error }
  if (isRefusal(error)) return { kind: 'refused', error }
  throw error
}
