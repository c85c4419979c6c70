import type { ClientRequest, IncomingMessage } from 'node:http'
import { request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'
import { NoAnswerError } from '../failure.ts'
import { type HeaderLine, headerLines } from '../header-lines.ts'
import { parseJson } from '../parse-json.ts'
import type { Transcript } from '../transcript.ts'
import type { Waits } from '../waits.ts'
import { type AdaptiveTimeouts, createAdaptiveTimeouts } from './adaptive-timeouts.ts'
import { describeAnswer, describeHead, describeRequest } from './describe-message.ts'
import { nameRequest } from './operations.ts'
import { readBody } from './read-body.ts'

/** A raw request. Only `host`, `connection` and `content-length` are added. */
export interface WireRequest {
  readonly method: string
  /** Path and query. */
  readonly path: string
  /** A list is sent as one header line for each value. */
  readonly headers?: Readonly<Record<string, string | readonly string[]>>
  readonly body?: string | Uint8Array
  /** Closes the connection after this many milliseconds, like a client that times out. Default: never. */
  readonly giveUpAfterMs?: number
}

/** A received answer. `Body` is the type from the contract; it is not validated yet. */
export interface Answer<Body = unknown> {
  readonly request: WireRequest
  readonly status: number
  /** Names in lower case; repeated lines joined by `, `. */
  readonly headers: Readonly<Record<string, string>>
  /** Header lines in their order, name and value. */
  readonly headerLines: readonly HeaderLine[]
  readonly bytes: Buffer
  readonly text: string
  /** The parsed body; undefined if it is not JSON. */
  readonly body: Body
}

export interface WireOptions {
  readonly baseUrl: string
  /** Time limit for an answer to begin, and again for it to end. */
  readonly answerMs: number
  /** Shortens repeated unsuccessful waits. Default: counts only the waits of this wire. */
  readonly timeouts?: AdaptiveTimeouts
  readonly transcript: Transcript
  readonly waits: Waits
  /** When aborted, ends all requests and rejects further ones with its reason. */
  readonly signal: AbortSignal
}

/** An answer whose body has not been read. */
export interface OpenAnswer {
  readonly response: IncomingMessage
  /** Reads the body to its end. @throws {NoAnswerError} The body breaks off, is too long, or does not end in time. */
  read(): Promise<Buffer>
  close(): void
}

/** Plain HTTP/1.1 to one origin: no retries, no redirects, no cookies. */
export interface Wire {
  readonly baseUrl: string
  /** @throws {NoAnswerError} The connection fails, the answer is not HTTP, or it is not complete in time. */
  send(request: WireRequest): Promise<Answer>
  /** Sends and resolves with the head; the caller reads the body and closes the connection. */
  open(request: WireRequest): Promise<OpenAnswer>
}

export function createWire(options: WireOptions): Wire {
  const { baseUrl, answerMs, timeouts = createAdaptiveTimeouts(), transcript, waits, signal } = options
  const url = new URL(baseUrl)
  const secure = url.protocol === 'https:'
  const address = {
    host: url.hostname.replace(/^\[|\]$/g, ''),
    port: url.port === '' ? (secure ? 443 : 80) : Number(url.port),
    // The server may close a kept-alive connection at the moment that a request reuses it.
    agent: false,
    // Systems under test often use self-signed certificates.
    ...(secure ? { rejectUnauthorized: false } : {}),
  } as const

  const start = (request: WireRequest): Promise<[ClientRequest, IncomingMessage]> =>
    new Promise((resolve, reject) => {
      signal.throwIfAborted()
      const { method, path, body, giveUpAfterMs } = request
      transcript.add('out', describeRequest(request))
      const outgoing = (secure ? requestHttps : requestHttp)({ ...address, method, path, headers: headersOf(request) })
      const abort = (): void => {
        outgoing.destroy(signal.reason)
      }
      signal.addEventListener('abort', abort, { once: true })
      const wait = timeouts.begin(`the answer to ${nameRequest(request)}`, answerMs)
      const timer = setTimeout(() => {
        wait.timedOut()
        outgoing.destroy(new Error(`no answer began within ${wait.limitMs} ms`))
      }, wait.limitMs)
      const giveUp = (): void => {
        outgoing.destroy(new Error(`the suite abandoned the request after ${giveUpAfterMs} ms`))
      }
      const giveUpTimer = giveUpAfterMs === undefined ? undefined : setTimeout(giveUp, giveUpAfterMs)
      outgoing.on('close', () => {
        clearTimeout(timer)
        clearTimeout(giveUpTimer)
        signal.removeEventListener('abort', abort)
      })
      outgoing.on('error', (error) => {
        const why = explain(error, baseUrl)
        transcript.add('note', `${method} ${path}: ${why}`)
        reject(new NoAnswerError(`${method} ${path}: ${why}`, `${nameRequest(request)}: ${why}`, { cause: error }))
      })
      outgoing.on('response', (response) => {
        clearTimeout(timer)
        wait.succeeded()
        resolve([outgoing, response])
      })
      // Sent as bytes: Node sends a string together with the head, and would encode the head as UTF-8, too.
      outgoing.end(typeof body === 'string' ? Buffer.from(body) : body)
    })
  const open = async (request: WireRequest): Promise<OpenAnswer> => {
    const [outgoing, response] = await start(request)
    const read = (): Promise<Buffer> =>
      readBody(response, timeouts.begin(`the body of ${nameRequest(request)}`, answerMs)).catch((error: Error) => {
        const { method, path } = request
        throw new NoAnswerError(
          `the body of the answer ${response.statusCode} to ${method} ${path} ${error.message}`,
          `${nameRequest(request)}: the body of its answer ${error.message}`,
        )
      })
    return { response, read, close: () => outgoing.destroy() }
  }

  return {
    baseUrl,
    send: (request) =>
      waits.during(
        `the answer to ${request.method} ${request.path}`,
        (async () => {
          const { response, read } = await open(request)
          const answer = toAnswer(request, response, await read())
          transcript.add('in', describeAnswer(answer))
          return answer
        })(),
      ),
    open: async (request) => {
      const opened = await waits.during(`an answer to ${request.method} ${request.path}`, open(request))
      transcript.add('in', describeHead(opened.response.statusCode ?? 0, headerLines(opened.response.rawHeaders)))
      return opened
    },
  }
}

const EXPLANATIONS: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'nothing listens there',
  ENOTFOUND: 'there is no such host',
  ECONNRESET: 'the connection ended before an answer arrived',
  EPIPE: 'the connection ended before the request was read',
  HPE_HEADER_OVERFLOW: 'the head of the answer is too long',
}

/** Describes a connection error. */
const explain = (error: Error, baseUrl: string): string => {
  const code = 'code' in error ? String(error.code) : ''
  const words = EXPLANATIONS[code] ?? (code.startsWith('HPE_') ? 'the answer is not HTTP' : undefined)
  if (words === undefined) return error.message
  return code === 'ECONNREFUSED' || code === 'ENOTFOUND' ? `${words} (${baseUrl})` : words
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
    headerLines: headerLines(response.rawHeaders),
    bytes,
    text,
    body: parseJson(text),
  }
}

const headersOf = ({ headers = {}, body }: WireRequest): Record<string, string | string[]> => ({
  ...Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, typeof value === 'string' ? value : [...value]]),
  ),
  ...(body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) }),
})
