/** What the client asks of a `fetch`. */
export interface FetchInit {
  readonly method: string
  readonly headers: [name: string, value: string][]
  /** The content of attachments comes as a `Blob`, which every `fetch` takes; the types of hosts disagree on what it is. */
  readonly body?: Uint8Array<ArrayBuffer>
  readonly redirect: 'manual'
  readonly signal: AbortSignal
}

/** A `fetch`: that of the host, undici's own, or one that adds options such as undici's `dispatcher`. */
export type Fetch = (url: string, init: FetchInit) => Promise<FetchResponse>

/** A `Response` of the Fetch standard, of any host: their types agree on little more. */
export interface FetchResponse {
  readonly ok: boolean
  readonly status: number
  readonly headers: { get(name: string): string | null }
}

/** A `fetch` as the client uses it. */
export type HostFetch = (url: string, init: FetchInit) => Promise<Response>

/** The given one, or that of the host; bound late, so that one that a test replaces later is used. */
export const resolveFetch = (fetch: Fetch | undefined): HostFetch =>
  // A foreign host's Response differs in its type only.
  (fetch as HostFetch | undefined) ?? ((url, init) => globalThis.fetch(url, init))
