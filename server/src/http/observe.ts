import { isIdentifier } from '@conversation-gateway/openapi/behaviour/ids'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Traceparent } from '../domain/trace-context.ts'
import { readTraceparent, traceFields } from '../domain/trace-context.ts'
import type { Tracing } from '../gateway/tracing.ts'
import type { Exchange } from './exchange.ts'
import type { Metrics } from './metrics.ts'

/** The server's logger, such as pino. */
export interface Log {
  debug(fields: object, message: string): void
  info(fields: object, message: string): void
  error(fields: object, message: string): void
}

/** Streams stay open as long as their reader wants, so their duration is not a response time. */
const isStream = (reply: FastifyReply): boolean => reply.raw.getHeader('content-type') === 'text/event-stream'

/**
 * Logs a request after the last byte of the answer, or when the client disconnects; also counts it, unless it is a
 * stream. The line contains no query, header or body, which may hold secrets. Probes, scrapes and pages are logged at
 * `debug`.
 */
export const observe = (request: FastifyRequest, reply: FastifyReply, log: Log, metrics: Metrics): void => {
  const { exchange } = request
  const startedAt = performance.now()
  reply.raw.once('close', () => {
    const durationMs = performance.now() - startedAt
    const status = reply.raw.statusCode
    if (!isStream(reply)) metrics.count(exchange, status, durationMs / 1000)
    const line = lineOf(request, exchange, status, durationMs, reply.raw.writableFinished)
    if (exchange.operationId === null && !request.is404) log.debug(line, 'request')
    else log.info(line, 'request')
  })
}

const lineOf = (
  request: FastifyRequest,
  { operationId, caller, operator, device, traceparent, code, answerIds }: Exchange,
  status: number,
  durationMs: number,
  finished: boolean,
): object => ({
  request_id: request.id,
  ...traceFields(traceparent),
  method: request.method,
  route: routeOf(request),
  operation: operationId,
  status,
  duration_ms: Math.round(durationMs * 1000) / 1000,
  ...(caller === null ? {} : { app_id: caller.appId, key_id: caller.keyId }),
  ...(operator === null ? {} : { operator: operator.name }),
  ...(device === null ? {} : { device_id: device.deviceId, key_id: device.keyId }),
  ...(operationId === null ? {} : idsOf(request.params)),
  ...idsOf(answerIds),
  ...(code === null ? {} : { code }),
  ...(finished ? {} : { aborted: true }),
})

/** The route template, without the client's values; null for an unknown path, which may contain anything. */
const routeOf = (request: FastifyRequest): string | null =>
  request.is404 ? null : (request.routeOptions.url?.replaceAll(/:(\w+)/g, '{$1}') ?? null)

/** The members that are identifiers: each is spelt as the contract spells it. */
const idsOf = (values: unknown): object =>
  typeof values !== 'object' || values === null
    ? {}
    : Object.fromEntries(
        Object.entries(values).filter(
          ([name, value]) => name.endsWith('_id') && typeof value === 'string' && isIdentifier(value),
        ),
      )

/** Probes, scrapes, pages and the worker API are not traced. */
const OPERATION = /^\/(?:api|admin)\/v1\//

/** Begins the span of a request, which ends with its answer; returns the request's trace context. */
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
    const { caller, answerIds, code } = request.exchange
    span.end({
      attributes: {
        'http.response.status_code': statusCode,
        ...(caller === null ? {} : { 'conversation_gateway.app_id': caller.appId }),
        ...(typeof answerIds?.run_id === 'string' ? { 'conversation_gateway.run_id': answerIds.run_id } : {}),
        ...(code === null ? {} : { 'conversation_gateway.code': code }),
      },
      // A refusal is the caller's fault, so the span is not an error.
      ...(statusCode < 500 ? {} : { error: code ?? String(statusCode) }),
    })
  })
  return span.traceparent
}
