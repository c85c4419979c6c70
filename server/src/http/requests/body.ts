import { Readable } from 'node:stream'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Fault, Refusal } from '@conversation-gateway/openapi/behaviour/refusal'
import { isJson, isPlain } from '@conversation-gateway/openapi/behaviour/requests/content-type'
import { NOT_JSON, NOT_PLAIN } from '@conversation-gateway/openapi/behaviour/requests/refused-requests'
import type { OperationInfo } from '@conversation-gateway/openapi/generated/operations'
import type { FastifyRequest } from 'fastify'
import type { CompileValidator } from '../../domain/contract/validators.ts'
import { faultSearchOf, isLarge } from '../../domain/json/limits.ts'
import { readValue } from '../../domain/json/read-value.ts'
import type { ScannedJson } from '../../domain/json/scanned-json.ts'
import type { LocatedOperation, OpenApiDocument } from '../site/document.ts'
import { jsonPointer } from '../site/document.ts'
import { checkJsonBody, UnusableJson } from './json-body.ts'
import { findVerbatim } from './verbatim.ts'

/** A body for the operation's handler, or its faults. */
export interface BodyReading {
  readonly value: unknown
  /** The text of a JSON body; null if it is missing or unusable. */
  readonly json: ScannedJson | null
  readonly faults: readonly Fault[]
  /** Whether further faults are possible that were not searched for. */
  readonly hasMoreFaults: boolean
  /** Whether all of the faults are unknown members. */
  readonly onlyUnknownMembers: boolean
}

/**
 * Reads the received bytes. A large body is read in several turns of the event loop, so that none takes long.
 */
export type ReadBody = (request: FastifyRequest) => BodyReading | Refusal | Promise<BodyReading>

/**
 * Compiles the reader of an operation's body: JSON that is valid by the contract's schema, with `x-verbatim` objects as
 * the sent text; a stream of bytes; or nothing.
 */
export const compileBody = (
  document: OpenApiDocument,
  { part, pointer }: LocatedOperation,
  info: OperationInfo,
  compile: CompileValidator,
): ReadBody => {
  if (part.requestBody === undefined) return () => NO_BODY
  if (takesStream(info))
    return ({ body }) => ({ ...NO_BODY, value: body instanceof Readable ? leaveOpen(body) : NO_BYTES })

  const validate = compile(`${pointer}${jsonPointer('requestBody', 'content', JSON_TYPE, 'schema')}`)
  const verbatim = findVerbatim(document, part.requestBody.content[JSON_TYPE] ?? {})
  const empty = part.requestBody.required === true ? MISSING_BODY : NO_BODY
  return ({ body, headers }) => {
    const contentType = headers['content-type']
    const bytes = Buffer.isBuffer(body) ? body : null
    const isEmpty = bytes === null || bytes.length === 0
    if (isEmpty && contentType === undefined) return empty
    const refusal = refuseJson(contentType, headers['content-encoding'])
    if (refusal !== null) return refusal
    if (isEmpty) return empty
    const json = checkJsonBody(bytes)
    if (json instanceof UnusableJson) return { ...NO_BODY, faults: json.faults }
    const read = (): BodyReading => {
      const value = readValue(json, verbatim)
      const search = faultSearchOf(json)
      const faults = validate(value, search)
      const hasMoreFaults = search === 'first' && faults.length > 0
      const onlyUnknownMembers = faults.every(({ unknownMember }) => unknownMember)
      return { value, json, faults, hasMoreFaults, onlyUnknownMembers }
    }
    return isLarge(json) ? nextTurn().then(read) : read()
  }
}

/** The refusal of headers that rule out a JSON body; null for other headers. */
export const refuseJson = (contentType: string | undefined, contentEncoding: string | undefined): Refusal | null => {
  if (!isJson(contentType)) return NOT_JSON
  return isPlain(contentEncoding) ? null : NOT_PLAIN
}

/**
 * Whether an operation's body is streamed with any content type: if every type is allowed, or if other checks come
 * before size and type (D-34).
 */
export const takesStream = ({ security, requestContentTypes }: OperationInfo): boolean =>
  security === 'webhookSignature' || (requestContentTypes.length > 0 && !requestContentTypes.includes(JSON_TYPE))

/** The bytes. Stopping early leaves the connection open for the answer. */
const leaveOpen = (body: Readable): AsyncIterable<Uint8Array> => ({
  [Symbol.asyncIterator]: () => body.iterator({ destroyOnReturn: false }),
})

const JSON_TYPE = 'application/json'

const NO_BYTES: AsyncIterable<Uint8Array> = { async *[Symbol.asyncIterator]() {} }

const NO_BODY: BodyReading = {
  value: undefined,
  json: null,
  faults: [],
  hasMoreFaults: false,
  onlyUnknownMembers: false,
}
const MISSING_BODY: BodyReading = { ...NO_BODY, faults: [{ pointer: '', message: 'is required' }] }
