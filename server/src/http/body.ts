import type { FastifyRequest } from 'fastify'
import type { Fault, Refusal } from '../domain/refusal.ts'
import { refuse } from '../domain/refusal.ts'
import type { OperationInfo } from '../generated/operations.ts'
import { isJson, isPlain } from './content-type.ts'
import type { LocatedOperation } from './document.ts'
import { jsonPointer } from './document.ts'
import { parseJsonBody, UnusableJson } from './json-body.ts'
import type { CompileValidator } from './validators.ts'

/** A body as the operation's handler gets it, with what is wrong with it. */
export interface BodyReading {
  readonly value: unknown
  readonly faults: readonly Fault[]
  /** Whether all of the faults are unknown members. */
  readonly onlyUnknownMembers: boolean
}

/** Reads the bytes that were received; refused is a body whose content does not matter. */
export type ReadBody = (request: FastifyRequest) => BodyReading | Refusal

/**
 * Compiles how an operation's body is read: JSON that keeps the contract's schema, the raw bytes where the operation
 * takes any media type or verifies a signature over them, or nothing at all.
 */
export const compileBody = (
  { part, pointer }: LocatedOperation,
  info: OperationInfo,
  compile: CompileValidator,
): ReadBody => {
  if (part.requestBody === undefined) return () => NO_BODY
  if (info.security === 'webhookSignature' || !info.requestContentTypes.includes(JSON_TYPE))
    return ({ body }) => ({ ...NO_BODY, value: Buffer.isBuffer(body) ? body : Buffer.alloc(0) })

  const validate = compile(`${pointer}${jsonPointer('requestBody', 'content', JSON_TYPE, 'schema')}`)
  const empty = part.requestBody.required === true ? MISSING_BODY : NO_BODY
  return ({ body, headers }) => {
    const contentType = headers['content-type']
    const bytes = Buffer.isBuffer(body) ? body : null
    const isEmpty = bytes === null || bytes.length === 0
    if (isEmpty && contentType === undefined) return empty
    if (!isJson(contentType)) return NOT_JSON
    if (!isPlain(headers['content-encoding'])) return NOT_PLAIN
    if (isEmpty) return empty
    const value = parseJsonBody(bytes)
    if (value instanceof UnusableJson) return { ...NO_BODY, faults: value.faults }
    const faults = validate(value)
    return { value, faults, onlyUnknownMembers: faults.every(({ unknownMember }) => unknownMember) }
  }
}

const JSON_TYPE = 'application/json'

const NO_BODY: BodyReading = { value: undefined, faults: [], onlyUnknownMembers: false }
const MISSING_BODY: BodyReading = { ...NO_BODY, faults: [{ pointer: '', message: 'is required' }] }

const NOT_JSON = refuse('UNSUPPORTED_MEDIA_TYPE', 'Send the body as application/json in UTF-8.')
const NOT_PLAIN = refuse('UNSUPPORTED_MEDIA_TYPE', 'Send the body without a content encoding.')
