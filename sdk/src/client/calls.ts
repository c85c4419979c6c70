import { NotSentError, UnknownOutcomeError } from '../errors.ts'
import type { SharedStreams } from '../events/shared-stream.ts'
import type { StreamOptions } from '../events/stream-source.ts'
import { type EventStream, subscribe } from '../events/subscribe.ts'
import type { StreamInfo } from '../generated/operations.ts'
import { attemptOnce, type OutgoingRequest } from '../transport/attempt.ts'
import { checkHeaders, checkSubject, checkToken, utf8Header } from '../transport/headers.ts'
import type { ObservedCall } from '../transport/observed-call.ts'
import type { Expected } from '../transport/read-answer.ts'
import { Receipt } from '../transport/receipt.ts'
import { checkReplayHandle, type ReplayHandle } from '../transport/replay-handle.ts'
import { type Intention, type Sent, sendUntilSettled } from '../transport/send.ts'
import type { Http, PagesSpec, Send, SendInit, StreamSpec, WaitSpec } from './call-specs.ts'
import { checkNames } from './option-names.ts'
import {
  CALL_OPTIONS,
  type CallOptions,
  type MutationOptions,
  type PageOptions,
  positive,
  type Settings,
  STREAM_OPTIONS,
  timesOf,
  WAIT_OPTIONS,
  type WaitOptions,
} from './options.ts'
import { Pages } from './pages.ts'
import { type Answer, type Call, type Mutation, PendingCall } from './pending-call.ts'

export type { Pages } from './pages.ts'
export type { Call, Mutation } from './pending-call.ts'

/** Far above the 1 MiB that an input may have, and a bound for what a broken peer makes the client hold. */
const MAX_FRAME_LENGTH = 16 * 1024 * 1024

const encoder = new TextEncoder()

/** What the methods of a client are made of: each kind of operation once, for one subject. */
export class Calls<Paths extends object> {
  readonly settings: Settings
  readonly #http: Http<Paths>
  readonly #subject: string | null | undefined
  readonly #streams: SharedStreams

  /** @param subject Null where the API has none. Undefined where none was given: calls then throw a `TypeError`. */
  constructor(
    settings: Settings,
    http: Http<Paths>,
    subject: string | null | undefined,
    streams: SharedStreams = new Map(),
  ) {
    this.settings = settings
    this.#http = http
    this.#subject = subject
    this.#streams = streams
  }

