import { randomUUID } from 'node:crypto'
import type {
  Admission,
  Control,
  Conversation,
  ConversationList,
  MessageInput,
  MessageList,
  Operation,
  Resource,
  Run,
  Snapshot,
} from '#openapi/generated/gateway'
import { AnswerError } from '../failure.ts'
import { utf8Header } from '../utf8-header.ts'
import type { EventStream } from './event-stream.ts'
import { withHandledRejections } from './handled-rejections.ts'
import { nameRequest } from './operations.ts'
import type { Answer, WireRequest } from './wire.ts'

/** Parts of a request other than its method and path. */
export interface CallOptions extends Pick<WireRequest, 'giveUpAfterMs'> {
  /** Sent as JSON with its content type. */
  readonly json?: unknown
  /** Sent unchanged, instead of `json`. Set the content type in `headers`. */
  readonly body?: string | Uint8Array
  /** The Idempotency-Key. */
  readonly key?: string
  /** Replace the caller's own headers by name in lower case; null omits a header. */
  readonly headers?: Readonly<Record<string, string | readonly string[] | null>>
}

export interface StreamPosition {
  readonly after?: number | string
  readonly lastEventId?: number | string
  readonly headers?: CallOptions['headers']
}

export interface CallerOptions {
  readonly apiKey: string
  readonly subject: string
  send(request: WireRequest): Promise<Answer>
  open(request: WireRequest): Promise<EventStream | Answer>
  /** Called with each conversation that a POST has created or changed, so that its runs can be ended afterwards. */
  onConversation(caller: Caller, conversationId: string): void
}

/** An application that acts for a subject. Paths are relative to `/api/v1`; every method returns the answer. */
export interface Caller {
  readonly apiKey: string
  readonly subject: string
  request<Body = unknown>(method: string, path: string, options?: CallOptions): Promise<Answer<Body>>
  get<Body = unknown>(path: string, options?: CallOptions): Promise<Answer<Body>>
  /** Uses a fresh Idempotency-Key by default. */
  post<Body = unknown>(path: string, json: unknown, options?: CallOptions): Promise<Answer<Body>>
  /** Posts exactly this text as JSON. */
  postText<Body = unknown>(path: string, text: string, options?: CallOptions): Promise<Answer<Body>>
  createConversation(json: unknown, options?: CallOptions): Promise<Answer<Conversation>>
  listConversations(query: string): Promise<Answer<ConversationList>>
  snapshot(conversationId: string): Promise<Answer<Snapshot>>
  send(conversationId: string, input: MessageInput, more?: SendOptions): Promise<Answer<Admission>>
  history(conversationId: string, query?: string): Promise<Answer<MessageList>>
  run(runId: string): Promise<Answer<Run>>
  cancel(runId: string, options?: CallOptions): Promise<Answer<Control>>
  reset(
    conversationId: string,
    generation: number,
    busyPolicy?: string,
    options?: CallOptions,
  ): Promise<Answer<Control>>
  operation(operationId: string): Promise<Answer<Operation>>
  createRun(endpointId: string, json: unknown, options?: CallOptions): Promise<Answer<Admission>>
  createResource(json: unknown, options?: CallOptions): Promise<Answer<Resource>>
  /** Opens an event stream. Fails for any other answer. */
  events(conversationId: string, position?: StreamPosition): Promise<EventStream>
  runEvents(runId: string, position?: StreamPosition): Promise<EventStream>
  /** Opens an event stream, or returns the refusal. */
  tryEvents(path: string, position?: StreamPosition): Promise<EventStream | Answer>
}

export interface SendOptions extends CallOptions {
  /** `expected_generation`. Default 1. */
  readonly generation?: number
  readonly startBefore?: string
}

const PREFIX = '/api/v1'

/** Replaces headers by name. Null omits a header. */
export function mergeHeaders(
  own: NonNullable<WireRequest['headers']>,
  more: NonNullable<CallOptions['headers']>,
): NonNullable<WireRequest['headers']> {
  const merged: Record<string, string | readonly string[]> = { ...own }
  for (const [name, value] of Object.entries(more)) {
    if (value === null) delete merged[name]
    else merged[name] = value
  }
  return merged
}

