import { ERRORS, type ErrorCode } from '../../src/generated/errors.ts'
import type { HostFetch } from '../../src/transport/fetch.ts'

/** A request as it reached the scripted fetch. */
export interface SentRequest {
  readonly url: string
  readonly method: string
  readonly headers: Headers
  readonly body: BodyInit | undefined
  readonly signal: AbortSignal
  /** The body as text; empty without one. */
  text(): Promise<string>
}

/** The result of one request: an answer, or the error that fetch rejects with. */
export type Reply = (request: SentRequest) => Response | Promise<Response>

export interface ScriptedFetch {
  readonly fetch: HostFetch
  readonly requests: readonly SentRequest[]
}

/** A fetch that plays the replies one after the other, and rejects any further request. */
export const createScriptedFetch = (...replies: readonly Reply[]): ScriptedFetch => {
  const rest = [...replies]
  return createAnsweringFetch((request) => {
    const reply = rest.shift()
    if (reply === undefined) throw new RangeError(`no reply is left for ${request.method} ${request.url}`)
    return reply(request)
  })
}

/** A fetch that answers every request in the same way. */
export const createAnsweringFetch = (reply: Reply): ScriptedFetch => {
  const requests: SentRequest[] = []
  return {
    requests,
    fetch: async (input, init) => {
      const body = init?.body ?? undefined
      const request: SentRequest = {
        url: String(input),
        method: init?.method ?? 'GET',
        headers: new Headers(init?.headers),
        body,
        signal: init?.signal ?? new AbortController().signal,
        text: () => new Response(body).text(),
      }
      requests.push(request)
      return reply(request)
    },
  }
}

/** A JSON answer as the gateway sends it. */
export const json =
  (status: number, value: unknown, headers: Readonly<Record<string, string>> = {}): Reply =>
  () =>
    Response.json(value, { status, headers: { 'x-request-id': 'req_1', ...headers } })

/** An answer of any kind. */
export const raw =
  (status: number, body: BodyInit | null, headers: Readonly<Record<string, string>> = {}): Reply =>
  () =>
    new Response(body, { status, headers })

/** The gateway's error answer with this code. */
export const problem = (code: ErrorCode, headers: Readonly<Record<string, string>> = {}): Reply => {
  const { status } = ERRORS[code]
  const value = {
    type: `/docs/errors#${code}`,
    title: code,
    status,
    detail: `It is ${code}.`,
    code,
    request_id: 'req_1',
  }
  return raw(status, JSON.stringify(value), {
    'content-type': 'application/problem+json',
    'x-request-id': 'req_1',
    ...headers,
  })
}

/** An answer of a proxy between client and gateway. */
export const html = (status: number): Reply =>
  raw(status, '<html><body>It works!</body></html>', { 'content-type': 'text/html' })

/** The connection breaks before an answer arrives. */
export const lost: Reply = () => {
  throw new TypeError('fetch failed', { cause: new Error('read ECONNRESET') })
}

/** No connection can be made, for the reason that the code names. */
export const unreachable =
  (code: string): Reply =>
  () => {
    const cause = Object.assign(new Error(`connect ${code}`), { code, syscall: 'connect' })
    throw new TypeError('fetch failed', { cause })
  }

/** No answer arrives until the request is aborted. */
export const hang: Reply = ({ signal }) =>
  new Promise((_resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true })
  })

/** The head and the beginning of the body arrive. Then the connection falls silent or ends. */
export const partly =
  (
    status: number,
    beginning: string,
    then: 'hangs' | 'breaks',
    headers: Readonly<Record<string, string>> = {},
  ): Reply =>
  ({ signal }) => {
    const body = new ReadableStream<Uint8Array>({
      start(controller) {
        controller.enqueue(new TextEncoder().encode(beginning))
        if (then === 'breaks') controller.error(new TypeError('terminated'))
        else signal.addEventListener('abort', () => controller.error(signal.reason), { once: true })
      },
    })
    return new Response(body, { status, headers: { 'content-type': 'application/json', ...headers } })
  }
