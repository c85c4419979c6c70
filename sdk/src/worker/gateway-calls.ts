import { type Fetch, resolveFetch } from '../transport/fetch.ts'

/** An answer of the worker API: the result, or the code of a problem. */
export type WorkerAnswer<T> =
  | { readonly status: number; readonly code: null; readonly value: T }
  | { readonly status: number; readonly code: string; readonly detail: string }

/**
 * Reads a success. Throws if it did not come from the gateway, such as a proxy's page; this is treated as no answer.
 */
export type ReadAnswer<T> = (response: Response) => Promise<T>

type Body = object | Uint8Array<ArrayBuffer> | null

export interface GatewayCalls {
  /** Sends once. Rejects without an answer of the gateway. */
  send<T>(method: string, path: string, body: Body, read: ReadAnswer<T>, signal: AbortSignal): Promise<WorkerAnswer<T>>
  /** Repeats until there is a final answer; rejects when `until` fires. */
  persist<T>(
    method: string,
    path: string,
    body: Body,
    read: ReadAnswer<T>,
    until: AbortSignal,
    /** Called with the reason after each attempt without a final answer. */
    failed?: (reason: string) => void,
  ): Promise<WorkerAnswer<T>>
}

/** Reads a JSON object that has these members. */
export const jsonWith =
  <T extends object>(
    members: { readonly [Name in keyof T]?: 'string' | 'number' | 'boolean' | 'array' },
  ): ReadAnswer<T> =>
  async (response) => {
    const value: unknown = await response.json()
    const hasMember = (name: string, kind: unknown): boolean => {
      const member: unknown = Reflect.get(Object(value), name)
      return kind === 'array' ? Array.isArray(member) : typeof member === kind
    }
    if (!Object.entries(members).every(([name, kind]) => hasMember(name, kind)))
      throw new Error("The answer is not the gateway's.")
    return value as T
  }

/** For answers without content. */
export const nothing: ReadAnswer<null> = async () => null

const FIRST_PAUSE_MS = 100
const LONGEST_PAUSE_MS = 2000
/** Timeout of a request that does not long-poll. */
const ANSWER_MS = 30_000

export const createGatewayCalls = (url: string, key: string, fetch: Fetch | undefined): GatewayCalls => {
  const host = resolveFetch(fetch)
  const origin = url.replace(/\/+$/, '')
  const send: GatewayCalls['send'] = async (method, path, body, read, signal) => {
    const isBytes = body instanceof Uint8Array
    const response = await host(`${origin}${path}`, {
      method,
      headers: [
        ['authorization', `Bearer ${key}`],
        ...(body === null
          ? []
          : ([['content-type', isBytes ? 'application/octet-stream' : 'application/json']] as [string, string][])),
      ],
      ...(body === null ? {} : { body: isBytes ? body : new TextEncoder().encode(JSON.stringify(body)) }),
      redirect: 'manual',
      signal,
    })
    const { status, ok } = response
    if (ok) return { status, code: null, value: await read(response) }
    const problem: { code?: unknown; detail?: unknown } | null = await response.json().catch(() => null)
    return {
      status,
      code: String(problem?.code ?? ''),
      detail: String(problem?.detail ?? `status ${status}`),
    }
  }
  return {
    send,
    persist: async (method, path, body, read, until, failed = () => {}) => {
      for (let attempt = 0; ; attempt += 1) {
        until.throwIfAborted()
        const signal = AbortSignal.any([until, AbortSignal.timeout(ANSWER_MS)])
        const answer = await send(method, path, body, read, signal).catch((error: unknown) => {
          if (!until.aborted) failed(reasonOf(error))
          return null
        })
        if (answer !== null && !isTransient(answer.status)) return answer
        if (answer !== null) failed(`status ${answer.status}`)
        await pause(pauseMs(attempt), until)
      }
    },
  }
}

/** `fetch` puts the reason into the error's cause. */
const reasonOf = (error: unknown): string => {
  if (!(error instanceof Error)) return String(error)
  return error.cause instanceof Error && error.cause.message !== '' ? error.cause.message : error.message
}

/** Whether the same request may succeed later. */
export const isTransient = (status: number): boolean => status === 429 || status >= 500

export const pauseMs = (attempt: number): number => Math.min(FIRST_PAUSE_MS * 2 ** attempt, LONGEST_PAUSE_MS)

/** Resolves after the time, or when the signal fires. */
export const pause = (ms: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) return resolve()
    const end = (): void => {
      clearTimeout(timer)
      signal.removeEventListener('abort', end)
      resolve()
    }
    const timer = setTimeout(end, ms)
    signal.addEventListener('abort', end, { once: true })
  })
