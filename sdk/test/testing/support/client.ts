import { setupServer } from 'msw/node'
import { afterAll, afterEach, beforeAll, expect } from 'vitest'
import { createTestGateway, type TestGateway, type TestGatewayOptions } from '../../../src/testing/index.ts'
import { handlersOf } from '../../../src/testing/msw.ts'
import { checkAnswer, contractOperation, faultsOf } from './contract.ts'

export const ORIGIN = 'https://gateway.test'

export interface CallOptions {
  readonly ids?: Readonly<Record<string, string>>
  readonly query?: Readonly<Record<string, string>>
  readonly headers?: Readonly<Record<string, string | null>>
  /** Sent as JSON, unless it is bytes or a string. */
  readonly body?: unknown
  readonly key?: string
  readonly subject?: string
  readonly signal?: AbortSignal
}

export interface Answered {
  readonly status: number
  readonly headers: Headers
  // biome-ignore lint/suspicious/noExplicitAny: tests read answers whose shape the contract check has validated
  readonly json: any
  readonly text: string
}

/** An open stream, read frame by frame; every event is checked against the contract. */
export interface OpenedStream {
  readonly response: Response
  /** The next frame as text, comments and `retry` included; null at the end. */
  frame(): Promise<string | null>
  /** The next event; null at the end. */
  // biome-ignore lint/suspicious/noExplicitAny: the contract check has validated each event
  event(): Promise<any>
  /** All events until the stream ends. */
  rest(): Promise<{ seq: number; type: string }[]>
  close(): Promise<void>
}

export interface TestClient {
  readonly gateway: TestGateway
  call(operationId: string, options?: CallOptions): Promise<Answered>
  stream(operationId: string, options?: CallOptions): Promise<OpenedStream>
  /** Creates a conversation; resolves with its ID. */
  create(subject?: string): Promise<string>
  /** Sends a text; resolves with the admission. */
  send(conversationId: string, text?: string, more?: CallOptions): Promise<Answered>
}

let keys = 0

/**
 * A gateway behind msw for the tests of one file, empty before each test. Every answer is checked against the contract.
 */
export const withTestGateway = (options: TestGatewayOptions = {}): TestClient => {
  const gateway = createTestGateway({ baseUrl: ORIGIN, ...options })
  const server = setupServer(...handlersOf(gateway))
  beforeAll(() => server.listen({ onUnhandledFrame: 'error' }))
  afterEach(() => gateway.reset())
  afterAll(() => server.close())

  const request = (
    operationId: string,
    { ids = {}, query = {}, headers = {}, body, key, subject, signal }: CallOptions,
  ) => {
    const { method, path } = contractOperation(operationId)
    const url = new URL(
      path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(ids[name] ?? 'absent')),
      ORIGIN,
    )
    for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value)
    const sent = new Headers({ authorization: 'Bearer gk_test', 'x-service-subject': subject ?? 'customer' })
    if (method === 'POST') sent.set('idempotency-key', key ?? `key-${++keys}`)
    if (method === 'POST') sent.set('content-type', 'application/json')
    for (const [name, value] of Object.entries(headers)) value === null ? sent.delete(name) : sent.set(name, value)
    const bytes =
      body === undefined || body instanceof Uint8Array || typeof body === 'string' ? body : JSON.stringify(body)
    return fetch(url, {
      method,
      headers: sent,
      ...(bytes === undefined ? {} : { body: bytes as BodyInit }),
      ...(signal === undefined ? {} : { signal }),
    })
  }

  const call = async (operationId: string, more: CallOptions = {}): Promise<Answered> => {
    const response = await request(operationId, more)
    const text = await response.text()
    expect(checkAnswer(operationId, response, text)).toEqual([])
    const isJson = response.headers.get('content-type')?.includes('json')
    return { status: response.status, headers: response.headers, text, json: isJson ? JSON.parse(text) : undefined }
  }

  return {
    gateway,
    call,
    stream: async (operationId, more = {}) => {
      const response = await request(operationId, more)
      expect(checkAnswer(operationId, response, null)).toEqual([])
      return openStream(response)
    },
    create: async (subject = 'customer') =>
      (await call('createConversation', { subject, body: { endpoint_id: 'ep_test' } })).json.conversation_id,
    send: (conversationId, text = 'Hello there', more = {}) =>
      call('sendMessage', {
        ids: { conversation_id: conversationId },
        body: { expected_generation: 1, input: { text } },
        ...more,
      }),
  }
}

const openStream = (response: Response): OpenedStream => {
  if (response.body === null) throw new Error('the stream has no body')
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader()
  let buffer = ''
  const frame = async (): Promise<string | null> => {
    for (;;) {
      const end = buffer.indexOf('\n\n')
      if (end >= 0) {
        const text = buffer.slice(0, end)
        buffer = buffer.slice(end + 2)
        return text
      }
      const { done, value } = await reader.read()
      if (done) return null
      buffer += value
    }
  }
  const event = async () => {
    for (;;) {
      const text = await frame()
      if (text === null) return null
      const [, id, type, data] = /^id: (\d+)\nevent: (\S+)\ndata: (.*)$/.exec(text) ?? []
      if (data === undefined) continue
      const envelope = JSON.parse(data)
      expect(faultsOf('EventEnvelope', envelope)).toEqual([])
      expect(faultsOf('SseFrame', { id, event: type, data: envelope })).toEqual([])
      expect([String(envelope.seq), envelope.type]).toEqual([id, type])
      return envelope
    }
  }
  return {
    response,
    frame,
    event,
    rest: async () => {
      const events = []
      for (let next = await event(); next !== null; next = await event()) events.push(next)
      return events
    },
    close: () => reader.cancel(),
  }
}
