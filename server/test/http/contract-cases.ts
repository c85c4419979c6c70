import adminDocument from '@conversation-gateway/openapi/admin.json' with { type: 'json' }
import gatewayDocument from '@conversation-gateway/openapi/gateway.json' with { type: 'json' }
import type { OperationInfo } from '@conversation-gateway/openapi/generated/operations'
import { ADMIN_OPERATIONS, OPERATIONS } from '@conversation-gateway/openapi/generated/operations'
import type { LocatedOperation, OpenApiDocument, ParameterObject } from '../../src/http/site/document.ts'
import { listOperations, locate } from '../../src/http/site/document.ts'

/** Valid and invalid requests, generated from the contracts. */

export interface ContractOperation {
  readonly info: OperationInfo
  /** Path with plausible IDs, and with a query where one is required. */
  readonly path: string
  readonly pathTemplate: string
  readonly query: readonly ContractParameter[]
  /** The schema of the JSON body, and how to resolve its references; null for webhooks and without a JSON body. */
  readonly body: BodySchema | null
  /** A body that the contract accepts; undefined without a JSON body. */
  readonly example: unknown
  /** Documented statuses. */
  readonly statuses: readonly number[]
}

export interface ContractParameter {
  readonly name: string
  readonly required: boolean
  readonly schema: Schema
}

export interface Schema {
  readonly $ref?: string
  readonly type?: string | readonly string[]
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly items?: Schema
  readonly minimum?: number
  readonly maximum?: number
  readonly minLength?: number
  readonly maxLength?: number
  readonly pattern?: string
  readonly maxItems?: number
  readonly enum?: readonly unknown[]
  readonly 'x-max-bytes'?: number
  readonly examples?: readonly unknown[]
  readonly oneOf?: readonly Schema[]
  readonly anyOf?: readonly Schema[]
  readonly additionalProperties?: unknown
}

export interface BodySchema {
  readonly schema: Schema
  /** Returns the schema that a reference points to; returns any other schema unchanged. */
  resolve(schema: Schema): Schema
}

const operationsOf = (document: OpenApiDocument, table: Readonly<Record<string, OperationInfo>>): ContractOperation[] =>
  listOperations(document).map((operation) => describeOperation(document, operation, table))

const describeOperation = (
  document: OpenApiDocument,
  { part, path: pathTemplate, pointer }: LocatedOperation,
  table: Readonly<Record<string, OperationInfo>>,
): ContractOperation => {
  const info = table[part.operationId]
  if (info === undefined) throw new Error(`${part.operationId} is not in the table of operations`)
  const resolve = (schema: Schema): Schema => locate<Schema>(document.components.schemas, { ...schema }, '').part
  const query = (part.parameters ?? [])
    .map((parameter) => locate<ParameterObject>(document.components.parameters, parameter, pointer).part)
    .filter((parameter) => parameter.in === 'query')
    .map(({ name, required = false, schema }) => ({ name, required, schema: resolve(schema) }))
  const media: { schema?: Schema } | undefined = part.requestBody?.content['application/json']
  const schema = media?.schema === undefined ? null : resolve(media.schema)
  const required = query.filter((each) => each.required).map(({ name }) => `${name}=some_id`)
  return {
    info,
    path: `${pathTemplate.replaceAll(/\{\w+\}/g, 'some_id')}${required.length === 0 ? '' : `?${required.join('&')}`}`,
    pathTemplate,
    query,
    body: schema === null || info.security === 'webhookSignature' ? null : { schema, resolve },
    example: schema?.examples?.[0],
    statuses: Object.keys(part.responses).map(Number),
  }
}

export const CONTRACT_OPERATIONS: readonly ContractOperation[] = [
  ...operationsOf(gatewayDocument, OPERATIONS),
  ...operationsOf(adminDocument, ADMIN_OPERATIONS),
]

/** A changed body, and a name for the change. */
export interface BodyCase {
  readonly name: string
  readonly body: unknown
}

const WRONG_TYPES: Readonly<Record<string, unknown>> = {
  null: null,
  boolean: true,
  integer: 7,
  number: 1.5,
  string: '7',
  array: [],
  object: {},
}

