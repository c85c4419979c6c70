import { setImmediate as nextTurn } from 'node:timers/promises'
import { isIdentifier } from '@conversation-gateway/openapi/behaviour/ids'
import type { Admitted, Fault, Found, FoundJson, Refusal } from '@conversation-gateway/openapi/behaviour/refusal'
import { refuse } from '@conversation-gateway/openapi/behaviour/refusal'
import { acceptsEventStream } from '@conversation-gateway/openapi/behaviour/requests/accept'
import { NOT_ACCEPTABLE, refuseFaults } from '@conversation-gateway/openapi/behaviour/requests/refused-requests'
import { ERRORS } from '@conversation-gateway/openapi/generated/errors'
import { IDEMPOTENCY_KEY_HEADER } from '@conversation-gateway/openapi/generated/limits'
import type { OperationInfo } from '@conversation-gateway/openapi/generated/operations'
import type { FastifyInstance, FastifyReply, FastifyRequest, RouteOptions } from 'fastify'
import type { CompileValidator } from '../domain/contract/validators.ts'
import { createValidators } from '../domain/contract/validators.ts'
import { fingerprint } from '../domain/fingerprint.ts'
import { isLarge } from '../domain/json/limits.ts'
import type { AskedChange, Audit } from '../gateway/admin/audit.ts'
import { contentOf } from './answers/content-of.ts'
import { answerError } from './answers/errors.ts'
import { sendRefusal } from './answers/problem.ts'
import { sendJson, sendJsonText } from './answers/send-json.ts'
import type { Exchange } from './exchange.ts'
import type { GuardContext } from './guard.ts'
import { createGuard, SUBJECT_HEADER } from './guard.ts'
import type { Log } from './observe.ts'
import type { Download, Handlers, OperationTable, Streaming } from './operation.ts'
import { createWithinDeadline } from './operation-deadline.ts'
import type { TurnsContext } from './operation-turns.ts'
import { turnsOf } from './operation-turns.ts'
import type { BodyReading } from './requests/body.ts'
import { compileBody, takesStream } from './requests/body.ts'
import { discardBody } from './requests/discard-body.ts'
import { compileHeader, compileParameters } from './requests/parameters.ts'
import type { LocatedOperation, OpenApiDocument } from './site/document.ts'
import { listOperations } from './site/document.ts'

/** A contract with what serves it. */
export interface ServedContract<Operations, Table extends OperationTable> {
  readonly document: OpenApiDocument
  readonly table: Table
  readonly handlers: Handlers<Operations, Table>
}

/** What all operations are served with. */
export interface ServingContext extends GuardContext, TurnsContext {
  readonly log: Log
  /** How long an operation of the public API may take, in milliseconds. */
  readonly deadlineMs: number
  readonly audit: Audit
}

/** A handler with its types erased: the contract's validators accept only what the generated types describe. */
type ErasedHandler = (request: never) => Promise<ErasedOutcome>
type ErasedOutcome = Admitted<unknown> | Found<unknown> | FoundJson<unknown> | Refusal | Streaming | Download

