import type { IncomingMessage } from 'node:http'
import { headerLines } from '../header-lines.ts'
import { parseJson } from '../parse-json.ts'
import { isObject, type JsonObject } from './commands.ts'

/** A client's request, unchanged. */
export interface WireRequest {
  readonly method: string
  /** Path and query, unchanged. */
  readonly target: string
  /** The target without its query. */
  readonly path: string
  readonly query: URLSearchParams
  readonly body: Uint8Array
  /** Time at which it was complete, in milliseconds of a monotonic clock. */
  readonly arrivedAtMs: number
  /** All values of a header, in order. */
  values(name: string): readonly string[]
  /** The value of a header that occurs exactly once; otherwise undefined. */
  header(name: string): string | undefined
  /** Parses the body. Throws unless it is a JSON object. */
  json(): JsonObject
  /** Whether the client's connection has ended. */
  isClosed(): boolean
  /** The request as text, for a transcript. */
  readonly text: string
}

export const recordRequest = (
  { method = '', url = '', rawHeaders }: IncomingMessage,
  body: Uint8Array,
  isClosed: () => boolean,
): WireRequest => {
  const lines = headerLines(rawHeaders)
  const values = (name: string): readonly string[] =>
    lines.filter(([each]) => each.toLowerCase() === name.toLowerCase()).map(([, value]) => value)
  const [path = '', query = ''] = url.split('?')
  return {
    method,
    target: url,
    path,
    query: new URLSearchParams(query),
    body,
    arrivedAtMs: performance.now(),
    values,
    header: (name) => {
      const all = values(name)
      return all.length === 1 ? all[0] : undefined
    },
    json: () => parseBody(`${method} ${url}`, body),
    isClosed,
    text: [
      `${method} ${url} HTTP/1.1`,
      ...lines.map(([name, value]) => `${name}: ${value}`),
      '',
      Buffer.from(body).toString('utf8'),
    ].join('\n'),
  }
}

const parseBody = (request: string, body: Uint8Array): JsonObject => {
  const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(body)
  const value = parseJson(text)
  if (isObject(value)) return value
  throw new Error(`The body of ${request} must be a JSON object, but is ${JSON.stringify(text.slice(0, 200))}.`)
}
