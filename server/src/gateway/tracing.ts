import type { Traceparent } from '../domain/trace-context.ts'
import { continueTrace } from '../domain/trace-context.ts'

export type SpanAttributes = Readonly<Record<string, string | number>>

export interface SpanStart {
  readonly name: string
  /** `server` answers somebody, `consumer` works off what was admitted, `client` asks another service. */
  readonly kind: 'server' | 'consumer' | 'client'
  readonly parent: Traceparent | null
  readonly attributes: SpanAttributes
}

export interface SpanEnd {
  readonly attributes?: SpanAttributes
  /** Why it failed, as a code or as words of the gateway's own. */
  readonly error?: string
}

/** One piece of work in a trace. */
export interface Span {
  /** Where it stands: the parent of what is done within it; null where there is no trace. */
  readonly traceparent: Traceparent | null
  /** Its first end counts. */
  end(how?: SpanEnd): void
}

/** Follows work through the gateway. No attribute holds a text, a header or a secret. */
export interface Tracing {
  begin(start: SpanStart): Span
  /** Sends what is left; gives up after a while. */
  close(): Promise<void>
}

/** Writes nothing down, and continues the traces of others: what other services are sent has a place of its own. */
export const NO_TRACING: Tracing = {
  begin: ({ kind, parent }) => ({
    traceparent: kind === 'client' && parent !== null ? continueTrace(parent) : parent,
    end: () => {},
  }),
  close: async () => {},
}
