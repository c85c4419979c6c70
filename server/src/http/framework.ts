import type { IncomingMessage, RequestListener, Server } from 'node:http'
import { createServer as createHttp } from 'node:http'
import { createServer as createHttps } from 'node:https'
import { newId } from '@conversation-gateway/openapi/behaviour/ids'
import { NO_ROUTE } from '@conversation-gateway/openapi/behaviour/requests/refused-requests'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { fastify } from 'fastify'
import type { Tracing } from '../gateway/tracing.ts'
import { NO_TRACING } from '../gateway/tracing.ts'
import type { AnswerClientError } from './answers/client-errors.ts'
import { createAnswerClientError } from './answers/client-errors.ts'
import { answerError } from './answers/errors.ts'
import { sendRefusal } from './answers/problem.ts'
import { createConnectionGuard } from './connections.ts'
import { openExchange } from './exchange.ts'
import type { Metrics } from './metrics.ts'
import type { Log } from './observe.ts'
import { observe, traceRequest } from './observe.ts'
import { createUnrouted } from './unrouted.ts'

/** A certificate with its chain, and its private key (PEM). */
export interface Tls {
  readonly cert: string
  readonly key: string
}

export interface FrameworkOptions {
  readonly metrics: Metrics
  readonly log: Log
  /** Traces requests. Default: no tracing. */
  readonly tracing?: Tracing
  /** Serves HTTPS with this certificate. */
  readonly tls?: Tls
  /** Whether to trust the client address from a proxy. Default false. */
  readonly trustProxy?: boolean
  /** Whether clients can reach the gateway over HTTPS only. Default: whether `tls` is set. */
  readonly httpsOnly?: boolean
}

/**
 * Timeouts for receiving the head of a request and the whole request. They do not apply to event streams, which are
 * answers.
 */
const HEADERS_TIMEOUT_MS = 15_000
const REQUEST_TIMEOUT_MS = 60_000
/** Longer than the idle timeout of common load balancers, so that they close idle connections first. */
const KEEP_ALIVE_MS = 72_000
/** The length of a percent-encoded subject of 256 code points; longer values match no route. */
const LONGEST_PATH_VALUE = 256 * 4 * 3

/** HSTS max-age, in seconds. */
const HTTPS_SECONDS = 365 * 24 * 3600

/**
 * Default headers of every answer: no caching, because it may contain keys, secrets and customers' texts, and no
 * content sniffing.
 */
const COMMON_HEADERS = { 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' }

/**
 * The web framework, configured so that even requests without a route are answered with a request ID and a problem,
 * counted and logged. Handlers receive bodies as bytes.
 */
export const createFramework = (options: FrameworkOptions): FastifyInstance => {
  const { metrics, log, tracing = NO_TRACING, tls, trustProxy = false, httpsOnly = tls !== undefined } = options
  const common = {
    ...COMMON_HEADERS,
    ...(httpsOnly && { 'strict-transport-security': `max-age=${HTTPS_SECONDS}` }),
  }
  const connections = createConnectionGuard()
  const beginExchange = (request: FastifyRequest, reply: FastifyReply): void => {
    request.exchange = openExchange(traceRequest(request, reply, tracing))
    reply.headers(common).header('x-request-id', request.id)
    observe(request, reply, log, metrics)
  }

  const app: FastifyInstance = fastify({
    serverFactory: (answer) =>
      createServer({ answer: connections.guard(answer), answerClientError: createAnswerClientError(common), tls }),
    logger: false,
    // The last address of X-Forwarded-For: those before it were written by the proxy's caller.
    trustProxy: trustProxy ? (_address, hop) => hop === 0 : false,
    forceCloseConnections: 'idle',
    return503OnClosing: false,
    routerOptions: { maxParamLength: LONGEST_PATH_VALUE },
    genReqId: requestIdOf,
    // Replaces the framework's handler with none, because `createServer` registers the gateway's.
    clientErrorHandler: () => {},
    frameworkErrors: (_error, request, reply) => {
      beginExchange(request, reply)
      sendRefusal(reply, connections.refusalOf(request.raw) ?? NO_ROUTE)
    },
  })
  app.decorateRequest('exchange')
  app.removeAllContentTypeParsers()
  // Accept every content type, and check it after the size. JSON is registered explicitly so that the framework caches
  // its parser.
  app.addContentTypeParser(['application/json', '*'], { parseAs: 'buffer' }, (_request, bytes, done) =>
    done(null, bytes),
  )

  const answerUnrouted = createUnrouted(app)
  app.addHook('onRequest', (request, reply, done) => {
    beginExchange(request, reply)
    const refusal = connections.refusalOf(request.raw)
    if (refusal !== null) sendRefusal(reply, refusal)
    else if (request.is404) answerUnrouted(request, reply)
    else done()
  })
  app.setErrorHandler((error, request, reply) => answerError(error, request, reply, log))
  return app
}

interface Serving {
  readonly answer: RequestListener
  readonly answerClientError: AnswerClientError
  readonly tls: Tls | undefined
}

/** A server that replaces the HTTP parser's own error answers with the gateway's. */
const createServer = ({ answer, answerClientError, tls }: Serving): Server => {
  const options = {
    // Join repeated headers, which makes them malformed, instead of keeping only the first.
    joinDuplicateHeaders: true,
    requireHostHeader: false,
    headersTimeout: HEADERS_TIMEOUT_MS,
    requestTimeout: REQUEST_TIMEOUT_MS,
    keepAliveTimeout: KEEP_ALIVE_MS,
  }
  const server = tls === undefined ? createHttp(options, answer) : createHttps({ ...options, ...tls }, answer)
  // Ignore unknown values of the header `Expect`.
  server.on('checkExpectation', answer)
  server.on('clientError', answerClientError)
  return server
}

const requestIdOf = ({ headers }: IncomingMessage): string => {
  const given = headers['x-request-id']
  return typeof given === 'string' && USABLE_REQUEST_ID.test(given) ? given : newId('req')
}

/** A valid request ID of the caller: 1 to 128 visible ASCII characters (D-10). */
const USABLE_REQUEST_ID = /^[\x21-\x7e]{1,128}$/
