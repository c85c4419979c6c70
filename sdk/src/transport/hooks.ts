import type { Trouble } from './decision.ts'

/** One request of a call: each attempt of it, each connection of a stream. Holds no key, header or body. */
export interface RequestInfo {
  readonly operationId: string
  /** Counts the requests of the call from 1. */
  readonly attempt: number
  readonly method: string
  readonly url: string
}

/** How one request ended. Of a stream: its head, or why it had none. */
export interface ResponseInfo extends RequestInfo {
  /** From sending to the end of the answer; of a stream, to its head. */
  readonly durationMs: number
  /** Null without an answer. */
  readonly status: number | null
  /** The gateway's error code. */
  readonly code: string | null
  /** The gateway's name for the request (D-10). */
  readonly requestId: string | null
  /** Null of an answer that was taken, and of a request that the caller's signal ended. */
  readonly trouble: Trouble | null
}

/** Headers that go with one request, `traceparent` for example. They replace none that the client or the call sets. */
export type RequestHook = (request: RequestInfo) => Readonly<Record<string, string>> | undefined

export type ResponseHook = (response: ResponseInfo) => void

/** What is told of requests: options of clients and of webhook senders. */
export interface Hooks {
  /**
   * Told of every request before it is sent: each attempt of a call, each connection of a stream. Headers that it returns
   * go with it.
   */
  readonly onRequest?: RequestHook | undefined
  /** Told of how every request ended, for metrics. A hook that throws fails no call: `onDecision` is told. */
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
  /** Calls `send` at once, inside of the context that spans of the host's own instrumentation belong to. */
  run(send: () => void): void
  readonly onResponse: ResponseHook
  /** The call has ended: with what it rejected with, or undefined. Leaving a stream is no error. */
  end(error: unknown): void
}
