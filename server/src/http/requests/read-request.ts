import { setImmediate as nextTurn } from 'node:timers/promises'
import { isIdentifier } from '@conversation-gateway/openapi/behaviour/ids'
import type { Fault, Refusal } from '@conversation-gateway/openapi/behaviour/refusal'
import { refuse } from '@conversation-gateway/openapi/behaviour/refusal'
import { acceptsEventStream } from '@conversation-gateway/openapi/behaviour/requests/accept'
import { NOT_ACCEPTABLE, refuseFaults } from '@conversation-gateway/openapi/behaviour/requests/refused-requests'
import type { OperationInfo } from '@conversation-gateway/openapi/generated/operations'
import type { FastifyRequest } from 'fastify'
import type { CompileValidator } from '../../domain/contract/validators.ts'
import type { ScannedJson } from '../../domain/json/scanned-json.ts'
import { SUBJECT_HEADER } from '../guard.ts'
import type { LocatedOperation, OpenApiDocument } from '../site/document.ts'
import type { BodyReading } from './body.ts'
import { compileBody } from './body.ts'
import { compileParameters } from './parameters.ts'

/** The contents of a valid request. */
export interface RequestInput {
  readonly ids: Readonly<Record<string, string>>
  /** The path parameters that are not IDs. */
  readonly path: Readonly<Record<string, unknown>>
  readonly query: Readonly<Record<string, unknown>>
  readonly header: Readonly<Record<string, unknown>>
  readonly body: unknown
  /** The text of a JSON body. */
  readonly json: ScannedJson | null
}

/** Reads a received request, or refuses it. A large body is read in several turns of the event loop. */
export type ReadRequest = (request: FastifyRequest) => RequestInput | Refusal | Promise<RequestInput | Refusal>

/** Compiles how the requests of an operation are read: as the contract says, in the order of D-07. */
export const compileRequest = (
  document: OpenApiDocument,
  operation: LocatedOperation,
  info: OperationInfo,
  compile: CompileValidator,
): ReadRequest => {
  const identifiers = info.pathParameters.filter(isIdName)
  const readBody = compileBody(document, operation, info, compile)
  const readPath = compileParameters(document, operation, 'path', compile, identifiers)
  const readQuery = compileParameters(document, operation, 'query', compile)
  const readHeader = compileParameters(document, operation, 'header', compile, READ_ELSEWHERE[info.security])

  const check = (request: FastifyRequest, body: BodyReading | Refusal): RequestInput | Refusal => {
    if ('kind' in body) return body
    const faults: Fault[] = []
    const params: Readonly<Record<string, unknown>> = Object(request.params)
    const path = readPath(params, faults)
    const query = readQuery(Object(request.query), faults)
    const header = readHeader(request.headers, faults)
    if (faults.length + body.faults.length > 0) {
      const onlyUnknownMembers = faults.length === 0 && body.onlyUnknownMembers
      return refuseFaults({ faults: [...faults, ...body.faults], hasMore: body.hasMoreFaults, onlyUnknownMembers })
    }
    if (info.isStream && !acceptsEventStream(request.headers.accept)) return NOT_ACCEPTABLE
    const ids = readIdentifiers(params, identifiers)
    if (ids === null) return NO_SUCH_RECORD
    return { ids, path, query, header, body: body.value, json: body.json }
  }

  return (request) => {
    const body = readBody(request)
    if (!(body instanceof Promise)) return check(request, body)
    return body.then(async (large) => {
      const input = check(request, large)
      await nextTurn()
      return input
    })
  }
}

/** Headers that the guard, the framework or the webhook handler reads. */
const READ_ELSEWHERE = {
  apiKey: [SUBJECT_HEADER, 'X-Request-Id'],
  adminToken: ['X-Request-Id'],
  deviceKey: ['X-Request-Id'],
  webhookSignature: ['webhook-id', 'webhook-timestamp', 'webhook-signature', 'X-Request-Id'],
} as const satisfies Record<OperationInfo['security'], readonly string[]>

/**
 * IDs are opaque, so a malformed one is unknown (404). Other values have a format, and a malformed one is a fault
 * (400).
 */
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
