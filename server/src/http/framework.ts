import type { IncomingMessage, RequestListener, Server } from 'node:http'
import { createServer as createHttp } from 'node:http'
import { createServer as createHttps } from 'node:https'
import { newId } from '@conversation-gateway/openapi/behaviour/ids'
import { NO_ROUTE } from '@conversation-gateway/openapi/behaviour/requests/refused-requests'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { fastify } from 'fastify'
import type { Tracing } from '../gateway/tracing.ts'
import { NO_TRACING } from '../gateway/tracing.ts'
import { answerHeaders } from './answers/answer-headers.ts'
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
  /** Follows requests. Default: nobody does. */
  readonly tracing?: Tracing
  /** Serves HTTPS with this certificate. */
  readonly tls?: Tls
  /** Whether a proxy in front says who the client is. Default false. */
  readonly trustProxy?: boolean
  /** Whether clients can reach the gateway by HTTPS alone. Default: with `tls`. */
  readonly httpsOnly?: boolean
}

/** How long a client may take to send the head of a request, and all of it. Streams are answers: no time ends them. */
const HEADERS_TIMEOUT_MS = 15_000
const REQUEST_TIMEOUT_MS = 60_000
/** Longer than the idle time of common load balancers, so that they and not we close an idle connection. */
const KEEP_ALIVE_MS = 72_000
/** A subject of 256 code points, percent-encoded; what is longer is no route. */
const LONGEST_PATH_VALUE = 256 * 4 * 3

/**
 * The web framework, made to answer everything that no route does in the gateway's own way: with a request ID, as a
 * problem, counted and logged. Bodies reach the handlers as bytes.
 */
export const createFramework = (options: FrameworkOptions): FastifyInstance => {
  const { metrics, log, tracing = NO_TRACING, tls, trustProxy = false, httpsOnly = tls !== undefined } = options
  const common = answerHeaders(httpsOnly)
  const connections = createConnectionGuard()
  const admit = (request: FastifyRequest, reply: FastifyReply): void => {
    request.exchange = openExchange(traceRequest(request, reply, tracing))
    reply.headers(common).header('x-request-id', request.id)
    observe(request, reply, log, metrics)
  }

  const app: FastifyInstance = fastify({
    serverFactory: (answer) =>
      createServer({ answer: connections.guard(answer), answerClientError: createAnswerClientError(common), tls }),
    logger: false,
    // The last address of X-Forwarded-For: those before it were written by whoever called the proxy.
    trustProxy: trustProxy ? (_address, hop) => hop === 0 : false,
    forceCloseConnections: 'idle',
    return503OnClosing: false,
    routerOptions: { maxParamLength: LONGEST_PATH_VALUE },
    genReqId: requestIdOf,
    // Every server has its own.
    clientErrorHandler: () => {},
    frameworkErrors: (_error, request, reply) => {
      admit(request, reply)
      sendRefusal(reply, connections.refusalOf(request.raw) ?? NO_ROUTE)
    },
  })
  app.decorateRequest('exchange')
  app.removeAllContentTypeParsers()
  // Every type is taken, and judged after the size. JSON is named so that the framework remembers where it goes.
  app.addContentTypeParser(['application/json', '*'], { parseAs: 'buffer' }, (_request, bytes, done) =>
    done(null, bytes),
  )

  const answerUnrouted = createUnrouted(app)
  app.addHook('onRequest', (request, reply, done) => {
    admit(request, reply)
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

/** A server that answers with the gateway's own words whatever the HTTP parser would answer. */
const createServer = ({ answer, answerClientError, tls }: Serving): Server => {
  const options = {
    // A repeated header is joined, and thereby malformed, instead of dropped after the first.
    joinDuplicateHeaders: true,
    requireHostHeader: false,
    headersTimeout: HEADERS_TIMEOUT_MS,
    requestTimeout: REQUEST_TIMEOUT_MS,
    keepAliveTimeout: KEEP_ALIVE_MS,
  }
  const server = tls === undefined ? createHttp(options, answer) : createHttps({ ...options, ...tls }, answer)
  // An expectation that nobody knows is ignored.
  server.on('checkExpectation', answer)
  server.on('clientError', answerClientError)
  return server
}

const requestIdOf = ({ headers }: IncomingMessage): string => {
  const given = headers['x-request-id']
  return typeof given === 'string' && USABLE_REQUEST_ID.test(given) ? given : newId('req')
}

/** A caller's request ID that may be given back: 1 to 128 visible ASCII characters (D-10). */
const USABLE_REQUEST_ID = /^[\x21-\x7e]{1,128}$/
