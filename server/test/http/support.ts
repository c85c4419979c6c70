import { once } from 'node:events'
import type { AddressInfo, Socket } from 'node:net'
import { connect } from 'node:net'
import { refuse } from '@conversation-gateway/openapi/behaviour/refusal'
import type { Admission, Run } from '@conversation-gateway/openapi/generated/gateway-closed'
import { ADMIN_OPERATIONS, OPERATIONS } from '@conversation-gateway/openapi/generated/operations'
import type { FastifyInstance } from 'fastify'
import { afterAll, expect, onTestFinished } from 'vitest'
import type { Authenticator, Caller } from '../../src/gateway/access/authenticate.ts'
import type { AdminHandlers } from '../../src/http/handlers/admin.ts'
import type { GatewayHandlers } from '../../src/http/handlers/gateway.ts'
import type { GaugeReadings } from '../../src/http/metrics.ts'
import { createMetrics } from '../../src/http/metrics.ts'
import type { Readiness } from '../../src/http/probes.ts'
import type { HttpServerOptions } from '../../src/http/server.ts'
import { createHttpServer } from '../../src/http/server.ts'

/** The HTTP surface on a real socket, over handlers that record their input and return what a test specifies. */

export const ADMIN_TOKEN = 'admin-token'

const ALL_SCOPES = ['conversations:read', 'conversations:write', 'runs:read', 'runs:write'] as const

export const ADMISSION: Admission = {
  conversation_id: 'conv_1',
  generation: 1,
  message_id: 'msg_1',
  run_id: 'run_1',
  state: 'queued',
  event_cursor: 1,
}

export const RUN: Run = {
  run_id: 'run_1',
  message_id: 'msg_1',
  conversation_id: 'conv_1',
  generation: 1,
  state: 'queued',
  delivery_state: 'waiting_device',
  created_at: '2026-03-01T00:00:00.000Z',
  updated_at: '2026-03-01T00:00:00.000Z',
  result: null,
}

/** A call of a handler. */
export interface Call {
  readonly operationId: string
  /** Its input, without the functions that send an answer. */
  // biome-ignore lint/suspicious/noExplicitAny: tests look into requests of every shape
  readonly request: any
}

/** The default answer of a handler. Every operation documents this code, and only a handler returns it. */
export const REACHED = { status: 503, code: 'CAPABILITY_UNAVAILABLE' } as const

/** Handlers that record their calls and do nothing. */
const recordCalls = (operationIds: readonly string[], calls: Call[]) =>
  Object.fromEntries(
    operationIds.map((operationId) => [
      operationId,
      async ({ reply: _, connect: __, ...request }: Record<string, unknown>) => {
        calls.push({ operationId, request })
        return refuse(REACHED.code, 'The handler was reached.')
      },
    ]),
  )

export interface TestServerOptions extends Partial<Omit<HttpServerOptions, 'handlers' | 'operator'>> {
  /** Null for a process without the public API. */
  readonly handlers?: Partial<GatewayHandlers> | null
  readonly adminHandlers?: Partial<AdminHandlers>
  readonly caller?: Partial<Caller>
  /** Null for a process without the operator surface. */
  readonly operator?: null
}

export interface TestServer {
  readonly app: FastifyInstance
  readonly baseUrl: string
  readonly port: number
  readonly calls: readonly Call[]
  /** Lines of the log. */
  readonly lines: readonly Record<string, unknown>[]
  fetch(path: string, init?: RequestInit & { readonly bare?: boolean }): Promise<TestAnswer>
  /** Sends the bytes unchanged. Resolves with everything that arrives until the server closes the connection. */
  raw(...pieces: (string | Uint8Array)[]): Promise<string>
  /** Sends the bytes unchanged. Resolves when the received bytes match the pattern. */
  rawUntil(pattern: RegExp, ...pieces: (string | Uint8Array)[]): Promise<string>
  close(): Promise<void>
}

export interface TestAnswer {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape
  readonly json: any
}

/** The headers of a valid request. */
export const HEADERS = {
  authorization: 'Bearer a-key',
  'x-service-subject': 'subject-1',
  'idempotency-key': 'key-1',
  'content-type': 'application/json',
} as const

const ADMIN_HEADERS = { authorization: `Bearer ${ADMIN_TOKEN}`, 'content-type': 'application/json' } as const

/** An authenticator that knows one key, `a-key`. */
export const oneKey = (caller: Partial<Caller> = {}): Authenticator => {
  const known: Caller = {
    keyId: 'key_1',
    appId: 'app_1',
    scopes: new Set(ALL_SCOPES),
    pendingLimit: null,
    rateLimitPerSecond: null,
    ...caller,
  }
  return {
    authenticate: (authorization) =>
      authorization === 'Bearer a-key' ? known : refuse('UNAUTHENTICATED', 'The key is not valid.'),
    isStillValid: async () => true,
    forget: () => {},
  }
}

