import { context, propagation, SpanKind, SpanStatusCode, type Tracer, trace } from '@opentelemetry/api'
import type { TracedCall, Tracing } from '../transport/observed-call.ts'

export type { TracedCall, Tracing } from '../transport/observed-call.ts'

export interface OpenTelemetryOptions {
  /** Default: the global provider's tracer of the name `@conversation-gateway/sdk`. */
  readonly tracer?: Tracer | undefined
  /**
   * Whether every request carries `traceparent` and the other headers of the global propagator. Default true. Set it to
   * false if an instrumentation of `fetch` or undici propagates the context: its spans become children of the call's
   * span, and a duplicate header would be invalid.
   */
  readonly propagate?: boolean | undefined
}

/**
 * Creates a span of the kind CLIENT for each call and each event stream, named after the operation, as a child of the
 * active span. Each request adds an event `attempt`. Without a registered provider nothing is recorded. A span contains
 * no key, header or body.
 *
 * @example
 * const client = createClient({ apiKey, baseUrl, tracing: openTelemetry() })
 */
export function openTelemetry({ tracer, propagate = true }: OpenTelemetryOptions = {}): Tracing {
  return {
    startCall(operationId): TracedCall {
      const parent = context.active()
      // The provider may be registered after the client was created.
      const span = (tracer ?? trace.getTracer('@conversation-gateway/sdk')).startSpan(
        operationId,
        { kind: SpanKind.CLIENT },
        parent,
      )
      const inside = trace.setSpan(parent, span)
      return {
        onRequest({ method, url }) {
          const { hostname } = new URL(url)
          span.setAttributes({ 'http.request.method': method, 'url.full': url, 'server.address': hostname })
          const headers: Record<string, string> = {}
          if (propagate) propagation.inject(inside, headers)
          return headers
        },
        run: (send) => context.with(inside, send),
        onResponse({ attempt, durationMs, status, code, requestId, trouble }) {
          const found = {
            ...(status !== null && { 'http.response.status_code': status }),
            ...(requestId !== null && { 'conversation_gateway.request_id': requestId }),
          }
          span.addEvent('attempt', {
            'conversation_gateway.attempt': attempt,
            'conversation_gateway.duration_ms': durationMs,
            ...found,
            ...(code !== null && { 'conversation_gateway.code': code }),
            ...(trouble !== null && { 'conversation_gateway.trouble': trouble }),
          })
          span.setAttributes(found)
          if (attempt > 1) span.setAttribute('http.request.resend_count', attempt - 1)
        },
        end(error) {
          if (error !== undefined) {
            // The reason of an abort may be any value.
            const { name, code }: { readonly name?: unknown; readonly code?: unknown } = Object(error)
            span.setAttribute('error.type', String(code ?? name ?? 'unknown'))
            span.setStatus({ code: SpanStatusCode.ERROR, ...(error instanceof Error && { message: error.message }) })
          }
          span.end()
        },
      }
    },
  }
}
