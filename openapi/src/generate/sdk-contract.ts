import type { Document, Json, Operation, Parameter, Reference, Response, Schema } from '../document/document.ts'
import { componentName, isReference, listOperations, resolveIn } from '../document/document.ts'
import { mergeErrors } from './errors.ts'
import { banner, toLine } from './source-text.ts'

/** The credentials of the operations that the in-memory gateway serves. */
const SCHEMES = ['apiKey', 'webhookSignature']

/**
 * The contract for the in-memory gateway: the constraints of requests, and an example of each answer. One row per line.
 */
export function generateSdkContract(document: Document, others: readonly Document[]): string {
  const operations = listOperations(document).flatMap(({ path, method, operation }) => {
    const security = operation.security.flatMap(Object.keys).find((scheme) => SCHEMES.includes(scheme))
    return security === undefined ? [] : [{ path, method: method.toUpperCase(), operation, security }]
  })
  // Signed requests have their own checks, which read the bytes of the body.
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

/** The title of each error code. */
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

/** The successful answer, with its first example if it is JSON. */
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

/** Parameters outside the path. Paths match any value. */
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

/** The name of a component; an inline schema or parameter is named after its operation. */
const nameOf = (given: object | Reference, ofOperation: string): string =>
  isReference(given) ? componentName(given) : ofOperation.replaceAll(/\W/g, '_')

/** Keywords of a schema that do not constrain values. */
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

/** The width of an integer is information for code generators; the schema declares its bounds separately. */
const isAnnotation = (name: string, value: unknown): boolean =>
  ANNOTATIONS.includes(name) || (name === 'format' && (value === 'int32' || value === 'int64'))

const INTERFACES = `/** The keywords that the in-memory gateway validates. A new keyword in the contract does not compile until it is added here. */
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
  /** Alternatives, at least one of which must match: each requires a member. */
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
  /** A name in BODIES; absent if the body is bytes or the operation has none. */
  readonly body?: keyof typeof BODIES
  readonly bodyBytes?: number
  /** The object whose events the answer streams. */
  readonly stream?: 'conversation' | 'run'
  /** Status of a successful answer. */
  readonly status: number
  /** An example of the body of a successful answer, if it is JSON. */
  readonly example?: object
}
`
