import type { Document, Json, Operation, Parameter, Reference, Response, Schema } from '../document/document.ts'
import { isReference, listOperations, resolveIn } from '../document/document.ts'
import { mergeErrors } from './errors.ts'
import { banner, toLine } from './source-text.ts'

/** Who may call the operations of the gateway in memory. */
const SCHEMES = ['apiKey', 'webhookSignature']

/** The contract as the gateway in memory reads it: what requests must look like, and an example of each answer. A row a line. */
export function generateSdkContract(document: Document, others: readonly Document[]): string {
  const operations = listOperations(document).flatMap(({ path, method, operation }) => {
    const security = operation.security.flatMap(Object.keys).find((scheme) => SCHEMES.includes(scheme))
    return security === undefined ? [] : [{ path, method: method.toUpperCase(), operation, security }]
  })
  // What a signature is for is judged by its own rules, from its bytes.
  const read = operations.filter(({ security }) => security === 'apiKey').map(({ operation }) => operation)
  const parameters = new Map(read.flatMap((operation) => parametersOf(document, operation)))
  const bodies = new Map(read.flatMap((operation) => bodyOf(document, operation)))
  const rows = operations.map(({ path, method, operation, security }): [string, object] => [
    operation.operationId,
    {
      method,
      path,
      security,
      ...(read.includes(operation) ? describeRequest(document, operation) : {}),
      ...describeAnswer(document, operation),
    },
  ])
  const titles = Object.entries(mergeErrors([document, ...others])).map(([code, { title }]) => [code, title])
  return `${banner('openapi/*.yaml')}
import type { ErrorCode } from './errors.ts'

${INTERFACES}
/** Query parameters and headers, by their component in the contract. */
export const PARAMETERS = ${toTable(parameters)} as const satisfies Record<string, ParameterInfo>

/** JSON bodies of requests, by their schema in the contract; references are written out. */
export const BODIES = ${toTable(bodies)} as const satisfies Record<string, BodySchema>

/** Every operation that takes an API key or a signature. */
export const CONTRACT = ${toTable(rows)} as const satisfies Record<string, ContractOperation>

/** What an error is called. */
export const TITLES = ${toLine(Object.fromEntries(titles))} as const satisfies Record<ErrorCode, string>
`
}

const toTable = (rows: Iterable<readonly [string, unknown]>): string =>
  `{\n${[...rows].map(([name, row]) => `  ${name}: ${toLine(row)},\n`).join('')}}`

function describeRequest(document: Document, operation: Operation) {
  const parameters = parametersOf(document, operation).map(([name]) => name)
  const [body] = bodyOf(document, operation)
  const stream = operation['x-stream']
  return {
    parameters,
    ...(body === undefined ? {} : { body: body[0] }),
    ...(operation.requestBody === undefined ? {} : { bodyBytes: operation.requestBody['x-max-body-bytes'] }),
    ...(stream === undefined ? {} : { stream: stream.over }),
  }
}

/** The success that the contract documents, with the first example where it is JSON. */
function describeAnswer(document: Document, operation: Operation) {
  const [[status, response] = ['200', { description: '' }]] = Object.entries(operation.responses).filter(
    ([code]) => code < '300',
  )
  const example = exampleOf(document, resolveIn<Response>(document.components.responses, response))
  return { status: Number(status), ...(example === undefined ? {} : { example }) }
}

function exampleOf({ components }: Document, { content }: Response): Json | undefined {
  const media = content?.['application/json']
  const [named] = Object.values(media?.examples ?? {})
  if (named !== undefined) return resolveIn(components.examples, named).value
  return media?.schema === undefined ? undefined : resolveIn(components.schemas, media.schema).examples?.[0]
}

