import { isThenable, quietly } from '../quietly.ts'
import { type Attempt, describeFailure, type OutgoingRequest } from './attempt.ts'
import type { DecisionListener, Trouble } from './decision-report.ts'
import type { Timing } from './timing.ts'

/** One request of a call: each attempt of it, each connection of a stream. Holds no key, header or body. */
export interface RequestInfo {
  readonly operationId: string
  /** Counts the requests of the call from 1. */
  readonly attempt: number
  readonly method: string
  readonly url: string
}

/** How one request ended. For a stream: its head, or why no head arrived. */
export interface ResponseInfo extends RequestInfo {
  /** From sending to the end of the answer, or to the head of a stream. */
  readonly durationMs: number
  /** Null without a usable answer. */
  readonly status: number | null
  /** The gateway's error code. */
  readonly code: string | null
  /** The gateway's request ID (D-10). */
  readonly requestId: string | null
  /** Null for a successful answer, and for a request that the caller's signal aborted. */
  readonly trouble: Trouble | null
}

/** Additional headers of one request, such as `traceparent`. They do not replace headers of the client or the call. */
export type RequestHook = (request: RequestInfo) => Readonly<Record<string, string>> | undefined

export type ResponseHook = (response: ResponseInfo) => void

/** Hooks for requests: options of clients and of webhook senders. */
export interface Hooks {
  /**
   * Called before every request is sent: each attempt of a call, each connection of a stream. The headers that it
   * returns are added to the request.
   */
  readonly onRequest?: RequestHook | undefined
  /**
   * Called when a request has ended, for metrics. An exception of a hook goes to `onDecision` and does not fail the
   * call.
   */
  readonly onResponse?: ResponseHook | undefined
  /** Follows calls as a whole: `openTelemetry()` of `@conversation-gateway/sdk/opentelemetry`. */
  readonly tracing?: Tracing | undefined
}

/** Follows calls as a whole, for a tracer. */
export interface Tracing {
  /** A call begins, or a stream is opened for the first time. */
  startCall(operationId: string): TracedCall
}

export interface TracedCall {
  readonly onRequest: RequestHook
  /**
   * Calls `send` at once, inside the context of this span, so that the host's instrumentation adds its spans below it.
   */
  run(send: () => void): void
  readonly onResponse: ResponseHook
  /** The call has ended, with its error or undefined. Leaving a stream is not an error. */
  end(error: unknown): void
}

/** Reports the requests of one call, and its end, to hooks. A hook cannot fail the call. */
export interface ObservedCall {
  send(request: OutgoingRequest, send: (request: OutgoingRequest) => Promise<Attempt>): Promise<Attempt>
  /** @param error The error of the call; undefined if it succeeded. */
  end(error?: unknown): void
}

/** The clock of durations, and the listener for failures of hooks. */
export interface ObserverSettings {
  readonly timing: Timing
  readonly report: DecisionListener
}

/** Begins to observe a call. */
export type Observe = (operationId: string) => ObservedCall

const UNOBSERVED: ObservedCall = { send: (request, send) => send(request), end() {} }

export const observer = (hooks: Hooks, settings: ObserverSettings): Observe =>
  hooks.onRequest || hooks.onResponse || hooks.tracing
    ? (operationId) => observeCall(hooks, operationId, settings)
    : () => UNOBSERVED

/** Reports one call to the hooks. */
function observeCall(
  { onRequest, onResponse, tracing }: Hooks,
  operationId: string,
  { timing, report }: ObserverSettings,
): ObservedCall {
  const reportFailure = (error: unknown): void => report({ kind: 'hook-failed', operationId, error })
  const guard = <T>(hook: () => T): T | undefined => quietly(hook, reportFailure)
  const traced = tracing && guard(() => tracing.startCall(operationId))
  const requestHooks: readonly RequestHook[] = [(info) => traced?.onRequest(info), (info) => onRequest?.(info)]
  let attempts = 0
  return {
    async send(request, send) {
      attempts += 1
      const info = { operationId, attempt: attempts, method: request.method, url: request.url }
      const headers = new Headers(request.headers)
      for (const hook of requestHooks)
        void guard(() => {
          const added = hook(info)
          if (isThenable(added)) return refuseLateHeaders(added)
          for (const [name, value] of Object.entries(added ?? {})) if (!headers.has(name)) headers.set(name, value)
        })
      const startedAt = timing.elapsed()
      let sent: Promise<Attempt> | undefined
      const sendOnce = (): Promise<Attempt> => {
        sent ??= send({ ...request, headers })
        return sent
      }
      guard(() => traced?.run(sendOnce))
      const attempt = await sendOnce()
      const ended = { ...info, durationMs: timing.elapsed() - startedAt, ...endOf(attempt) }
      guard(() => onResponse?.(ended))
      guard(() => traced?.onResponse(ended))
      return attempt
    },
    end: (error) => guard(() => traced?.end(error)),
  }
}

/** The request does not wait for an asynchronous hook, which may therefore only record. */
async function refuseLateHeaders(added: PromiseLike<unknown>): Promise<void> {
  if ((await added) !== undefined)
    throw new TypeError('onRequest must return headers, not a promise: the headers of this request were not sent.')
}

const endOf = (attempt: Attempt) => {
  if (attempt.kind === 'failed') return describeFailure(attempt)
  const response = attempt.kind === 'answered' ? attempt.response : null
  const requestId = response?.headers.get('x-request-id') ?? null
  return { status: response?.status ?? null, code: null, requestId, trouble: null }
}