const READY: Readiness = {
  ready: true,
  store: 'embedded',
  durability: 'Survives the death of the process.',
  database: true,
  roles: { api: true },
}

export const GAUGES: GaugeReadings = {
  runsByState: { queued: 2 },
  oldestQueuedSeconds: 1.5,
  openStreams: 3,
  openStreamsByApp: { app_shop: 2 },
  workers: 2,
  deliveriesByState: { pending: 4 },
  eventLagSeconds: 0.25,
  databaseSeconds: 0.001,
  admissionPaused: false,
}

export const startServer = async (options: TestServerOptions = {}): Promise<TestServer> => {
  const { handlers, adminHandlers, caller, ...more } = options
  const calls: Call[] = []
  const lines: Record<string, unknown>[] = []
  const record = (fields: object, message: string): void => {
    lines.push({ message, ...fields })
  }
  const app = await createHttpServer({
    // Handlers of the test replace the ones that record calls.
    handlers:
      handlers === null ? null : ({ ...recordCalls(Object.keys(OPERATIONS), calls), ...handlers } as GatewayHandlers),
    operator: {
      token: ADMIN_TOKEN,
      findOperator: async () => null,
      audit: async () => async () => {},
      handlers: { ...recordCalls(Object.keys(ADMIN_OPERATIONS), calls), ...adminHandlers } as AdminHandlers,
    },
    authenticator: oneKey(caller),
    version: '1.2.3',
    readReadiness: async () => READY,
    metrics: createMetrics({ version: '1.2.3', readGauges: async () => GAUGES }),
    log: { debug: record, info: record, error: record },
    clock: { now: () => new Date('2026-03-01T00:00:00.000Z') },
    checkResponses: true,
    ...more,
  })
  await app.listen({ host: '127.0.0.1', port: 0 })
  const { port } = app.server.address() as AddressInfo
  const baseUrl = `http://127.0.0.1:${port}`
  return {
    app,
    baseUrl,
    port,
    calls,
    lines,
    fetch: async (path, { bare = false, ...init } = {}) => {
      const headers = new Headers(bare ? {} : path.startsWith('/admin') ? ADMIN_HEADERS : HEADERS)
      for (const [name, value] of new Headers(init.headers)) headers.set(name, value)
      const response = await fetch(`${baseUrl}${path}`, { redirect: 'manual', ...init, headers })
      const text = await response.text()
      const isJson = response.headers.get('content-type')?.includes('json') === true && text !== ''
      return { status: response.status, headers: response.headers, text, json: isJson ? JSON.parse(text) : null }
    },
    raw: (...pieces) => exchangeBytes(port, pieces, null),
    rawUntil: (pattern, ...pieces) => exchangeBytes(port, pieces, pattern),
    close: () => app.close(),
  }
}

/** Starts a server for the current test. All its answers must follow the contract. */
export const serverOfTest = async (options: TestServerOptions = {}): Promise<TestServer> => {
  const server = await startServer(options)
  onTestFinished(() => closeChecked(server))
  return server
}

/** Starts a server for all tests of the calling file. All its answers must follow the contract. */
export const serverOfFile = async (options: TestServerOptions = {}): Promise<TestServer> => {
  const server = await startServer(options)
  afterAll(() => closeChecked(server))
  return server
}

const closeChecked = async (server: TestServer): Promise<void> => {
  await server.close()
  expect(server.app.contractViolations).toEqual([])
}

/** The head of a valid request. The given headers are added or replace others; undefined removes a header. */
export const requestHead = (requestLine: string, headers: Readonly<Record<string, string | undefined>> = {}): string =>
  [
    `${requestLine} HTTP/1.1`,
    ...Object.entries({ host: 'x', ...HEADERS, ...headers }).flatMap(([name, value]) =>
      value === undefined ? [] : `${name}: ${value}`,
    ),
    '\r\n',
  ].join('\r\n')

/** The statuses of all answers in the received bytes. */
export const statusesIn = (received: string): number[] =>
  [...received.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status]) => Number(status))

const exchangeBytes = async (
  port: number,
  pieces: readonly (string | Uint8Array)[],
  enough: RegExp | null,
): Promise<string> => {
  const socket = connect(port, '127.0.0.1')
  // A connection that the server resets has ended; its earlier answers count.
  socket.on('error', () => {})
  await once(socket, 'connect')
  let received = ''
  const over = new Promise<void>((resolve) => {
    socket.once('close', resolve).on('data', (chunk) => {
      received += chunk.toString('latin1')
      if (enough?.test(received)) resolve()
    })
  })
  for (const piece of pieces) await write(socket, piece)
  await over
  socket.destroy()
  return Buffer.from(received, 'latin1').toString('utf8')
}

const write = (socket: Socket, piece: string | Uint8Array): Promise<void> =>
  new Promise((resolve) => {
    if (socket.destroyed) resolve()
    else socket.write(piece, () => resolve())
  })