/** Those outside the path, which matches whatever stands in it. */
function parametersOf(document: Document, operation: Operation): [string, object][] {
  return (operation.parameters ?? []).flatMap((given): [string, object][] => {
    const parameter = resolveIn<Parameter>(document.components.parameters, given)
    if (parameter.in === 'path') return []
    const { name, in: place, required, schema } = parameter
    return [
      [
        nameOf(given, `${operation.operationId}_${name}`),
        { name, in: place, required, schema: bareSchema(document, schema) },
      ],
    ]
  })
}

function bodyOf(document: Document, operation: Operation): [string, object][] {
  const schema = operation.requestBody?.content['application/json']?.schema
  return schema === undefined ? [] : [[nameOf(schema, operation.operationId), bareSchema(document, schema)]]
}

/** The name of its component; what the operation has for itself alone is named after it. */
const nameOf = (given: object | Reference, ofOperation: string): string =>
  isReference(given) ? given.$ref.slice(given.$ref.lastIndexOf('/') + 1) : ofOperation.replaceAll(/\W/g, '_')

/** Members of a schema that ask nothing of a value. */
const ANNOTATIONS = ['$ref', 'description', 'examples', 'x-verbatim']

function bareSchema(document: Document, schema: Schema): Schema {
  const { properties, items, anyOf, ...rest } = schema
  const target = schema.$ref === undefined ? {} : bareSchema(document, resolveIn(document.components.schemas, schema))
  const bare = (inner: Schema): Schema => bareSchema(document, inner)
  return {
    ...target,
    ...Object.fromEntries(Object.entries(rest).filter(([name, value]) => !isAnnotation(name, value))),
    ...(properties && {
      properties: Object.fromEntries(Object.entries(properties).map(([name, inner]) => [name, bare(inner)])),
    }),
    ...(items && { items: bare(items) }),
    ...(anyOf && { anyOf: anyOf.map(bare) }),
  }
}

/** The width of an integer is for those who generate code; its bounds say what is to be checked. */
const isAnnotation = (name: string, value: unknown): boolean =>
  ANNOTATIONS.includes(name) || (name === 'format' && (value === 'int32' || value === 'int64'))

const INTERFACES = `/** The keywords that requests are checked by. One that the contract gains does not compile until it is checked, too. */
export interface BodySchema {
  readonly type?: 'object' | 'array' | 'string' | 'integer'
  readonly enum?: readonly string[]
  readonly format?: 'date-time'
  readonly pattern?: string
  readonly minLength?: number
  readonly maxLength?: number
  readonly minimum?: number
  readonly maximum?: number
  readonly minItems?: number
  readonly maxItems?: number
  readonly uniqueItems?: boolean
  readonly items?: BodySchema
  readonly minProperties?: number
  readonly maxProperties?: number
  readonly properties?: Readonly<Record<string, BodySchema>>
  readonly additionalProperties?: boolean
  readonly required?: readonly string[]
  readonly dependentRequired?: Readonly<Record<string, readonly string[]>>
  /** Of which one has to fit: each demands a member. */
  readonly anyOf?: readonly (BodySchema & { readonly required: readonly string[] })[]
  readonly default?: string | number
  readonly 'x-max-bytes'?: number
  readonly 'x-max-depth'?: number
  readonly 'x-well-formed'?: boolean
}

export interface ParameterInfo {
  readonly name: string
  readonly in: 'query' | 'header'
  readonly required: boolean
  readonly schema: BodySchema
}

export interface ContractOperation {
  readonly method: string
  /** OpenAPI template, prefix included: \`/api/v1/runs/{run_id}\`. */
  readonly path: string
  readonly security: 'apiKey' | 'webhookSignature'
  /** Names in PARAMETERS. */
  readonly parameters?: readonly (keyof typeof PARAMETERS)[]
  /** A name in BODIES; absent where the body is bytes, or there is none. */
  readonly body?: keyof typeof BODIES
  readonly bodyBytes?: number
  /** Whose events the answer streams. */
  readonly stream?: 'conversation' | 'run'
  /** Of a success. */
  readonly status: number
  /** A body that a success can have, where it is JSON. */
  readonly example?: object
}
`
