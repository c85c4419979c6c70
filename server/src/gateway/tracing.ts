import type { Traceparent } from '../domain/trace-context.ts'
import { continueTrace } from '../domain/trace-context.ts'

export type SpanAttributes = Readonly<Record<string, string | number>>

export interface SpanStart {
  readonly name: string
  /** `server` answers a request, `consumer` processes admitted work, `client` calls another service. */
  readonly kind: 'server' | 'consumer' | 'client'
  readonly parent: Traceparent | null
  readonly attributes: SpanAttributes
}

export interface SpanEnd {
  readonly attributes?: SpanAttributes
  /** Why it failed, as a code or the gateway's own text. */
  readonly error?: string
}

/** One piece of work in a trace. */
export interface Span {
  /** Its trace context, the parent of nested work; null without a trace. */
  readonly traceparent: Traceparent | null
  /** Only the first call has an effect. */
  end(how?: SpanEnd): void
}

/** Traces work through the gateway. No attribute contains message text, a header or a secret. */
export interface Tracing {
  begin(start: SpanStart): Span
  /** Exports the remaining spans, with a timeout. */
  close(): Promise<void>
}

/** Records no spans, but continues callers' traces: requests to other services get their own span ID. */
export const NO_TRACING: Tracing = {
  begin: ({ kind, parent }) => ({
    traceparent: kind === 'client' && parent !== null ? continueTrace(parent) : parent,
    end: () => {},
  }),
  close: async () => {},
}
