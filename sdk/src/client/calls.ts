import { captureCaller, withCaller } from '../caller-stack.ts'
import type { SharedStreams } from '../events/shared-stream.ts'
import type { StreamOptions } from '../events/stream-source.ts'
import { type EventStream, subscribe } from '../events/subscribe.ts'
import type { EventEnvelope } from '../generated/gateway.ts'
import type { OperationInfo, StreamInfo } from '../generated/operations.ts'
import type { ReplayHandle } from '../replay-handle.ts'
import { attemptOnce, type OutgoingRequest } from '../transport/attempt.ts'
import { checkSubject, checkToken } from '../transport/headers.ts'
import type { ObservedCall } from '../transport/observed-call.ts'
import { type Intention, type Sent, sendUntilSettled } from '../transport/send.ts'
import { type EndSpec, findEnd } from './find-end.ts'
import {
  type CallOptions,
  checkNames,
  type MutationOptions,
  type PageOptions,
  positive,
  type Settings,
  STREAM_OPTIONS,
  WAIT_OPTIONS,
  type WaitOptions,
} from './options.ts'
import { Pages, type PagesSpec } from './pages.ts'
import { type Answer, answerFrom, PendingCall, Receipt } from './pending-call.ts'
import { replayRecorded, sendRecorded } from './recorded.ts'
import { addressOf, intentionOf, type OperationInput, requestHeaders } from './request.ts'
import { toBlob } from './upload.ts'
import { type WaitSpec, waitFor } from './wait.ts'

export type { Pages } from './pages.ts'
export type { Call, Mutation } from './pending-call.ts'

/** Far above the 1 MiB limit of an input; it bounds how much a broken peer can make the client buffer. */
const MAX_FRAME_LENGTH = 16 * 1024 * 1024

const encoder = new TextEncoder()

/** workerd binds a connection to the request that opened it; reading it from another request hangs. */
const mayShareConnections = (): boolean => globalThis.navigator?.userAgent !== 'Cloudflare-Workers'

/** What a stream observes, and how to detect its end. */
export interface StreamSpec<T> {
  /** The ID of the observed run or conversation. */
  readonly of: string
  /** Null for streams without an end. */
  readonly end: EndSpec<T> | null
}

/** The building blocks of the client's methods: one function for each kind of operation, for one subject. */
export class Calls {
  readonly settings: Settings
  readonly #subject: string | null | undefined
  readonly #streams: SharedStreams

  /**
   * @param subject Null if the API has no subjects. Undefined if none was given: calls then reject with a `TypeError`.
   */
  constructor(settings: Settings, subject: string | null | undefined, streams: SharedStreams = new Map()) {
    this.settings = settings
    this.#subject = subject
    this.#streams = streams
  }

