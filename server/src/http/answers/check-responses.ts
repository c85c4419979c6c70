import type { Fault } from '@conversation-gateway/openapi/behaviour/refusal'
import { closeDocument } from '@conversation-gateway/openapi/close'
import type { CompileValidator, Validator } from '../../domain/contract/validators.ts'
import { createValidators } from '../../domain/contract/validators.ts'
import type { ReadParameter } from '../requests/parameters.ts'
import { compileParameter } from '../requests/parameters.ts'
import type { LocatedOperation, OpenApiDocument } from '../site/document.ts'
import { jsonPointer, listOperations, locate } from '../site/document.ts'

export type SentHeaders = Readonly<Record<string, number | string | string[] | undefined>>

/** An answer as it is about to be sent. */
export interface SentAnswer {
  /** Null for answers without an operation, such as to unknown routes. */
  readonly operationId: string | null
  readonly status: number
  /** By lower-case name. */
  readonly headers: SentHeaders
  /** Null for an answer without one, and for streams, whose events are checked one by one. */
  readonly body: string | null
}

export interface ResponseCheck {
  /** The deviations of an answer from the contracts, including undocumented members. */
  checkAnswer(answer: SentAnswer): string[]
  /** The same for one event of a stream. */
  checkEvent(envelope: unknown): string[]
}

/** Headers of the contract, which must be documented for every answer that contains them. */
const CONTRACT_HEADERS = [
  'allow',
  'deprecation',
  'idempotency-replayed',
  'retry-after',
  'sunset',
  'www-authenticate',
  'x-accel-buffering',
]

/** Checks everything that a server of these contracts sends. Each schema is compiled when the first answer needs it. */
export const createResponseCheck = (gateway: OpenApiDocument, ...others: readonly OpenApiDocument[]): ResponseCheck => {
  const contracts = [close(gateway), ...others.map(close)] as const
  const operations = new Map<string, (status: number) => CheckResponse>()
  for (const { document, compile } of contracts)
    for (const operation of listOperations(document))
      operations.set(operation.part.operationId, compileOnDemand(document, operation, compile))
  const schema = (name: string): Validator => contracts[0].compile(jsonPointer('components', 'schemas', name))

  return {
    checkAnswer: (answer) => {
      const { operationId, status } = answer
      const responses = operationId === null ? undefined : operations.get(operationId)
      const found = responses === undefined ? checkUnrouted(answer, schema('Problem')) : responses(status)(answer)
      return found.map((fault) => `${operationId ?? 'no operation'} ${status}: ${fault}`)
    },
    checkEvent: (envelope) => schema('EventEnvelope')(envelope).map((fault) => `event: ${inWords(fault)}`),
  }
}

type CheckResponse = (answer: SentAnswer) => string[]

const UNDOCUMENTED: CheckResponse = () => ['the status is not documented']

const compileOnDemand = (document: OpenApiDocument, operation: LocatedOperation, compile: CompileValidator) => {
  const compiled = new Map<number, CheckResponse>()
  return (status: number): CheckResponse => {
    const check = compiled.get(status) ?? compileResponse(document, operation, status, compile)
    compiled.set(status, check)
    return check
  }
}

interface ClosedContract {
  readonly document: OpenApiDocument
  readonly compile: CompileValidator
}

const close = (open: OpenApiDocument): ClosedContract => {
  const document: OpenApiDocument = closeDocument(JSON.parse(JSON.stringify(open)))
  return { document, compile: createValidators(document) }
}

const inWords = ({ pointer, message }: Fault): string => `${pointer === '' ? 'the value' : pointer} ${message}`

/** Answers without an operation are problems, or outside the contract. */
const checkUnrouted = ({ headers, status, body }: SentAnswer, checkProblem: Validator): string[] => {
  if (mediaTypeOf(headers) !== 'application/problem+json') return []
  const faults = checkProblem(parse(body)).map(inWords)
  if (status === 405 && headers.allow === undefined) faults.push('Allow is required')
  return [...faults, ...checkProblemMembers(parse(body), headers, status)]
}

const compileResponse = (
  document: OpenApiDocument,
  { part, pointer }: LocatedOperation,
  status: number,
  compile: CompileValidator,
): CheckResponse => {
  const given = part.responses[status]
  if (given === undefined) return UNDOCUMENTED
  const response = locate(document.components.responses, given, `${pointer}${jsonPointer('responses', status)}`)
  const { content = {}, headers = {}, 'x-error-codes': codes } = response.part
  const bodies = new Map(
    Object.keys(content).map((type) => [type, compile(`${response.pointer}${jsonPointer('content', type, 'schema')}`)]),
  )
  const readers = new Map(
    Object.entries(headers).map(([name, header]): [string, ReadParameter] => {
      const place = `${response.pointer}${jsonPointer('headers', name)}`
      const located = locate(document.components.headers, header, place)
      return [name.toLowerCase(), compileParameter(document, { name, ...located.part }, located.pointer, compile)]
    }),
  )
  return (answer) => [
    ...checkHeaders(answer.headers, readers),
    ...checkBody(answer, bodies),
    ...(codes === undefined ? [] : checkCode(answer, codes)),
  ]
}

const checkHeaders = (headers: SentHeaders, documented: ReadonlyMap<string, ReadParameter>): string[] => {
  const faults: Fault[] = []
  for (const [name, read] of documented) read(textOf(headers[name]), faults)
  const undocumented = CONTRACT_HEADERS.filter((name) => headers[name] !== undefined && !documented.has(name))
  // `no-store` is the default of all answers, unless the contract says otherwise.
  const isCacheable = !documented.has('cache-control') && headers['cache-control'] !== 'no-store'
  return [
    ...faults.map(inWords),
    ...undocumented.map((name) => `${name} is not documented`),
    ...(isCacheable ? ['cache-control is not no-store'] : []),
  ]
}

const checkBody = ({ headers, body }: SentAnswer, documented: ReadonlyMap<string, Validator>): string[] => {
  if (documented.size === 0) return body === null || body === '' ? [] : ['a body is not documented']
  if (documented.has('*/*')) return []
  const type = mediaTypeOf(headers)
  const validate = documented.get(type)
  if (validate === undefined) return [`the content type ${type} is not documented`]
  return type.endsWith('json') ? validate(parse(body)).map(inWords) : []
}

const checkCode = ({ headers, status, body }: SentAnswer, codes: readonly string[]): string[] => {
  const problem = parse(body)
  const code = isObject(problem) ? problem.code : undefined
  const documented = typeof code === 'string' && codes.includes(code)
  return [
    ...(documented ? [] : [`the code ${String(code)} is not documented`]),
    ...checkProblemMembers(problem, headers, status),
  ]
}

const checkProblemMembers = (problem: unknown, headers: SentHeaders, status: number): string[] => {
  if (!isObject(problem)) return ['the problem is not an object']
  return [
    ...(problem.status === status ? [] : ['/status is not the status']),
    ...(problem.request_id === headers['x-request-id'] ? [] : ['/request_id is not X-Request-Id']),
  ]
}

const mediaTypeOf = (headers: SentHeaders): string => String(headers['content-type'] ?? '').split(';', 1)[0] ?? ''

const textOf = (value: SentHeaders[string]): string | undefined => (value === undefined ? undefined : String(value))

/** The body as JSON; if it is not JSON, undefined, which no schema allows. */
const parse = (body: string | null): unknown => {
  try {
    return JSON.parse(body ?? '')
  } catch {
    return undefined
  }
}

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null
