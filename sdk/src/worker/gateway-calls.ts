import type { Fetch } from '../transport/fetch.ts'
import { resolveFetch } from '../transport/fetch.ts'

/** An answer of the worker API. */
export interface WorkerAnswer {
  readonly status: number
  readonly response: Response
  /** The problem's code; null for a success, and where the answer is no problem. */
  readonly code: string | null
  readonly detail: string
}

export interface GatewayCalls {
  /** Sends once. Rejects when there is no answer. */
  send(
    method: string,
    path: string,
    body: object | Uint8Array<ArrayBuffer> | null,
    signal: AbortSignal,
  ): Promise<WorkerAnswer>
  /** Sends until there is an answer that repeating cannot change; rejects when `until` fires. */
  persist(
    method: string,
    path: string,
    body: object | Uint8Array<ArrayBuffer> | null,
    until: AbortSignal,
  ): Promise<WorkerAnswer>
}

const FIRST_PAUSE_MS = 100
const LONGEST_PAUSE_MS = 2000
/** Longest wait for an answer that does not wait for anything itself. */
const ANSWER_MS = 30_000

export const createGatewayCalls = (url: string, key: string, fetch: Fetch | undefined): GatewayCalls => {
  const host = resolveFetch(fetch)
  const origin = url.replace(/\/+$/, '')
  const send: GatewayCalls['send'] = async (method, path, body, signal) => {
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
    if (ok) return { status, response, code: null, detail: '' }
    const problem: { code?: unknown; detail?: unknown } | null = await response.json().catch(() => null)
    return {
      status,
      response,
      code: String(problem?.code ?? ''),
      detail: String(problem?.detail ?? `status ${status}`),
    }
  }
  return {
    send,
    persist: async (method, path, body, until) => {
      for (let attempt = 0; ; attempt += 1) {
        until.throwIfAborted()
        const signal = AbortSignal.any([until, AbortSignal.timeout(ANSWER_MS)])
        const answer = await send(method, path, body, signal).catch(() => null)
        if (answer !== null && !isPassing(answer.status)) return answer
        await pause(pauseMs(attempt), until)
      }
    },
  }
}

/** Whether the same request may succeed later. */
export const isPassing = (status: number): boolean => status === 429 || status >= 500

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