/**
 * Registers every operation of a contract: guarded, validated and answered as the document says (D-07). Throws when
 * document, behaviour table and handlers differ.
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
    if (info === undefined) throw new Error(`${operationId} is not in the behaviour table; run \`pnpm generate\``)
    if (handler === undefined) throw new Error(`${operationId} has no handler`)
    registerOperation(app, { document, operation, info, handler, compile, context })
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

const registerOperation = (app: FastifyInstance, registration: Registration): void => {
  const { operation, info, handler, compile, document, context } = registration
  const { method, path } = operation
  const readBody = compileBody(document, operation, info, compile)
  const identifiers = info.parameters.path.filter(isIdName)
  const readPath = compileParameters(document, operation, 'path', compile, identifiers)
  const readQuery = compileParameters(document, operation, 'query', compile)
  const readHeader = compileParameters(document, operation, 'header', compile, READ_ELSEWHERE[info.security])
  // Streams and uploads take no turn of their application: a client decides how long they last.
  const isLong = info.stream !== null || takesStream(info)
  const withinDeadline = createWithinDeadline(info, context.deadlineMs)
  const inTurn = turnsOf(context, method)

  const handle = (request: FastifyRequest, reply: FastifyReply): void => {
    const { tenant } = request.exchange
    if (tenant === null || !isLargeBody(request)) proceed(request, reply)
    else paceBody(context, tenant.appId, reply, () => proceed(request, reply))
  }

  const proceed = (request: FastifyRequest, reply: FastifyReply): void => {
    const body = readBody(request)
    if (body instanceof Promise) {
      body
        .then((read) => serve(request, reply, read))
        .catch((error: unknown) => answerError(error, request, reply, context.log))
    } else serve(request, reply, body)
  }

  const serve = (request: FastifyRequest, reply: FastifyReply, body: BodyReading | Refusal): void => {
    if ('kind' in body) {
      sendRefusal(reply, body)
      return
    }
    const faults: Fault[] = []
    const values = readPath(members(request.params), faults)
    const query = readQuery(members(request.query), faults)
    const header = readHeader(request.headers, faults)
    if (faults.length + body.faults.length > 0) {
      const onlyUnknownMembers = faults.length === 0 && body.onlyUnknownMembers
      const all = [...faults, ...body.faults]
      sendRefusal(reply, refuseFaults({ faults: all, hasMore: body.hasMoreFaults, onlyUnknownMembers }))
      return
    }
    const refusal = refuseRequest(info, request)
    const ids = readIdentifiers(members(request.params), identifiers)
    if (refusal !== null || ids === null) {
      sendRefusal(reply, refusal ?? NO_SUCH_RECORD)
      return
    }
    const { value, json } = body
    const perform = (): Promise<ErasedOutcome> => {
      const { caller, tenant, operator, device, traceparent } = request.exchange
      const idempotency = info.idempotent
        ? {
            key: header[IDEMPOTENCY_KEY_HEADER],
            fingerprint: fingerprint({ method, route: path, pathIds: ids, body: json }),
            traceparent,
          }
        : null
      const input = {
        caller,
        tenant,
        operator,
        device,
        idempotency,
        path: { ...ids, ...values },
        query,
        header,
        body: value,
        reply,
      }
      const act = (): Promise<ErasedOutcome> => handler(input as never)
      if (operator === null) return act()
      const readsText = query[INCLUDE_TEXT] === true
      if (method === 'GET' && !readsText) return act()
      const asked = readsText ? { [INCLUDE_TEXT]: true } : value
      const change = { operator, operation: info.operationId, requestId: request.id, target: ids, body: asked }
      return withAudit(context, change, info, act)
    }
    const { tenant } = request.exchange
    const begin = tenant === null || isLong ? perform : () => inTurn(tenant.appId, perform)
    const performed = json !== null && isLarge(json) ? nextTurn().then(begin) : begin()
    withinDeadline(performed)
      .then((outcome) => answer(reply, info, outcome))
      .catch((error: unknown) => answerError(error, request, reply, context.log))
  }

  const route: RouteOptions = {
    method,
    exposeHeadRoute: info.stream === null,
    url: path.replaceAll(/\{(\w+)\}/g, ':$1'),
    ...(info.maxBodyBytes === null ? {} : { bodyLimit: info.maxBodyBytes }),
    onRequest: createGuard(context, info, compileHeader(document, operation, SUBJECT_HEADER, compile)),
    handler: handle,
  }
  if (takesStream(info)) registerStreamed(app, route)
  else app.route(route)
}

/** The query parameter with which an operator asks for the contents of messages. */
const INCLUDE_TEXT = 'include_text'

/** Records the request before executing it; records its outcome on a best-effort basis. */
const withAudit = async (
  { audit, log }: ServingContext,
  change: AskedChange,
  { successStatus }: OperationInfo,
  act: () => Promise<ErasedOutcome>,
): Promise<ErasedOutcome> => {
  const settle = await audit(change)
  const outcome = await act()
  const ended =
    outcome.kind === 'refused'
      ? { status: ERRORS[outcome.code].status, code: outcome.code, body: null }
      : {
          status: 'status' in outcome ? outcome.status : successStatus,
          code: null,
          body: 'body' in outcome ? outcome.body : null,
        }
  await settle(ended).catch((error: unknown) =>
    log.error({ err: error }, 'the outcome of a change could not be recorded'),
  )
  return outcome
}

