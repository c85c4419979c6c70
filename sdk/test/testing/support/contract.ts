import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { closeDocument } from '@conversation-gateway/openapi/close'
import {
  type Document,
  type Response as DocumentedResponse,
  type Json,
  listOperations,
  type Operation,
  resolveIn,
} from '@conversation-gateway/openapi/document'
import { createValidator, schemaAt } from '@conversation-gateway/openapi/validator'

const SCHEMES = new Set(['apiKey', 'webhookSignature'])

const document: Document = closeDocument(
  JSON.parse(readFileSync(fileURLToPath(import.meta.resolve('@conversation-gateway/openapi/gateway.json')), 'utf8')),
)
const ajv = createValidator(document)
const { components } = document

export interface ContractOperation {
  readonly id: string
  readonly method: string
  readonly path: string
  /** Whether it takes an API key; otherwise it takes a signature. */
  readonly takesKey: boolean
  /** Documented statuses with their error codes; none for a success. */
  readonly codes: ReadonlyMap<number, readonly string[]>
  readonly answers: ReadonlyMap<number, DocumentedResponse>
  /** A request with the contract's example values. */
  readonly example: { readonly query: Readonly<Record<string, string>>; readonly body?: Json }
}

const exampleOf = (operation: Operation): ContractOperation['example'] => {
  const required = (operation.parameters ?? [])
    .map((parameter) => resolveIn(components.parameters, parameter))
    .filter((parameter) => parameter.in === 'query' && parameter.required)
  const query = required.map(({ name, example, schema }) => [
    name,
    String(example ?? resolveIn(components.schemas, schema).examples?.[0]),
  ])
  const schema = operation.requestBody?.content['application/json']?.schema
  const body = schema === undefined ? undefined : resolveIn(components.schemas, schema).examples?.[0]
  return { query: Object.fromEntries(query), ...(body === undefined ? {} : { body }) }
}

/** All operations of the contract that take an API key or a signature, from the document itself. */
export const testedOperations: readonly ContractOperation[] = listOperations(document).flatMap(
  ({ path, method, operation }) => {
    const schemes = operation.security.flatMap(Object.keys)
    if (!schemes.some((scheme) => SCHEMES.has(scheme))) return []
    const answers = new Map(
      Object.entries(operation.responses).map(([status, response]) => [
        Number(status),
        resolveIn(components.responses, response),
      ]),
    )
    const codes = new Map([...answers].map(([status, response]) => [status, response['x-error-codes'] ?? []]))
    const takesKey = schemes.includes('apiKey')
    const example = exampleOf(operation)
    return [{ id: operation.operationId, method: method.toUpperCase(), path, takesKey, answers, codes, example }]
  },
)

export const contractOperation = (id: string): ContractOperation => {
  const operation = testedOperations.find((candidate) => candidate.id === id)
  if (operation === undefined) throw new Error(`the contract has no operation ${id}`)
  return operation
}

export const answersWithJson = (id: string): boolean =>
  [...contractOperation(id).answers].some(([status, { content }]) => status < 300 && content?.['application/json'])

/** Whether the contract's schema of this name accepts a value; members that it does not describe are faults. */
export const accepts = (schema: string, value: unknown): boolean => faultsOf(schema, value).length === 0

export const faultsOf = (schema: string, value: unknown): string[] =>
  validate({ $ref: schemaAt('components', 'schemas', schema) }, value)

const compiled = new Map<object | string, ReturnType<typeof ajv.compile>>()

const validate = (schema: { $ref?: string }, value: unknown): string[] => {
  const name = schema.$ref ?? schema
  const check =
    compiled.get(name) ?? ajv.compile(schema.$ref?.startsWith('#') ? { $ref: `openapi${schema.$ref}` } : schema)
  compiled.set(name, check)
  return check(value) ? [] : (check.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`)
}

/** The differences between an answer and the contract. `body` is null if it was not read. */
export const checkAnswer = (operationId: string, { status, headers }: Response, body: string | null): string[] => {
  const documented = contractOperation(operationId).answers.get(status)
  if (documented === undefined) return [`the status ${status} is not documented`]
  return [
    ...checkHeaders(headers, documented),
    ...checkBody(headers, documented, body),
    ...checkProblem(status, headers, documented, body),
  ]
}

const CONTRACT_HEADERS = [
  'retry-after',
  'www-authenticate',
  'idempotency-replayed',
  'cache-control',
  'x-accel-buffering',
]

const checkHeaders = (headers: Headers, documented: DocumentedResponse): string[] => {
  const known = Object.entries(documented.headers ?? {}).map(([name, header]) => ({
    name: name.toLowerCase(),
    ...resolveIn(components.headers, header),
  }))
  const faults = known.flatMap(({ name, required, schema }) => {
    const value = headers.get(name)
    if (value === null) return required === true ? [`${name} is missing`] : []
    return validate(schema, schema.type === 'integer' ? Number(value) : value).map((fault) => `${name}${fault}`)
  })
  const undocumented = CONTRACT_HEADERS.filter((name) => headers.has(name) && !known.some((one) => one.name === name))
  return [...faults, ...undocumented.map((name) => `${name} is not documented`)]
}

const checkBody = (headers: Headers, { content = {} }: DocumentedResponse, body: string | null): string[] => {
  const type = headers.get('content-type')?.split(';', 1)[0] ?? ''
  if (Object.keys(content).length === 0) return body === '' || body === null ? [] : ['a body is not documented']
  const media = content[type] ?? content['*/*']
  if (media?.schema === undefined) return [`the content type ${type} is not documented`]
  return type.endsWith('json') && body !== null ? validate(media.schema, JSON.parse(body)) : []
}

const checkProblem = (
  status: number,
  headers: Headers,
  documented: DocumentedResponse,
  body: string | null,
): string[] => {
  const codes = documented['x-error-codes']
  if (codes === undefined || body === null) return []
  const problem = JSON.parse(body)
  return [
    ...(codes.includes(problem.code) ? [] : [`the code ${problem.code} is not documented`]),
    ...(problem.status === status ? [] : ['/status is not the status']),
    ...(problem.request_id === headers.get('x-request-id') ? [] : ['/request_id is not X-Request-Id']),
  ]
}
