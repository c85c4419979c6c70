import { type Client, createFinalURL, createQuerySerializer, mergeHeaders } from 'openapi-fetch'
import type { OpenInit } from './call-specs.ts'

const METHODS = ['GET', 'PUT', 'POST', 'PATCH', 'DELETE'] as const

const querySerializer = createQuerySerializer()

/**
 * The methods of openapi-fetch's client, typed by the contract: it makes addresses and headers, each call's own `fetch`
 * sends. What lies between these two in openapi-fetch, a `Request` and a second reading of the answer, costs more than the rest of the
 * call.
 */
export const createOpenFetch = <Paths extends object>(origin: string): Client<Paths, `${string}/${string}`> =>
  Object.fromEntries(
    METHODS.map((method) => [method, (path: string, init: OpenInit) => exchange(origin, method, path, init)]),
  ) as unknown as Client<Paths, `${string}/${string}`>

async function exchange(
  baseUrl: string,
  method: string,
  path: string,
  { params, headers, body, fetch, parseAs = 'json' }: OpenInit,
): Promise<{ readonly data: unknown; readonly response: Response }> {
  const response = await fetch({
    url: createFinalURL(path, { baseUrl, params, querySerializer, pathSerializer }),
    method,
    headers: mergeHeaders(
      body === undefined ? {} : { 'Content-Type': 'application/json' },
      headers,
      params.header,
    ) as Headers,
    body,
  })
  const isRead = parseAs !== 'stream' && response.status !== 204
  return { data: isRead ? await response[parseAs]() : undefined, response }
}

/** Fills the path template; throws a `TypeError` for values that would name another path. */
function pathSerializer(template: string, values: Record<string, unknown>): string {
  return template.replace(/\{(\w+)\}/g, (_match, name: string) => {
    const value = values[name]
    if (typeof value === 'string' && value !== '' && value !== '.' && value !== '..') return encodeURIComponent(value)
    throw new TypeError(`${name} must be the ID as text, not ${value === '' ? 'empty' : JSON.stringify(value)}.`)
  })
}