/** The name of each type that the schema does not accept, and a value of it. Empty if the schema has no type. */
export const wrongTypes = (schema: Schema): [string, unknown][] => {
  const types = [schema.type ?? []].flat()
  const accepts = (type: string): boolean => types.includes(type) || (type === 'integer' && types.includes('number'))
  return types.length === 0 ? [] : Object.entries(WRONG_TYPES).filter(([type]) => !accepts(type))
}

type Members = Readonly<Record<string, unknown>>
const isObject = (value: unknown): value is Members =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Bodies that break the schema in one place each. */
export const brokenBodies = ({ schema, resolve }: BodySchema, example: unknown): BodyCase[] => {
  if (!isObject(example)) return []
  const { required = [], properties = {} } = schema
  const missing = required.map((name) => {
    const { [name]: _, ...body } = example
    return { name: `without ${name}`, body }
  })
  const members = Object.entries(properties).flatMap(([name, given]) =>
    brokenValues(resolve(given), resolve, example[name]).map((broken) => ({
      name: `${name} ${broken.name}`,
      body: { ...example, [name]: broken.body },
    })),
  )
  return [...missing, ...members]
}

/** Values that break a schema: wrong types, values beyond each limit, and objects with one missing or broken member. */
const brokenValues = (schema: Schema, resolve: (schema: Schema) => Schema, example: unknown): BodyCase[] => [
  ...wrongTypes(schema).map(([type, body]) => ({ name: `is of type ${type}`, body })),
  ...beyondLimits(schema),
  ...(schema.properties === undefined ? [] : brokenBodies({ schema, resolve }, example ?? {})),
]

const beyondLimits = (schema: Schema): BodyCase[] => {
  const { minimum, maximum, minLength, maxLength, maxItems, enum: values, 'x-max-bytes': maxBytes } = schema
  const cases: BodyCase[] = []
  if (minimum !== undefined) cases.push({ name: `below ${minimum}`, body: minimum - 1 })
  if (maximum !== undefined) cases.push({ name: `above ${maximum}`, body: maximum + 1 })
  if (minimum !== undefined) cases.push({ name: 'is not an integer', body: minimum + 0.5 })
  if (minLength !== undefined) cases.push({ name: `shorter than ${minLength}`, body: 'x'.repeat(minLength - 1) })
  if (maxLength !== undefined) cases.push({ name: `longer than ${maxLength}`, body: 'x'.repeat(maxLength + 1) })
  if (maxBytes !== undefined) cases.push({ name: `of ${maxBytes + 1} bytes`, body: `${'é'.repeat(maxBytes / 2)}x` })
  if (maxItems !== undefined) {
    const items = Array.from({ length: maxItems + 1 }, (_, index) => `item${index}`)
    cases.push({ name: `with ${maxItems + 1} items`, body: items }, { name: 'with a repeated item', body: ['x', 'x'] })
  }
  if (values !== undefined) cases.push({ name: 'is not one of its values', body: 'something else' })
  return cases
}

/** Texts that are not integers, even if `Number` accepts them. */
export const NO_INTEGERS = [
  '0x10',
  '1e2',
  '%205',
  '5%20',
  '+5',
  '',
  '1.0',
  'five',
  'NaN',
  'Infinity',
  '%00',
  '5,6',
  '١',
]

/** Unknown IDs with unusual characters, encodings and lengths. */
export const HOSTILE_IDS = [
  '%00',
  '%',
  '%zz',
  '%c3%28',
  '%ed%a0%80',
  '%2e%2e%2f%2e%2e%2fetc%2fpasswd',
  "'%20or%201=1--",
  '%f0%9f%98%80',
  '%e2%80%ae',
  '__proto__',
  'constructor',
  'a%2Fb',
  '%0d%0aset-cookie:x=y',
  'x'.repeat(129),
  'x'.repeat(10_000),
  '%41'.repeat(600),
  '{conversation_id}',
  ':id',
  '*',
  ';',
  '%20',
  'NaN',
  '-1',
] as const
