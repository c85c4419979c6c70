import createFetchClient, { type Client } from 'openapi-fetch'

/**
 * What openapi-fetch hands to `fetch` here: the address and the headers that it put together. A `Request` of the host
 * costs more than the rest of the call, and its body could be sent only once.
 */
class PlainRequest {
  readonly url: string
  readonly method: string
  readonly headers: Headers

  constructor(url: string, { method, headers }: { method: string; headers: Headers }) {
    this.url = url
    this.method = method
    this.headers = headers
  }
}

/** The typed layer: addresses and headers from the contract's types; sending is left to each call's own `fetch`. */
export const createOpenFetch = <Paths extends object>(origin: string): Client<Paths, `${string}/${string}`> =>
  createFetchClient<Paths>({
    baseUrl: origin,
    // openapi-fetch only constructs it and passes it on.
    Request: PlainRequest as unknown as typeof Request,
    pathSerializer,
  })

/** Fills the path template; throws a `TypeError` for values that would name another path. */
function pathSerializer(template: string, values: Record<string, unknown>): string {
  return template.replace(/\{(\w+)\}/g, (_match, name: string) => {
    const value = values[name]
    if (typeof value === 'string' && value !== '' && value !== '.' && value !== '..') return encodeURIComponent(value)
    throw new TypeError(`${name} must be the ID as text, not ${value === '' ? 'empty' : JSON.stringify(value)}.`)
  })
}
