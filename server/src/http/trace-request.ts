import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Traceparent } from '../domain/trace-context.ts'
import { readTraceparent } from '../domain/trace-context.ts'
import type { Tracing } from '../gateway/tracing.ts'
import { routeOf } from './observe.ts'

/** Probes, scrapes and pages are no work that anybody follows. */
const OPERATION = /^\/(?:api|admin)\/v1\//

/** Begins the span of a request, which ends with its connection's part in it; returns where the request stands in its trace. */
export const traceRequest = (request: FastifyRequest, reply: FastifyReply, tracing: Tracing): Traceparent | null => {
  const parent = readTraceparent(request.headers.traceparent?.toString())
  const route = routeOf(request)
  if (route === null || !OPERATION.test(route)) return parent
  const { method } = request
  const span = tracing.begin({
    name: `${method} ${route}`,
    kind: 'server',
    parent,
    attributes: {
      'http.request.method': method,
      'http.route': route,
      'conversation_gateway.request_id': request.id,
    },
  })
  reply.raw.once('close', () => {
    const { statusCode } = reply.raw
    const { caller, made, code } = request.exchange
    span.end({
      attributes: {
        'http.response.status_code': statusCode,
        ...(caller === null ? {} : { 'conversation_gateway.app_id': caller.appId }),
        ...(typeof made?.run_id === 'string' ? { 'conversation_gateway.run_id': made.run_id } : {}),
        ...(code === null ? {} : { 'conversation_gateway.code': code }),
      },
      // A refusal is the caller's fault, and no fault of this span.
      ...(statusCode < 500 ? {} : { error: code ?? String(statusCode) }),
    })
  })
  return span.traceparent
}
