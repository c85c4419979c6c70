import { captureCaller, withCaller } from '../caller-stack.ts'
import type { SharedStreams } from '../events/shared-stream.ts'
import type { StreamOptions } from '../events/stream-source.ts'
import { type EventStream, subscribe } from '../events/subscribe.ts'
import type { EventEnvelope } from '../generated/gateway.ts'
import type { StreamInfo } from '../generated/operations.ts'
import type { ReplayHandle } from '../replay-handle.ts'
import type { OutgoingRequest } from '../transport/attempt.ts'
import { checkSubject, checkToken } from '../transport/headers.ts'
import type { Expected } from '../transport/read-answer.ts'
import { Receipt } from '../transport/receipt.ts'
import type { Repeat } from '../transport/retry.ts'
import { type Intention, type Sent, sendUntilSettled } from '../transport/send.ts'
import type { Http, PagesSpec, Send, StreamSpec, WaitSpec } from './call-specs.ts'
import { findEnd } from './find-end.ts'
import { intentionOf } from './intention-of.ts'
import { openStream } from './open-stream.ts'
import { checkNames } from './option-names.ts'
import {
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
import { type Answer, answerFrom, type Call, type Mutation, PendingCall } from './pending-call.ts'
import { replayRecorded } from './replay-recorded.ts'
import { callHeaders, contractHeaders } from './request-headers.ts'
import { sendRecorded } from './send-recorded.ts'
import { waitFor } from './wait.ts'

export type { Pages } from './pages.ts'
export type { Call, Mutation } from './pending-call.ts'

/** Far above the 1 MiB that an input may have, and a bound for what a broken peer makes the client hold. */
const MAX_FRAME_LENGTH = 16 * 1024 * 1024

const encoder = new TextEncoder()

/** workerd ties a connection to the request that opened it: another request that reads from it hangs. */
const mayShareConnections = (): boolean => globalThis.navigator?.userAgent !== 'Cloudflare-Workers'

/** What is sent under an idempotency key. */
interface Keyed {
  readonly method: string
  readonly url: string
  readonly key: string
  readonly body: string
  readonly retentionMs: number
  readonly tag: string | undefined
}

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
    return new PendingCall<T, null>(
      this.#call(intentionOf(this.settings, operationId, options, expected), options, send),
    )
  }

  /** A write without a key: sent again only while nothing can have happened, or where the contract says that a second one does no more. */
  write<T>(
    operationId: string,
    options: CallOptions = {},
    send: Send<Paths, T>,
    status: number,
    repeat: Repeat,
    expected?: Expected,
  ): Mutation<T, null> {
    const intention = { ...intentionOf(this.settings, operationId, options, expected), isWrite: true, status, repeat }
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
    const intention = { ...intentionOf(this.settings, operationId, options), isWrite: true, status }
    const receipt = new Receipt()
    return new PendingCall<T, Handle>(this.#call(intention, options, send, retentionMs, receipt), receipt)
  }

  pages<Page, Item, Query>(
    operationId: string,
    options: PageOptions = {},
    { query, send, items, continueFrom, next }: PagesSpec<Paths, Page, Item, Query>,
  ): Pages<Page, Item> {
    const caller = captureCaller(this.pages)
    const readFrom = (from: Query, signal = options.signal) =>
      withCaller(
        this.#call(intentionOf(this.settings, operationId, { ...options, signal }), options, (http, init) =>
          send(http, init, from),
        ),
        caller,
      )
    return new Pages({
      items,
      continueFrom,
      first: (signal) => readFrom(query, signal),
      after: (item, signal) => readFrom(next(query, item), signal),
      signal: options.signal,
      maxItems: options.maxItems ?? Number.POSITIVE_INFINITY,
    })
  }

  stream<T>(
    operationId: string,
    info: StreamInfo,
    options: StreamOptions = {},
    { of, send, end }: StreamSpec<Paths, T>,
  ): EventStream {
    const { settings } = this
    checkNames(options, STREAM_OPTIONS)
    const sent = { headers: options.headers, requestId: options.requestId }
    // What goes with a request of one reader goes with no other's.
    const isShared = sent.headers === undefined && sent.requestId === undefined && mayShareConnections()
    return subscribe(
      {
        ...settings,
        operationId,
        info,
        open: (call, position, signal) => {
          const [http, subject] = [this.#http, this.#subject]
          const resumeHeader = info.resume.header
          const options = { ...sent, signal }
          return openStream(call, { settings, http, subject, send, resumeHeader, position, options })
        },
        findEnd:
          end &&
          ((position, signal) => {
            const isLast = ({ run_id, type }: EventEnvelope) => run_id === of && info.terminal.includes(type)
            return findEnd(end, isLast, position, { ...sent, signal })
          }),
        patienceMs: settings.streamPatienceMs,
        waitForStream: options.waitForStream ?? true,
        maxFrameLength: MAX_FRAME_LENGTH,
      },
      options,
      isShared ? { streams: this.#streams, key: this.#keyOf(operationId, of) } : null,
    )
  }

  /** Up to where those who read the stream here have it: null for its begin, undefined when nobody reads it. */
  placeOf(operationId: string, of: string): number | null | undefined {
    return this.#streams.get(this.#keyOf(operationId, of))?.position
  }

  #keyOf(operationId: string, of: string): string {
    return JSON.stringify([this.#subject, operationId, of])
  }

  async wait<T>(options: WaitOptions = {}, { poll, wake, ...spec }: WaitSpec<T>): Promise<T> {
    checkNames(options, WAIT_OPTIONS)
    const { timeoutMs = 600_000, signal, ...sent } = options
    const caller = captureCaller(this.wait)
    // The first poll would have the caller on its own stack as well.
    await null
    const waiting = waitFor({
      ...this.settings,
      ...spec,
      poll: (inner) => poll({ ...sent, signal: inner }),
      wake: wake && ((record, inner) => wake(record, { ...sent, signal: inner })),
      deadlineMs: positive('timeoutMs', timeoutMs),
      signal,
    })
    return withCaller(waiting, caller)
  }

  /** Sends a recorded intention again: the same key, path and bytes. */
  replay<T, Handle extends ReplayHandle>(handle: Handle, options: CallOptions = {}): PendingCall<T, Handle> {
    const receipt = new Receipt()
    const answer = replayRecorded<T>(this.settings, handle, options, (request, intention) =>
      this.#send(request, intention, receipt),
    )
    return new PendingCall<T, Handle>(answer, receipt)
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
    const { data, response } = await send(this.#http, {
      params: { header: contractHeaders(this.#subject, key || null, options.requestId) },
      headers: callHeaders(this.settings, options),
      fetch: async ({ url, method, headers, body: content }) => {
        const isFile = content instanceof Blob
        const body = content === undefined || isFile ? '' : JSON.stringify(content)
        const handle = key ? this.#handle(intention, { method, url, key, body, retentionMs, tag: options.tag }) : null
        const bytes = isFile ? content : content === undefined ? undefined : encoder.encode(body)
        const times = isFile ? timesOf(options, this.settings.transferTimes) : {}
        const request = { url, method, headers, body: bytes }
        const sent = await this.#send(request, { ...intention, ...times, handle }, receipt)
        attempts = sent.attempts
        return sent.response
      },
    })
    // Absent only for answers without a body, whose T is void.
    return answerFrom(data as T, response, attempts)
  }

  #send(request: OutgoingRequest, intention: Intention, receipt: Receipt): Promise<Sent> {
    const { outbox } = this.settings
    const { handle } = intention
    if (outbox === null || handle === null) return sendUntilSettled(this.settings, request, intention)
    return sendRecorded(this.settings, outbox, request, { ...intention, handle }, receipt)
  }

  #handle({ operationId, status }: Intention, { method, url, key, body, retentionMs, tag }: Keyed): ReplayHandle {
    const { origin, timing } = this.settings
    const now = timing.now()
    return {
      version: 1,
      operationId: operationId as ReplayHandle['operationId'],
      origin,
      method,
      path: url.slice(origin.length),
      subject: this.#subject ?? '',
      idempotencyKey: key,
      body,
      status,
      createdAt: new Date(now).toISOString(),
      replayBefore: new Date(now + retentionMs).toISOString(),
      ...(tag !== undefined && { tag }),
    }
  }
}
