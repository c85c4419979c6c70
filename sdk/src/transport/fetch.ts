/** The request that the client passes to a `fetch`. */
export interface FetchInit {
  readonly method: string
  readonly headers: [name: string, value: string][]
  /** The content of attachments is a `Blob`, which every `fetch` accepts; the types of hosts disagree about it. */
  readonly body?: Uint8Array<ArrayBuffer>
  readonly redirect: 'manual'
  readonly signal: AbortSignal
}

/** A `fetch`: the host's, undici's, or one that adds options such as undici's `dispatcher`. */
export type Fetch = (url: string, init: FetchInit) => Promise<FetchResponse>

/** The part of a `Response` on which the types of all hosts agree. */
export interface FetchResponse {
  readonly ok: boolean
  readonly status: number
  readonly headers: { get(name: string): string | null }
}

/** A `fetch` as the client uses it. */
export type HostFetch = (url: string, init: FetchInit) => Promise<Response>

/**
 * The given `fetch`, or the host's. The host's is looked up at each call, so a later replacement by a test takes
 * effect.
 */
export const resolveFetch = (fetch: Fetch | undefined): HostFetch =>
  // A Response of another host differs only in its type.
  (fetch as HostFetch | undefined) ?? ((url, init) => globalThis.fetch(url, init))
