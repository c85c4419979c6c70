import { randomUUID } from 'node:crypto'
import type {
  Admission,
  Control,
  Conversation,
  EventEnvelope,
  MessageInput,
  MessageList,
  Operation,
  Run,
  Snapshot,
} from '@conversation-gateway/openapi/generated/gateway-closed'
import { createParser } from 'eventsource-parser'

/** A client for tests: plain HTTP, no retries, nothing hidden. */

export interface Answer<Body = unknown> {
  readonly status: number
  readonly headers: Headers
  readonly body: Body
}

export interface RequestOptions {
  readonly body?: unknown
  /** Sent as is, instead of `body`. */
  readonly rawBody?: string | Uint8Array<ArrayBuffer>
  readonly idempotencyKey?: string
  readonly headers?: Readonly<Record<string, string>>
  /** Aborts the request. */
  readonly signal?: AbortSignal | undefined
}

export interface StreamOptions {
  readonly after?: number
  readonly lastEventId?: number
}

export interface OpenStream {
  readonly status: number
  readonly headers: Headers
  /** All events received so far. */
  readonly events: EventEnvelope[]
  /** The raw text received so far, including pings. */
  text(): string
  /** Resolves with the events once `done` returns true; rejects if the stream ends first or after `timeoutMs`. */
  until(done: (events: readonly EventEnvelope[]) => boolean, timeoutMs?: number): Promise<EventEnvelope[]>
  /** Resolves when the stream has ended, for whatever reason. */
  readonly ended: Promise<void>
  close(): void
}

const DEADLINE_MS = 30_000

export type Client = ReturnType<typeof createClient>