  /** The same for another subject. */
  forSubject(subject: string): Calls<Paths> {
    return new Calls(this.settings, this.#http, checkSubject(subject), this.#streams)
  }

  read<T>(operationId: string, options: CallOptions = {}, send: Send<Paths, T>, expected?: Expected): Call<T> {
    return new PendingCall<T, null>(this.#call(this.#intention(operationId, options, expected), options, send))
  }

  /** A write without a key: sent again only while nothing can have happened, or where twice is as good as once. */
  write<T>(
    operationId: string,
    options: CallOptions = {},
    send: Send<Paths, T>,
    status: number,
    expected?: Expected,
  ): Mutation<T, null> {
    const intention = { ...this.#intention(operationId, options, expected), isWrite: true, status }
    return new PendingCall<T, null>(this.#call(intention, options, send))
  }

  /** @param retentionMs How long the gateway remembers the key. */
  mutate<T, Handle extends ReplayHandle>(
    operationId: string,
    options: MutationOptions = {},
    send: Send<Paths, T>,
    status: number,
    retentionMs: number,
  ): Mutation<T, Handle> {
    const intention = { ...this.#intention(operationId, options), isWrite: true, status }
    const receipt = new Receipt()
    return new PendingCall<T, Handle>(this.#call(intention, options, send, retentionMs, receipt), receipt)
  }

  pages<Page, Item, Query>(
    operationId: string,
    options: PageOptions = {},
    { query, send, items, continueFrom, next }: PagesSpec<Paths, Page, Item, Query>,
  ): Pages<Page, Item> {
    const readFrom = (from: Query) =>
      this.#call(this.#intention(operationId, options), options, (http, init) => send(http, init, from))
    return new Pages({
      items,
      continueFrom,
      first: () => readFrom(query),
      after: (item) => readFrom(next(query, item)),
      maxItems: options.maxItems ?? Number.POSITIVE_INFINITY,
    })
  }

  stream(
    operationId: string,
    info: StreamInfo,
    options: StreamOptions = {},
    { of, send, isOver }: StreamSpec<Paths>,
  ): EventStream {
    const { settings } = this
    checkNames(options, STREAM_OPTIONS)
    const sent = { headers: options.headers, requestId: options.requestId }
    // What goes with a request of one reader goes with no other's.
    const isShared = sent.headers === undefined && sent.requestId === undefined
    const key = JSON.stringify([this.#subject, operationId, of])
    return subscribe(
      {
        ...settings,
        operationId,
        info,
        open: (call, position, signal) =>
          this.#openStream(call, info.resume.header, position, { ...sent, signal }, send),
        isOver: isOver && ((signal) => isOver({ ...sent, signal })),
        patienceMs: settings.streamPatienceMs,
        maxFrameLength: MAX_FRAME_LENGTH,
      },
      options,
      isShared ? { streams: this.#streams, key } : null,
    )
  }

  async wait<T>(options: WaitOptions = {}, { poll, wake, ...spec }: WaitSpec<T>): Promise<T> {
    checkNames(options, WAIT_OPTIONS)
    const { timeoutMs = 600_000, signal, ...sent } = options
    const { waitFor } = await import('./wait.ts')
    return waitFor({
      ...this.settings,
      ...spec,
      poll: (inner) => poll({ ...sent, signal: inner }),
      wake: wake && ((record, inner) => wake(record, { ...sent, signal: inner })),
      deadlineMs: positive('timeoutMs', timeoutMs),
      signal,
    })
  }

  /** Sends a recorded intention again: the same key, path and bytes. */
  replay<T, Handle extends ReplayHandle>(handle: Handle, options: CallOptions = {}): PendingCall<T, Handle> {
    const receipt = new Receipt()
    return new PendingCall<T, Handle>(this.#replay(handle, options, receipt), receipt)
  }

  async #replay<T>(handle: ReplayHandle, options: CallOptions, receipt: Receipt): Promise<Answer<T>> {
    const { origin, timing } = this.settings
    const { operationId, method, path, subject, idempotencyKey, body, status, replayBefore } = checkReplayHandle(handle)
    if (handle.origin !== origin) throw new TypeError(`The handle is for ${handle.origin}, the client for ${origin}.`)
    if (timing.now() >= Date.parse(replayBefore)) {
      const cause = new NotSentError(`Not replayed: the gateway remembered the key until ${replayBefore}.`)
      throw new UnknownOutcomeError(`${cause.message} Read the state instead.`, handle, cause)
    }
    const headers = new Headers({
      ...this.#headers(options),
      ...this.#contractHeaders(subject, idempotencyKey, options.requestId),
      'Content-Type': 'application/json',
    })
    const { response, attempts } = await this.#send(
      { url: origin + path, method, headers, body: encoder.encode(body) },
      { ...this.#intention(operationId, options), isWrite: true, status, handle, mayHaveHappened: true },
      receipt,
    )
    return answerFrom((await response.json()) as T, response, attempts)
  }

  /**
   * The call through openapi-fetch, which makes address and headers. Body and key are made here, once: every attempt
   * sends the same.
   */
  async #call<T>(
    intention: Intention,
    options: MutationOptions,
    send: Send<Paths, T>,
    retentionMs = 0,
    receipt = new Receipt(),
  ): Promise<Answer<T>> {
    const key = retentionMs && checkToken('idempotencyKey', options.idempotencyKey ?? crypto.randomUUID())
    let attempts = 0
    let body: string | Blob | undefined
    const { data, response } = await send(this.#http, {
      params: { header: this.#contractHeaders(this.#subject, key || null, options.requestId) },
      headers: this.#headers(options),
      bodySerializer(value) {
        body = value instanceof Blob ? value : JSON.stringify(value)
        return body
      },
      fetch: async ({ url, method, headers }) => {
        const handle = key ? this.#handle(intention, method, url, key, String(body), retentionMs, options.tag) : null
        const bytes = typeof body === 'string' ? encoder.encode(body) : body
        const times = body instanceof Blob ? timesOf(options, this.settings.transferTimes) : {}
        const request = { url, method, headers, body: bytes }
        const sent = await this.#send(request, { ...intention, ...times, handle }, receipt)
        attempts = sent.attempts
        return sent.response
      },
    })
    // Absent only for answers without a body, whose T is void.
    return answerFrom(data as T, response, attempts)
  }

  /** What records is loaded by who has an outbox. */
  async #send(request: OutgoingRequest, intention: Intention, receipt: Receipt): Promise<Sent> {
    const { outbox } = this.settings
    const { handle } = intention
    if (outbox === null || handle === null) return sendUntilSettled(this.settings, request, intention)
    const { sendRecorded } = await import('../transport/send-recorded.ts')
    return sendRecorded(this.settings, outbox, request, { ...intention, handle }, receipt)
  }

  async #openStream(
    call: ObservedCall,
    resumeHeader: string,
    position: number | null,
    options: CallOptions & { readonly signal: AbortSignal },
    send: Send<Paths, unknown>,
  ): Promise<Response> {
    const { signal } = options
    const { response } = await send(this.#http, {
      params: { header: this.#contractHeaders(this.#subject, null, options.requestId) },
      headers: {
        ...this.#headers(options),
        Accept: 'text/event-stream',
        ...(position === null ? {} : { [resumeHeader]: String(position) }),
      },
      bodySerializer: String,
      fetch: async ({ url, method, headers }) => {
        const { settings } = this
        const attempt = await call.send({ url, method, headers, body: undefined }, (request) =>
          attemptOnce(request, {
            ...settings,
            expected: 'stream',
            status: 200,
            timeoutMs: settings.times.attemptTimeoutMs,
            signal,
          }),
        )
        if (attempt.kind === 'aborted') throw signal.reason
        if (attempt.kind === 'failed') throw attempt.error
        return attempt.response
      },
    })
    return response
  }

  #intention(operationId: string, options: CallOptions, expected: Expected = 'json'): Intention {
    const { times, transferTimes, maxAttempts } = this.settings
    checkNames(options, CALL_OPTIONS)
    return {
      operationId,
      expected,
      status: 200,
      isWrite: false,
      handle: null,
      mayHaveHappened: false,
      signal: options.signal,
      ...timesOf(options, expected === 'bytes' ? transferTimes : times),
      maxAttempts: positive('maxAttempts', options.maxAttempts ?? maxAttempts),
    }
  }

  #handle(
    { operationId, status }: Intention,
    method: string,
    url: string,
    idempotencyKey: string,
    body: string,
    retentionMs: number,
    tag: string | undefined,
  ): ReplayHandle {
    const { origin, timing } = this.settings
    const now = timing.now()
    return {
      version: 1,
      operationId: operationId as ReplayHandle['operationId'],
      origin,
      method,
      path: url.slice(origin.length),
      subject: this.#subject ?? '',
      idempotencyKey,
      body,
      status,
      createdAt: new Date(now).toISOString(),
      replayBefore: new Date(now + retentionMs).toISOString(),
      ...(tag !== undefined && { tag }),
    }
  }

  /** Which of them an operation takes is the contract's; the types of each call demand the right ones. */
  #contractHeaders(
    subject: string | null | undefined,
    key: string | null,
    requestId: string | undefined,
  ): SendInit['params']['header'] {
    if (subject === undefined) throw new TypeError('subject is missing: pass it to createClient or use forSubject.')
    return {
      ...(subject !== null && { 'X-Service-Subject': utf8Header(subject) }),
      ...(key !== null && { 'Idempotency-Key': key }),
      ...(requestId !== undefined && { 'X-Request-Id': checkToken('requestId', requestId) }),
    } as SendInit['params']['header']
  }

  #headers({ headers = {} }: CallOptions): Record<string, string> {
    return {
      Accept: 'application/json, application/problem+json',
      ...this.settings.headers,
      ...checkHeaders(headers),
      Authorization: `Bearer ${this.settings.apiKey}`,
    }
  }
}

const answerFrom = <T>(data: T, response: Response, attempts: number): Answer<T> => ({
  data,
  response,
  requestId: response.headers.get('x-request-id'),
  attempts,
  replayed: response.headers.get('idempotency-replayed') === 'true',
})
