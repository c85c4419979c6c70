import { isUtf8 } from 'node:buffer'
import type { Refusal } from '@conversation-gateway/openapi/behaviour/refusal'
import { refuse } from '@conversation-gateway/openapi/behaviour/refusal'
import { refuseFaults, tooLarge } from '@conversation-gateway/openapi/behaviour/requests/refused-requests'
import type { OperationInfo } from '@conversation-gateway/openapi/generated/operations'
import type { FastifyReply, FastifyRequest, HookHandlerDoneFunction, onRequestHookHandler } from 'fastify'
import type { Validator } from '../domain/contract/validators.ts'
import { includesRole } from '../domain/operator-roles.ts'
import type { Authenticator, Caller } from '../gateway/access/authenticate.ts'
import type { DeviceGate, DeviceIdentity } from '../gateway/access/device-gate.ts'
import type { RateLimiter } from '../gateway/access/limit-rate.ts'
import type { OperatorGate, OperatorIdentity } from '../gateway/access/operator-gate.ts'
import type { AtPace } from '../gateway/fairness/fairness.ts'
import { sendRefusal } from './answers/problem.ts'
import { discardBody } from './requests/discard-body.ts'

/** The dependencies of the checks before a body is read (D-07: key, scope, subject, rate, announced body size). */
export interface GuardContext {
  readonly authenticator: Authenticator
  readonly limitRate: RateLimiter
  readonly operatorGate: OperatorGate
  readonly deviceGate: DeviceGate
  readonly atPace: AtPace
  /** Called for each caller with a valid key. */
  readonly noteUse: (caller: Caller) => void
}

export const createGuard = (
  context: GuardContext,
  operation: OperationInfo,
  validateSubject: Validator | null,
): onRequestHookHandler => {
  const { authenticator, operatorGate } = context
  if (operation.security === 'adminToken')
    return (request, reply, done) => {
      request.exchange.operationId = operation.operationId
      const settleOperator = (operator: OperatorIdentity | Refusal) =>
        settle(request, reply, done, checkOperator(request, operator, operation))
      const operator = operatorGate(request.headers.authorization, request)
      if (operator instanceof Promise) operator.then(settleOperator).catch(done)
      else settleOperator(operator)
    }
  if (operation.security === 'deviceKey')
    return (request, reply, done) => {
      request.exchange.operationId = operation.operationId
      context.deviceGate
        .authenticate(request.headers.authorization, request, operation.takesRunToken)
        .then((device) => settle(request, reply, done, checkDevice(context, request, device, operation)))
        .catch(done)
    }
  if (operation.security !== 'apiKey')
    return (request, reply, done) => {
      request.exchange.operationId = operation.operationId
      // Webhooks are checked by their handler: the signature needs the whole body, and the existence of the integration
      // is checked before the size (D-34).
      settle(request, reply, done, null)
    }
  if (validateSubject === null)
    throw new Error(`${operation.operationId} accepts an API key but has no parameter ${SUBJECT_HEADER}`)
  const checkCaller = createCallerCheck(context, operation, validateSubject)
  return (request, reply, done) => {
    request.exchange.operationId = operation.operationId
    const caller = authenticator.authenticate(request.headers.authorization, request)
    if (caller instanceof Promise)
      caller.then((found) => settlePaced(context, request, reply, done, checkCaller(request, found))).catch(done)
    else settlePaced(context, request, reply, done, checkCaller(request, caller))
  }
}

/** The requirements for an operator. */
const checkOperator = (
  request: FastifyRequest,
  operator: OperatorIdentity | Refusal,
  operation: OperationInfo,
): Refusal | null => {
  if ('kind' in operator) return operator
  request.exchange.operator = operator
  const needed = operation.operatorRole
  if (needed !== null && !includesRole(operator.role, needed))
    return refuse('PERMISSION_DENIED', `The operator needs the role ${needed}; this token has ${operator.role}.`)
  return refuseAnnouncedSize(request, operation)
}

/** Request rate of a device key: many workers may share one, and each sends its assistants' streams. */
const WORKER_REQUESTS_PER_SECOND = 5000