export const createClient = ({
  baseUrl,
  key,
  subject = 'subject-1',
}: {
  baseUrl: string
  key: string
  subject?: string
}) => {
  const headers = { authorization: `Bearer ${key}`, 'x-service-subject': subject }

  const request = async <Body = unknown>(
    method: string,
    path: string,
    options: RequestOptions = {},
  ): Promise<Answer<Body>> => {
    const payload = options.rawBody ?? (options.body === undefined ? undefined : JSON.stringify(options.body))
    const response = await fetch(`${baseUrl}${path}`, {
      method,
      headers: {
        ...headers,
        ...(payload === undefined ? {} : { 'content-type': 'application/json' }),
        ...(options.idempotencyKey === undefined ? {} : { 'idempotency-key': options.idempotencyKey }),
        ...options.headers,
      },
      ...(payload === undefined ? {} : { body: payload }),
      signal: options.signal ?? null,
    })
    const text = await response.text()
    const json = text !== '' && (response.headers.get('content-type')?.includes('json') ?? false)
    return { status: response.status, headers: response.headers, body: (json ? JSON.parse(text) : text) as Body }
  }

  /** A POST request, with a new idempotency key unless one is given. */
  const post = <Body>(path: string, body: unknown, idempotencyKey: string = randomUUID()): Promise<Answer<Body>> =>
    request<Body>('POST', path, { body, idempotencyKey })

  const stream = async (path: string, { after, lastEventId }: StreamOptions = {}): Promise<OpenStream> => {
    const abort = new AbortController()
    const response = await fetch(`${baseUrl}${path}${after === undefined ? '' : `?after=${after}`}`, {
      headers: {
        ...headers,
        accept: 'text/event-stream',
        ...(lastEventId === undefined ? {} : { 'last-event-id': String(lastEventId) }),
      },
      signal: abort.signal,
    })
    const events: EventEnvelope[] = []
    let text = ''
    let wake = (): void => {}
    const parser = createParser({
      onEvent: ({ data }) => {
        const envelope: EventEnvelope = JSON.parse(data)
        events.push(envelope)
      },
    })
    let over = false
    const ended = (async () => {
      const decoder = new TextDecoder()
      try {
        for await (const chunk of response.body ?? []) {
          const piece = decoder.decode(chunk, { stream: true })
          text += piece
          parser.feed(piece)
          wake()
        }
      } catch {
        // The connection was cut by the client or the server. Either way, the stream has ended.
      } finally {
        over = true
        wake()
      }
    })()
    return {
      status: response.status,
      headers: response.headers,
      events,
      text: () => text,
      until: (done, timeoutMs = DEADLINE_MS) =>
        new Promise((resolve, reject) => {
          const timer = setTimeout(() => settle(() => reject(new Error(describe('not in time')))), timeoutMs)
          const describe = (why: string) =>
            `${why}; status ${response.status}, ${events.length} events: ${events
              .slice(-20)
              .map(({ seq, type }) => `${seq} ${type}`)
              .join(', ')}`
          const settle = (finish: () => void) => {
            clearTimeout(timer)
            wake = () => {}
            finish()
          }
          wake = () => {
            if (done(events)) settle(() => resolve(events))
            else if (over) settle(() => reject(new Error(describe('the stream ended'))))
          }
          wake()
        }),
      ended,
      close: () => abort.abort(),
    }
  }

  return {
    request,
    post,
    stream,
    createConversation: (
      body: Readonly<Record<string, unknown>> = { endpoint_id: 'ep_script' },
      idempotencyKey?: string,
    ) => post<Conversation>('/api/v1/conversations', body, idempotencyKey),
    snapshot: (id: string) => request<Snapshot>('GET', `/api/v1/conversations/${id}`),
    history: (id: string, query = '') => request<MessageList>('GET', `/api/v1/conversations/${id}/messages${query}`),
    send: (id: string, input: MessageInput, expectedGeneration = 1, idempotencyKey?: string) =>
      post<Admission>(
        `/api/v1/conversations/${id}/messages`,
        { expected_generation: expectedGeneration, input },
        idempotencyKey,
      ),
    run: (id: string) => request<Run>('GET', `/api/v1/runs/${id}`),
    operation: (id: string) => request<Operation>('GET', `/api/v1/operations/${id}`),
    cancel: (id: string, idempotencyKey?: string) => post<Control>(`/api/v1/runs/${id}/cancel`, {}, idempotencyKey),
    reset: (id: string, expectedGeneration: number, busyPolicy?: string, idempotencyKey?: string) =>
      post<Control>(
        `/api/v1/conversations/${id}/reset`,
        { expected_generation: expectedGeneration, ...(busyPolicy === undefined ? {} : { busy_policy: busyPolicy }) },
        idempotencyKey,
      ),
    events: (id: string, options?: StreamOptions) => stream(`/api/v1/conversations/${id}/events`, options),
    runEvents: (id: string, options?: StreamOptions) => stream(`/api/v1/runs/${id}/events`, options),
  }
}

/** The input that makes the script assistant execute these steps (D-45). */
export const script = (...steps: readonly Record<string, unknown>[]): MessageInput => ({ data: { script: steps } })

/** Repeats a read until its value satisfies the condition; fails with the last value after `timeoutMs`. */
export const eventually = async <Value>(
  read: () => Promise<Value>,
  satisfied: (value: Value) => boolean,
  timeoutMs: number = DEADLINE_MS,
): Promise<Value> => {
  const start = performance.now()
  for (;;) {
    const value = await read()
    if (satisfied(value)) return value
    if (performance.now() - start > timeoutMs)
      throw new Error(`the condition was not satisfied within ${timeoutMs} ms: ${JSON.stringify(value)}`)
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}

const TERMINAL = new Set(['succeeded', 'failed', 'cancelled', 'interrupted', 'expired'])

/** Waits until the run has ended. */
export const ended = async (client: Client, runId: string, timeoutMs?: number): Promise<Run> =>
  (
    await eventually(
      () => client.run(runId),
      ({ body }) => TERMINAL.has(body.state),
      timeoutMs,
    )
  ).body

/** Waits until the run is in this state. */
export const reached = (client: Client, runId: string, state: Run['state']): Promise<Answer<Run>> =>
  eventually(
    () => client.run(runId),
    ({ body }) => body.state === state,
  )

/** Waits until the operation is complete. */
export const completed = async (client: Client, operationId: string): Promise<Operation> =>
  (
    await eventually(
      () => client.operation(operationId),
      ({ body }) => body.state === 'succeeded' || body.state === 'failed',
    )
  ).body
