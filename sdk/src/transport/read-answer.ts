import { ApiError, ConnectionError, CursorExpiredError, UnreadableAnswerError } from '../errors.ts'
import type { Problem } from '../generated/gateway.ts'
import { joinChunks } from '../join-chunks.ts'
import { quietly } from '../quietly.ts'
import { parseRetryAfterMs } from './retry.ts'

/** The properties by which a successful answer is recognised as the gateway's. */
export type Expected = 'json' | 'bytes' | 'stream' | 'nothing'

/** Large enough for a problem that names a thousand fields, and for a proxy's error page. */
const MAX_ERROR_BYTES = 1024 * 1024

/**
 * Reads a successful answer to its end, so that a broken connection is detected here, and makes it readable again. A
 * truncated answer, or one of an unexpected kind, is a `ConnectionError`; one above `maxBytes` an
 * `UnreadableAnswerError`, which is not retried.
 */
export async function readAnswer(
  response: Response,
  expected: Expected,
  status: number,
  maxBytes: number,
): Promise<Response> {
  checkReadable(response)
  if (response.status !== status) throw brokenAnswer(response, `should be ${status}`)
  if (expected === 'nothing') return response
  const type = response.headers.get('content-type') ?? ''
  if (expected === 'stream') {
    if (/^text\/event-stream\b/i.test(type) && response.body) return response
    throw brokenAnswer(response, `is not an event stream but ${type}`)
  }
  if (expected === 'bytes') {
    const bytes = await readBytes(response, maxBytes, UnreadableAnswerError)
    return Object.assign(response, {
      blob: async () => new Blob([bytes], { type }),
      arrayBuffer: async () => bytes.buffer,
    })
  }
  if (!/[/+]json\b/i.test(type)) throw brokenAnswer(response, `is not JSON but ${type || 'untyped'}`)
  const text = decoder.decode(await readBytes(response, maxBytes, UnreadableAnswerError))
  const value = parseJson(text)
  if (value === undefined) throw brokenAnswer(response, 'is not complete JSON')
  return Object.assign(response, { json: async () => value, text: async () => text })
}

/** The error for an answer with 3xx, 4xx or 5xx, or with 204 to a request for a stream. */
export async function readError(response: Response, nowMs: number): Promise<ApiError> {
  checkReadable(response)
  const isRedirect = response.type === 'opaqueredirect' || (response.status >= 300 && response.status < 400)
  if (isRedirect) quietly(() => response.body?.cancel())
  const problem = isRedirect ? null : parseProblem(decoder.decode(await readBytes(response, MAX_ERROR_BYTES)))
  const details = {
    code: problem?.code ?? null,
    status: response.status,
    detail: isRedirect
      ? 'the address redirects; use the final one.'
      : response.ok
        ? 'the answer to a request for a stream has no stream: is this the gateway?'
        : (problem?.detail ?? problem?.title ?? 'the answer is not the gateway’s.'),
    requestId: response.headers.get('x-request-id'),
    retryAfterMs: parseRetryAfterMs(response.headers.get('retry-after'), nowMs),
    problem,
    response,
  }
  // A 410 without the code comes from a proxy and says nothing about the position.
  return details.code === 'CURSOR_EXPIRED' ? new CursorExpiredError(details) : new ApiError(details)
}

/** The caller's own `fetch` may return a body of another kind, or one that it has already read. */
const checkReadable = ({ body, bodyUsed }: Response): void => {
  if (body === null || (typeof body?.getReader === 'function' && !body.locked && !bodyUsed)) return
  const fault = bodyUsed || body?.locked ? 'has been read or is being read' : 'is not a ReadableStream'
  throw new UnreadableAnswerError(
    `The option fetch resolved with a Response whose body ${fault}; give one that is unread.`,
  )
}

const brokenAnswer = ({ status, headers }: Response, fault: string, Broken = ConnectionError): ConnectionError =>
  new Broken(`The answer ${status} ${fault}; is it the gateway’s?`, { requestId: headers.get('x-request-id') })

const decoder = new TextDecoder()

/** `TooLarge` is set for the answers that the option `maxAnswerBytes` limits. */
async function readBytes(
  response: Response,
  maxBytes: number,
  TooLarge?: typeof ConnectionError,
): Promise<Uint8Array<ArrayBuffer>> {
  const chunks: Uint8Array<ArrayBuffer>[] = []
  let length = 0
  const reader = response.body?.getReader()
  for (let read = await reader?.read(); read && !read.done; read = await reader?.read()) {
    chunks.push(read.value)
    length += read.value.length
    if (length <= maxBytes) continue
    quietly(() => reader?.cancel())
    const option = TooLarge ? ' (maxAnswerBytes)' : ''
    throw brokenAnswer(response, `is larger than ${maxBytes} bytes${option}`, TooLarge)
  }
  return joinChunks(chunks, length)
}

/** Undefined if it is not JSON. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const parseProblem = (text: string): Problem | null => {
  const value = parseJson(text)
  return isProblem(value) ? value : null
}

const isProblem = (value: unknown): value is Problem =>
  typeof value === 'object' &&
  value !== null &&
  'code' in value &&
  typeof value.code === 'string' &&
  /^[A-Z][A-Z0-9_]*$/.test(value.code) &&
  'status' in value &&
  typeof value.status === 'number' &&
  (!('errors' in value) || Array.isArray(value.errors))
