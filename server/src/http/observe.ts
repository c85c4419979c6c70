import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Exchange } from './exchange.ts'
import type { Metrics } from './metrics.ts'

/** What the server writes to its log; pino's loggers fit. */
export interface Log {
  debug(fields: object, message: string): void
  info(fields: object, message: string): void
  error(fields: object, message: string): void
}

/** Streams are open for as long as their reader likes, which says nothing about the speed of an answer. */
const isStream = (reply: FastifyReply): boolean => reply.raw.getHeader('content-type') === 'text/event-stream'

/**
 * Counts and logs a request once its connection is done with it: after the last byte of the answer, or when the client
 * has gone. The line has neither query nor header nor body, which may hold secrets.
 */
export const observe = (request: FastifyRequest, reply: FastifyReply, log: Log, metrics: Metrics): void => {
  const { exchange } = request
  const startedAt = performance.now()
  reply.raw.once('close', () => {
    const durationMs = performance.now() - startedAt
    const status = reply.raw.statusCode
    if (!isStream(reply)) metrics.count(exchange, status, durationMs / 1000)
    log.info(lineOf(request, exchange, status, durationMs, reply.raw.writableFinished), 'request')
  })
}

const lineOf = (
  request: FastifyRequest,
  { operationId, caller, operator, code }: Exchange,
  status: number,
  durationMs: number,
  finished: boolean,
): object => ({
  request_id: request.id,
  method: request.method,
  operation: operationId,
  status,
  duration_ms: Math.round(durationMs * 1000) / 1000,
  ...(caller === null ? {} : { app_id: caller.appId, key_id: caller.keyId }),
  ...(operator === null ? {} : { operator: operator.name }),
  ...(code === null ? {} : { code }),
  ...(finished ? {} : { aborted: true }),
})