/** Smaller bodies are dealt with in less time than it takes to wait. */
const LARGE_BODY_BYTES = 64 * 1024

const isLargeBody = ({ body }: FastifyRequest): boolean => Buffer.isBuffer(body) && body.length > LARGE_BODY_BYTES

/** Goes on when it is the body's turn, and counts it as under way until it has been answered. */
const paceBody = ({ atPace, log }: ServingContext, appId: string, reply: FastifyReply, goOn: () => void): void => {
  atPace(appId)
    .then((turn) => {
      if (typeof turn !== 'function') return sendRefusal(reply, turn)
      // A client that has gone meanwhile wants nothing done.
      if (reply.raw.closed) return turn()
      reply.raw.once('close', turn)
      goOn()
    })
    .catch((error: unknown) => answerError(error, reply.request, reply, log))
}

/** A route whose body reaches the handler as a stream, whatever its Content-Type says or fails to say. */
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

/** Headers that are not the route's matter: the guard's, the request ID, and what a webhook's handler verifies. */
const READ_ELSEWHERE = {
  apiKey: [SUBJECT_HEADER, 'X-Request-Id'],
  adminToken: ['X-Request-Id'],
  deviceKey: ['X-Request-Id'],
  webhookSignature: ['webhook-id', 'webhook-timestamp', 'webhook-signature', 'X-Request-Id'],
} as const satisfies Record<OperationInfo['security'], readonly string[]>

/** What a request that keeps the contract's schemas can still be refused for, whatever it concerns. */
const refuseRequest = ({ stream }: OperationInfo, { headers }: FastifyRequest): Refusal | null =>
  stream !== null && !acceptsEventStream(headers.accept) ? NOT_ACCEPTABLE : null

/** IDs are opaque: what cannot be one is unknown. Other values have a form, and what does not keep it is a fault. */
const isIdName = (name: string): boolean => name.endsWith('_id')

/** The IDs of the path; null when one cannot be an ID at all. */
const readIdentifiers = (
  parameters: Readonly<Record<string, unknown>>,
  names: readonly string[],
): Readonly<Record<string, string>> | null => {
  const ids: Record<string, string> = {}
  for (const name of names) {
    const id = parameters[name]
    if (typeof id !== 'string' || !isIdentifier(id)) return null
    ids[name] = id
  }
  return ids
}

const NO_SUCH_RECORD = refuse('NOT_FOUND', 'There is no record with this ID.')

const answer = (reply: FastifyReply, { successStatus, idempotent }: OperationInfo, outcome: ErasedOutcome): void => {
  switch (outcome.kind) {
    case 'streaming':
      return
    case 'refused':
      // A body that is taken as it arrives may still be under way.
      discardBody(reply.request.raw, reply.raw)
      sendRefusal(reply, outcome)
      return
    case 'download':
      reply.code(successStatus).headers(outcome.headers).send(contentOf(reply.request, outcome))
      return
    case 'admitted':
      if (idempotent) reply.request.exchange.admission = outcome.replayed ? 'replayed' : 'new'
      reply.request.exchange.made = madeBy(outcome.body)
      if (outcome.replayed) reply.header('idempotency-replayed', 'true')
      sendJson(reply, outcome.status, outcome.body)
      return
    case 'found_json':
      sendJsonText(reply, successStatus, outcome.json)
      return
    case 'found':
      if (outcome.body === undefined) reply.code(successStatus).send()
      else sendJson(reply, successStatus, outcome.body)
  }
}

/** The IDs of work in an answer. */
const madeBy = (body: unknown): Exchange['made'] => {
  const { conversation_id, run_id, operation_id } = members(body)
  return { conversation_id, run_id, operation_id }
}

/** What the router and the query parser hand over, as an object of texts. */
const members = (value: unknown): Readonly<Record<string, unknown>> => (isObject(value) ? value : NOTHING)
const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null
const NOTHING: Readonly<Record<string, unknown>> = {}
