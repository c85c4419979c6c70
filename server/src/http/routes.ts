import type { Refusal } from '@conversation-gateway/openapi/behaviour/refusal'
import type { OperationInfo } from '@conversation-gateway/openapi/generated/operations'
import type { FastifyInstance, FastifyReply, FastifyRequest, preValidationHookHandler, RouteOptions } from 'fastify'
import type { CompileValidator } from '../domain/contract/validators.ts'
import { createValidators } from '../domain/contract/validators.ts'
import type { Caller } from '../gateway/access/authenticate.ts'
import type { OpenedStream } from '../gateway/stream/open-stream.ts'
import { answerOutcome } from './answers/answer-outcome.ts'
import { answerError } from './answers/errors.ts'
import { sendRefusal } from './answers/problem.ts'
import type { GuardContext } from './guard.ts'
import { createGuard, SUBJECT_HEADER } from './guard.ts'
import type { KeyWatch } from './key-watch.ts'
import type { Handlers, OperationTable } from './operation.ts'
import type { ErasedHandler, PerformContext } from './perform-operation.ts'
import { createPerform } from './perform-operation.ts'
import { takesStream } from './requests/body.ts'
import { compileHeader } from './requests/parameters.ts'
import type { RequestInput } from './requests/read-request.ts'
import { compileRequest } from './requests/read-request.ts'
import type { LocatedOperation, OpenApiDocument } from './site/document.ts'
import { listOperations } from './site/document.ts'

/** A contract and its handlers. */
export interface ServedContract<Operations, Table extends OperationTable> {
  readonly document: OpenApiDocument
  readonly table: Table
  readonly handlers: Handlers<Operations, Table>
}

/** The dependencies of all operations. */
export interface ServingContext extends GuardContext, PerformContext {
  readonly keyWatch: KeyWatch
}

/**
 * Registers every operation of a contract: guarded, validated and answered as the document says (D-07). Throws when
 * the behaviour table or the handlers lack one.
 */
export const registerOperations = <Operations, Table extends OperationTable>(
  app: FastifyInstance,
  { document, table, handlers }: ServedContract<Operations, Table>,
  context: ServingContext,
): void => {
  const compile = createValidators(document)
  const erased: Readonly<Record<string, ErasedHandler | undefined>> = { ...handlers }
  for (const operation of listOperations(document)) {
    const { operationId } = operation.part
    const info = table[operationId]
    const handler = erased[operationId]
    if (info === undefined) throw new Error(`${operationId} is not in the behaviour table; run \`npm run generate\``)
    if (handler === undefined) throw new Error(`${operationId} has no handler`)
    const route = routeOf({ document, operation, info, handler, compile, context })
    if (takesStream(info)) registerStreamed(app, route)
    else app.route(route)
  }
}

interface Registration {
  readonly document: OpenApiDocument
  readonly operation: LocatedOperation
  readonly info: OperationInfo
  readonly handler: ErasedHandler
  readonly compile: CompileValidator
  readonly context: ServingContext
}

/** The steps of a request, in this order. */
const routeOf = ({ document, operation, info, handler, compile, context }: Registration): RouteOptions => {
  const readRequest = compileRequest(document, operation, info, compile)
  const perform = createPerform(handler, info, context)
  return {
    method: info.method,
    url: info.path.replaceAll(/\{(\w+)\}/g, ':$1'),
    exposeHeadRoute: !info.isStream,
    ...(info.maxBodyBytes === null ? {} : { bodyLimit: info.maxBodyBytes }),

    onRequest: createGuard(context, info, compileHeader(document, operation, SUBJECT_HEADER, compile)),

    preValidation: paceLargeBody(context),

    preHandler: (request, reply, done) => {
      const accept = (input: RequestInput | Refusal): void => {
        if ('kind' in input) {
          sendRefusal(reply, input)
          return
        }
        request.exchange.input = input
        done()
      }
      const input = readRequest(request)
      if (input instanceof Promise) input.then(accept).catch(done)
      else accept(input)
    },

    handler: (request, reply) => {
      const { input, caller } = request.exchange
      if (input === null) throw new Error('the request was not read')
      perform(reply, input)
        .then((outcome) => {
          if (outcome.kind === 'opened' && caller !== null) endWithKey(context, caller, outcome, reply)
          answerOutcome(reply, info, outcome)
        })
        .catch((error: unknown) => answerError(error, request, reply, context.log))
    },
  }
}

/** Smaller bodies are processed faster than a wait would take. */
const LARGE_BODY_BYTES = 64 * 1024

const isLargeBody = ({ body }: FastifyRequest): boolean => Buffer.isBuffer(body) && body.length > LARGE_BODY_BYTES

/** Waits for the turn of a large body. The turn lasts until the request is answered. */
const paceLargeBody = ({ atPace }: GuardContext): preValidationHookHandler => {
  return (request, reply, done) => {
    const { tenant } = request.exchange
    if (tenant === null || !isLargeBody(request)) {
      done()
      return
    }
    atPace(tenant.appId)
      .then((turn) => {
        if (typeof turn !== 'function') {
          sendRefusal(reply, turn)
          return
        }
        // Do nothing if the client has disconnected meanwhile.
        if (reply.raw.closed) {
          turn()
          return
        }
        reply.raw.once('close', turn)
        done()
      })
      .catch(done)
  }
}

/** Ends a stream when its key is no longer valid. */
const endWithKey = (
  { keyWatch }: ServingContext,
  caller: Caller,
  { end }: OpenedStream,
  { raw }: FastifyReply,
): void => {
  const unwatch = keyWatch.watch(caller, end)
  if (raw.closed) unwatch()
  else raw.once('close', unwatch)
}

/** A route whose handler gets the body as a stream, for any or no Content-Type. */
const registerStreamed = (app: FastifyInstance, route: RouteOptions): void => {
  void app.register(async (scope) => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', (_request, stream, done) => done(null, stream))
    scope.addHook('onRequest', async ({ raw }) => {
      raw.headers['content-type'] = 'application/octet-stream'
    })
    scope.route(route)
  })
}
