import type { ClientRequest, IncomingMessage } from 'node:http'
import { request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'
import { buffer } from 'node:stream/consumers'
import type { Transcript } from '../../transcript.ts'

/** A request as it goes out: nothing is added but `host`, `connection` and a length. */
export interface WireRequest {
  readonly method: string
  /** Path and query, behind the origin. */
  readonly path: string
  /** A list is sent as so many header lines. */
  readonly headers?: Readonly<Record<string, string | readonly string[]>>
  readonly body?: string | Uint8Array
}

/** An answer as it came. `Body` is what the contract promises; nothing has checked it yet. */
export interface Answer<Body = unknown> {
  readonly request: WireRequest
  readonly status: number
  /** Names in lower case; repeated lines joined by `, `. */
  readonly headers: Readonly<Record<string, string>>
  /** Header lines in their order, name and value. */
  readonly headerLines: readonly (readonly [string, string])[]
  readonly bytes: Buffer
  readonly text: string
  /** The parsed body; undefined where it is no JSON. */
  readonly body: Body
}

export interface WireOptions {
  readonly baseUrl: string
  /** How long an answer may take to begin, and to go on. */
  readonly answerMs: number
  readonly transcript: Transcript
}

/** Plain HTTP/1.1 to one origin: no retries, no redirects, no cookies. */
export interface Wire {
  readonly baseUrl: string
  send(request: WireRequest): Promise<Answer>
  /** Sends and resolves with the head; the body is the caller's, and so is ending it. */
  open(request: WireRequest): Promise<{ readonly response: IncomingMessage; close(): void }>
}

export function createWire({ baseUrl, answerMs, transcript }: WireOptions): Wire {
  const start = (request: WireRequest): Promise<[ClientRequest, IncomingMessage]> =>
    new Promise((resolve, reject) => {
      const url = new URL(baseUrl)
      const secure = url.protocol === 'https:'
      transcript.add('out', describeRequest(request))
      const outgoing = (secure ? requestHttps : requestHttp)({
        host: url.hostname.replace(/^\[|\]$/g, ''),
        port: url.port === '' ? (secure ? 443 : 80) : Number(url.port),
        method: request.method,
        path: request.path,
        headers: headersOf(request),
        // A connection that is kept may be closed by the other side just when it is used again.
        agent: false,
        timeout: answerMs,
        // A certificate of one's own is normal in front of a system under test.
        ...(secure ? { rejectUnauthorized: false } : {}),
      })
      outgoing.on('timeout', () => {
        outgoing.destroy(new Error(`no answer to ${request.method} ${request.path} within ${answerMs} ms`))
      })
      outgoing.on('error', (error) => {
        transcript.add('note', `${request.method} ${request.path}: ${error.message}`)
        reject(new Error(`${request.method} ${request.path}: ${error.message}`, { cause: error }))
      })
      outgoing.on('response', (response) => resolve([outgoing, response]))
      outgoing.end(request.body)
    })

  return {
    baseUrl,
    send: async (request) => {
      const [, response] = await start(request)
      const bytes = await buffer(response).catch((error: unknown) => {
        throw new Error(`the answer to ${request.method} ${request.path} broke off: ${String(error)}`)
      })
      const answer = toAnswer(request, response, bytes)
      transcript.add('in', describeAnswer(answer))
      return answer
    },
    open: async (request) => {
      const [outgoing, response] = await start(request)
      response.socket.setTimeout(0)
      transcript.add('in', describeHead(response.statusCode ?? 0, headerLines(response)))
      return { response, close: () => outgoing.destroy() }
    },
  }
}

/** Turns a response whose body was read into an answer. */
export const toAnswer = (request: WireRequest, response: IncomingMessage, bytes: Buffer): Answer => {
  const text = bytes.toString('utf8')
  return {
    request,
    status: response.statusCode ?? 0,
    headers: Object.fromEntries(
      Object.entries(response.headers).map(([name, value]) => [
        name,
        Array.isArray(value) ? value.join(', ') : (value ?? ''),
      ]),
    ),
    headerLines: headerLines(response),
    bytes,
    text,
    body: parseJson(text),
  }
}

const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const headersOf = ({ headers = {}, body }: WireRequest): Record<string, string | string[]> => ({
  ...Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, typeof value === 'string' ? value : [...value]]),
  ),
  ...(body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) }),
})

const headerLines = ({ rawHeaders }: IncomingMessage): [string, string][] => {
  const lines: [string, string][] = []
  for (let at = 0; at + 1 < rawHeaders.length; at += 2) lines.push([rawHeaders[at] ?? '', rawHeaders[at + 1] ?? ''])
  return lines
}

const describeRequest = ({ method, path, headers = {}, body }: WireRequest): string => {
  const lines = Object.entries(headers).flatMap(([name, value]) =>
    (typeof value === 'string' ? [value] : value).map((one) => `${name}: ${one}`),
  )
  return [`${method} ${path} HTTP/1.1`, ...lines, '', body === undefined ? '' : describeBody(Buffer.from(body))].join(
    '\n',
  )
}

const describeHead = (status: number, lines: readonly (readonly [string, string])[]): string =>
  [`HTTP/1.1 ${status}`, ...lines.map(([name, value]) => `${name}: ${value}`)].join('\n')

const describeAnswer = ({ status, headerLines: lines, bytes }: Answer): string =>
  `${describeHead(status, lines)}\n\n${describeBody(bytes)}`

const describeBody = (bytes: Buffer): string => {
  const text = bytes.toString('utf8')
  return text.includes('�') ? `(${bytes.length} bytes, not UTF-8)` : text
}