/** The requirements for a worker. */
const checkDevice = (
  { limitRate }: GuardContext,
  request: FastifyRequest,
  device: DeviceIdentity | Refusal,
  operation: OperationInfo,
): Refusal | null => {
  if ('kind' in device) return device
  request.exchange.device = device
  const rate = { keyId: device.keyId, rateLimitPerSecond: WORKER_REQUESTS_PER_SECOND }
  return limitRate(rate) ?? refuseAnnouncedSize(request, operation)
}

/** The requirements for an authenticated caller. */
const createCallerCheck =
  ({ limitRate, noteUse }: GuardContext, operation: OperationInfo, validateSubject: Validator) =>
  (request: FastifyRequest, caller: Caller | Refusal): Refusal | null => {
    if ('kind' in caller) return caller
    const { exchange, headers } = request
    exchange.caller = caller
    noteUse(caller)
    if (!operation.scopes.some((needed) => needed.every((scope) => caller.scopes.has(scope))))
      return refuse('PERMISSION_DENIED', `The key needs the scope ${describeScopes(operation.scopes)}.`)
    const given = headers[SUBJECT]
    if (typeof given !== 'string') return refuseSubject('is required')
    const subject = decodeUtf8(given)
    if (subject === null) return refuseSubject('must be UTF-8')
    const [fault] = validateSubject(subject)
    if (fault !== undefined) return refuseSubject(fault.message)
    if (isRepeated(request, subject)) return refuseSubject('must be given only once')
    exchange.tenant = { appId: caller.appId, subject }
    return limitRate(caller) ?? refuseAnnouncedSize(request, operation)
  }

export const SUBJECT_HEADER = 'X-Service-Subject'
const SUBJECT = SUBJECT_HEADER.toLowerCase()

const refuseSubject = (message: string): Refusal => refuseFaults({ faults: [{ pointer: SUBJECT_HEADER, message }] })

/** Decodes a header's UTF-8 bytes, which Node represents as one character each; null if invalid (D-54). */
const decodeUtf8 = (header: string): string | null => {
  if (ASCII.test(header)) return header
  const bytes = Buffer.from(header, 'latin1')
  return isUtf8(bytes) ? bytes.toString('utf8') : null
}
const ASCII = /^[\x20-\x7e]*$/

/** Repeated headers are joined by a comma, which a subject may also contain. */
const isRepeated = (request: FastifyRequest, subject: string): boolean =>
  subject.includes(',') &&
  request.raw.rawHeaders.filter((name, i) => i % 2 === 0 && name.toLowerCase() === SUBJECT).length > 1

const describeScopes = (alternatives: OperationInfo['scopes']): string =>
  alternatives.map((scopes) => scopes.join(' and ')).join(' or ')

const refuseAnnouncedSize = (request: FastifyRequest, { maxBodyBytes }: OperationInfo): Refusal | null =>
  maxBodyBytes !== null && Number(request.headers['content-length']) > maxBodyBytes ? tooLarge(maxBodyBytes) : null

/** Discarding a body that is too large also takes time, so such a request waits for its application's turn. */
const settlePaced = (
  { atPace }: GuardContext,
  request: FastifyRequest,
  reply: FastifyReply,
  done: HookHandlerDoneFunction,
  refusal: Refusal | null,
): void => {
  const { tenant } = request.exchange
  if (refusal?.code !== 'PAYLOAD_TOO_LARGE' || tenant === null) {
    settle(request, reply, done, refusal)
    return
  }
  atPace(tenant.appId)
    .then((turn) => {
      if (typeof turn === 'function') whenOver(request, turn)
      settle(request, reply, done, typeof turn === 'function' ? refusal : turn)
    })
    .catch(done)
}

/** If a client disconnects while its body is unread, the socket closes, but the request does not always end. */
const whenOver = ({ raw, socket }: FastifyRequest, callback: () => void): void => {
  const over = (): void => {
    socket.off('close', over)
    callback()
  }
  raw.once('close', over)
  socket.once('close', over)
  if (raw.closed || socket.destroyed) over()
}

const settle = (
  request: FastifyRequest,
  reply: FastifyReply,
  done: HookHandlerDoneFunction,
  refusal: Refusal | null,
): void => {
  if (refusal === null) {
    done()
    return
  }
  discardBody(request.raw, reply.raw)
  sendRefusal(reply, refusal)
}