  /** The same for another subject. */
  forSubject(subject: string): Calls {
    return new Calls(this.settings, checkSubject(subject), this.#streams)
  }

  /** A read or a write. A write without a key is repeated only as the operation's `repeat` allows. */
  call<T, Handle extends ReplayHandle | null>(
    operation: OperationInfo,
    options: MutationOptions = {},
    input: OperationInput,
  ): PendingCall<T, Handle> {
    const receipt = new Receipt()
    const intention = intentionOf(this.settings, operation, options, 'content' in input)
    return new PendingCall<T, Handle>(this.#call(intention, operation, options, input, receipt), receipt)
  }

  pages<Page, Item>(
    operation: OperationInfo,
    options: PageOptions = {},
    input: OperationInput,
    spec: PagesSpec<Page, Item>,
  ): Pages<Page, Item> {
    const caller = captureCaller(this.pages)
    const read = (from: object, signal = options.signal): Promise<Answer<Page>> => {
      const intention = intentionOf(this.settings, operation, { ...options, signal })
      const query = { ...input.query, ...from }
      return withCaller(this.#call(intention, operation, options, { ...input, query }), caller)
    }
    const { signal, maxItems = Number.POSITIVE_INFINITY } = options
    return new Pages({ ...spec, read, signal, maxItems })
  }

  stream<T>(
    operation: OperationInfo & { readonly stream: StreamInfo },
    options: StreamOptions = {},
    input: OperationInput,
    { of, end }: StreamSpec<T>,
  ): EventStream {
    const { settings } = this
    const { operationId, stream: info } = operation
    checkNames(options, STREAM_OPTIONS)
    const sent = { headers: options.headers, requestId: options.requestId }
    // A reader with its own headers or request ID does not share a connection.
    const isShared = sent.headers === undefined && sent.requestId === undefined && mayShareConnections()
    return subscribe(
      {
        ...settings,
        operationId,
        info,
        open: (call, position, signal) => this.#open(call, operation, input, position, { ...sent, signal }),
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

  /** Opens a stream once; rejects with the error of the attempt. */
  async #open(
    call: ObservedCall,
    { method, path, status }: OperationInfo,
    input: OperationInput,
    position: number | null,
    options: CallOptions & { readonly signal: AbortSignal },
  ): Promise<Response> {
    const { settings } = this
    const { signal } = options
    const own = { subject: this.#subject, accept: 'text/event-stream', lastEventId: position }
    const headers = requestHeaders(settings, options, own)
    const request = { url: addressOf(settings.origin, path, input), method, headers, body: undefined }
    const { attemptTimeoutMs: timeoutMs } = settings.times
    const attempt = await call.send(request, (outgoing) =>
      attemptOnce(outgoing, { ...settings, expected: 'stream', status, timeoutMs, signal }),
    )
    if (attempt.kind === 'aborted') throw signal.reason
    if (attempt.kind === 'failed') throw attempt.error
    return attempt.response
  }

  /** The position of this client's open stream: null for its beginning, undefined when none is open. */
  positionOf(operationId: string, of: string): number | null | undefined {
    return this.#streams.get(this.#keyOf(operationId, of))?.position
  }

  #keyOf(operationId: string, of: string): string {
    return JSON.stringify([this.#subject, operationId, of])
  }

  async wait<T>(options: WaitOptions = {}, { poll, wake, ...spec }: WaitSpec<T>): Promise<T> {
    checkNames(options, WAIT_OPTIONS)
    const { timeoutMs = 600_000, signal, ...sent } = options
    const caller = captureCaller(this.wait)
    // Leave the caller's stack before the first poll: otherwise the stack of its error would contain the caller twice.
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

  /** Body and key are created here once, so every attempt sends the same. */
  async #call<T>(
    intention: Intention,
    operation: OperationInfo,
    options: MutationOptions,
    input: OperationInput,
    receipt = new Receipt(),
  ): Promise<Answer<T>> {
    const { settings } = this
    const { method, path, key: replayed, answer = 'json' } = operation
    const content = 'content' in input ? toBlob(input.content) : null
    const key = replayed && checkToken('idempotencyKey', options.idempotencyKey ?? crypto.randomUUID())
    const url = addressOf(settings.origin, path, input)
    const body = input.body && JSON.stringify(input.body)
    const headers = requestHeaders(settings, options, {
      subject: this.#subject,
      idempotencyKey: key,
      contentType: content ? 'application/octet-stream' : body && 'application/json',
    })
    const handle = key === undefined ? null : this.#handle(operation, url, key, body ?? '', options.tag)
    const bytes = content ?? (body === undefined ? undefined : encoder.encode(body))
    const request = { url, method, headers, body: bytes }
    const { response, attempts } = await this.#send(request, { ...intention, handle }, receipt)
    const data = answer === 'nothing' ? undefined : await (answer === 'bytes' ? response.blob() : response.json())
    return answerFrom(data as T, response, attempts)
  }

  #send(request: OutgoingRequest, intention: Intention, receipt: Receipt): Promise<Sent> {
    const { outbox } = this.settings
    const { handle } = intention
    if (outbox === null || handle === null) return sendUntilSettled(this.settings, request, intention)
    return sendRecorded(this.settings, outbox, request, { ...intention, handle }, receipt)
  }

  #handle(
    { operationId, method, status, key }: OperationInfo,
    url: string,
    idempotencyKey: string,
    body: string,
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
      replayBefore: new Date(now + (key?.retentionMs ?? 0)).toISOString(),
      ...(tag !== undefined && { tag }),
    }
  }
}