export function createCaller({ apiKey, subject, send, open, onConversation }: CallerOptions): Caller {
  const own = { authorization: `Bearer ${apiKey}`, 'x-service-subject': utf8Header(subject) }
  const headersOf = (more: NonNullable<CallOptions['headers']>) => mergeHeaders(own, more)

  const request = async <Body>(method: string, path: string, options: CallOptions = {}): Promise<Answer<Body>> => {
    const { json, body = json === undefined ? undefined : JSON.stringify(json), key, headers, giveUpAfterMs } = options
    const answer = await send({
      method,
      path: `${PREFIX}${path}`,
      headers: headersOf({
        ...(json === undefined ? {} : { 'content-type': 'application/json' }),
        ...(key === undefined ? {} : { 'idempotency-key': key }),
        ...headers,
      }),
      ...(body === undefined ? {} : { body }),
      ...(giveUpAfterMs === undefined ? {} : { giveUpAfterMs }),
    })
    const id = conversationIn(method, answer)
    if (id !== null) onConversation(caller, id)
    return answer as Answer<Body>
  }
  const post = <Body>(path: string, json: unknown, options: CallOptions = {}): Promise<Answer<Body>> =>
    request<Body>('POST', path, { key: randomUUID(), json, ...options })

  const tryEvents = (path: string, { after, lastEventId, headers }: StreamPosition = {}) =>
    open({
      method: 'GET',
      path: `${PREFIX}${path}${after === undefined ? '' : `?after=${encodeURIComponent(after)}`}`,
      headers: headersOf({
        accept: 'text/event-stream',
        ...(lastEventId === undefined ? {} : { 'last-event-id': String(lastEventId) }),
        ...headers,
      }),
    })
  const mustStream = async (path: string, position?: StreamPosition): Promise<EventStream> =>
    streamOf(await tryEvents(path, position))

  const caller: Caller = {
    apiKey,
    subject,
    request,
    post,
    postText: (path, text, options) =>
      post(path, undefined, { body: text, headers: { 'content-type': 'application/json' }, ...options }),
    get: (path, options) => request('GET', path, options),
    createConversation: (json, options) => post('/conversations', json, options),
    listConversations: (query) => request('GET', `/conversations?${query}`),
    snapshot: (id) => request('GET', `/conversations/${id}`),
    send: (id, input, { generation = 1, startBefore, ...options } = {}) =>
      post(
        `/conversations/${id}/messages`,
        { expected_generation: generation, input, ...(startBefore === undefined ? {} : { start_before: startBefore }) },
        options,
      ),
    history: (id, query = '') => request('GET', `/conversations/${id}/messages${query === '' ? '' : `?${query}`}`),
    run: (id) => request('GET', `/runs/${id}`),
    cancel: (id, options) => post(`/runs/${id}/cancel`, {}, options),
    reset: (id, generation, busyPolicy, options) =>
      post(
        `/conversations/${id}/reset`,
        { expected_generation: generation, ...(busyPolicy === undefined ? {} : { busy_policy: busyPolicy }) },
        options,
      ),
    operation: (id) => request('GET', `/operations/${id}`),
    createRun: (endpointId, json, options) => post(`/agent-endpoints/${endpointId}/runs`, json, options),
    createResource: (json, options) => post('/resources', json, options),
    events: (id, position) => mustStream(`/conversations/${id}/events`, position),
    runEvents: (id, position) => mustStream(`/runs/${id}/events`, position),
    tryEvents,
  }
  return withHandledRejections(caller)
}

/** Returns the opened stream. @throws {AnswerError} The answer is not a stream; the error shows it. */
export function streamOf(opened: EventStream | Answer): EventStream {
  if ('frames' in opened) return opened
  const { status, headers, text, request } = opened
  const what = status === 200 ? `is served as ${headers['content-type'] ?? 'nothing'}` : `answers ${status}`
  throw new AnswerError(
    `expected an event stream at ${request.path}, which ${what} ${text.slice(0, 300)}`.trimEnd(),
    `${nameRequest(request)} ${what} instead of an event stream`,
  )
}

/** ID of the conversation that a write created or changed. */
const conversationIn = (method: string, { status, body }: Answer): string | null =>
  method === 'POST' &&
  (status === 201 || status === 202) &&
  typeof body === 'object' &&
  body !== null &&
  'conversation_id' in body &&
  typeof body.conversation_id === 'string'
    ? body.conversation_id
    : null
