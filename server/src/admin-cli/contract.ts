import adminDocument from '@conversation-gateway/openapi/admin.json' with { type: 'json' }
import type { Method, Reference } from '@conversation-gateway/openapi/document'
import { listOperations, resolveIn } from '@conversation-gateway/openapi/document'
import type { Schema, Schemas, ValueType } from './schema.ts'
import { alternativesOf, resolveSchema, valueTypeOf } from './schema.ts'

/** The parts of the operator API's contract that commands are made from. */
export interface AdminDocument {
  readonly info: { readonly summary: string }
  readonly tags: readonly { readonly name: string; readonly description: string }[]
  readonly paths: Readonly<Record<string, { readonly [Name in Method]?: Operation }>>
  readonly components: { readonly schemas: Schemas; readonly parameters: Readonly<Record<string, Parameter>> }
}

interface Operation {
  readonly operationId: string
  readonly 'x-sdk-method': string
  readonly tags: readonly string[]
  readonly summary: string
  readonly description: string
  readonly parameters?: readonly (Parameter | Reference)[]
  readonly requestBody?: { readonly content: { readonly 'application/json': { readonly schema: Schema } } }
  readonly 'x-pagination'?: Pagination
}

interface Parameter {
  readonly name: string
  readonly in: string
  readonly required?: boolean
  readonly description?: string
  readonly schema: Schema
  readonly example?: unknown
}

/**
 * The next page is requested with the query parameter `cursor.query`, whose value is `cursor.field` of the last record.
 */
export interface Pagination {
  readonly items: string
  readonly limit: string
  readonly cursor: { readonly query: string; readonly field: string }
}

/** A value of the request: a path parameter, a query parameter, or a member of the body. */
export interface Field {
  /** As the contract writes it. */
  readonly name: string
  /** As the command line writes it, without dashes. */
  readonly flag: string
  readonly description: string
  readonly required: boolean
  readonly type: ValueType
  readonly schema: Schema
  readonly default: unknown
  readonly example: unknown
}

export interface Body {
  readonly members: readonly Field[]
  /** The members of each form that the body may have; one form unless the contract has a choice. */
  readonly forms: readonly (readonly string[])[]
  /** Whether a body without members is refused. */
  readonly needsMember: boolean
  readonly example: unknown
}

export interface Command {
  readonly group: string
  readonly name: string
  /** A second, shorter name, such as `deliveries list` for `callbacks list-deliveries`; null if there is none. */
  readonly short: { readonly group: string; readonly name: string } | null
  readonly operationId: string
  readonly method: string
  readonly path: string
  readonly summary: string
  readonly description: string
  readonly arguments: readonly Field[]
  readonly query: readonly Field[]
  readonly body: Body | null
  readonly pagination: Pagination | null
}

export const ADMIN_DOCUMENT: AdminDocument = adminDocument

/** Every operation of the contract as the command `<tag> <method of the client>`, in the contract's order. */
export const listCommands = (document: AdminDocument): readonly Command[] => {
  const operations = listOperations(document)
  const collections = operations.flatMap(({ operation }) => operation['x-pagination']?.items ?? [])
  const shortNames = new Set<string>()
  return operations.map(({ path, method, operation }) => {
    const { operationId, tags, summary, description, requestBody } = operation
    const [group] = tags
    const { 'x-sdk-method': clientMethod, 'x-pagination': pagination = null } = operation
    if (group === undefined || clientMethod === undefined) throw new Error(`${operationId} has no tag or x-sdk-method`)
    const parameters = (operation.parameters ?? []).map((parameter) =>
      resolveIn(document.components.parameters, parameter),
    )
    const within = (place: string): Field[] =>
      parameters.filter((parameter) => parameter.in === place).map((parameter) => toField(parameter, document))
    const collection = path
      .split('/')
      .findLast((segment, at, all) => collections.includes(segment) && parametersOf(all.slice(at)).length <= 1)
    const name = toKebab(clientMethod)
    return {
      group,
      name,
      short:
        collection === undefined || collection === group || collection === name
          ? null
          : shorten(group, collection, name, shortNames),
      operationId,
      method: method.toUpperCase(),
      path,
      summary,
      description,
      arguments: within('path'),
      query: within('query'),
      body: requestBody === undefined ? null : readBody(requestBody.content['application/json'].schema, document),
      pagination,
    }
  })
}

/** If an earlier command has the same short name, this one includes its group: `devices keys list`. */
const shorten = (group: string, collection: string, name: string, taken: Set<string>): Command['short'] => {
  const verb = name.slice(0, `${name}-`.indexOf('-'))
  const plain = `${collection} ${verb}`
  if (taken.has(plain)) return { group: `${group} ${collection}`, name: verb }
  taken.add(plain)
  return { group: collection, name: verb }
}

const parametersOf = (segments: readonly string[]) => segments.filter((segment) => segment.startsWith('{'))

const readBody = (schema: Schema, document: AdminDocument): Body => {
  const { schemas } = document.components
  const forms = alternativesOf(schema, schemas)
  const members = new Map<string, Field>()
  for (const { properties = {}, required = [] } of forms)
    for (const [name, member] of Object.entries(properties))
      members.set(
        name,
        toField({ name, required: forms.length === 1 && required.includes(name), schema: member }, document),
      )
  return {
    members: [...members.values()],
    forms: forms.map(({ properties }) => Object.keys(properties ?? {})),
    needsMember: forms.every(({ minProperties = 0, required = [] }) => minProperties > 0 || required.length > 0),
    example: resolveSchema(schema, schemas).examples?.[0],
  }
}

const toField = (
  { name, required = false, description, schema, example }: Omit<Parameter, 'in'>,
  { components: { schemas } }: AdminDocument,
): Field => {
  const resolved = resolveSchema(schema, schemas)
  return {
    name,
    flag: toKebab(name),
    description: description ?? resolved.description ?? '',
    required,
    type: valueTypeOf(schema, schemas),
    schema,
    default: resolved.default,
    example: example ?? resolved.examples?.[0],
  }
}

const toKebab = (name: string): string =>
  name.replaceAll('_', '-').replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
