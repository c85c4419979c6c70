import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Document, Json, Operation, Parameter, Response, Schema } from '../../openapi/src/document/document.ts'
import { componentName, listOperations, resolveIn } from '../../openapi/src/document/document.ts'
import { listMethods, type SdkMethod } from '../../openapi/src/generate/sdk-methods.ts'
import { REPOSITORY } from './folders.ts'
import { kebab } from './markdown.ts'

/** One of the contracts, with the data that the pages need. */
export interface Contract {
  /** The folder of its pages: `reference/http`, `reference/admin` or `reference/worker`. */
  readonly folder: string
  readonly title: string
  readonly description: string
  readonly document: ContractDocument
  readonly operations: readonly ContractOperation[]
}

export interface ContractOperation {
  readonly path: string
  readonly httpMethod: string
  readonly operation: DocumentedOperation
  /** Null for operations without a generated client: signed ones, and those of workers. */
  readonly method: SdkMethod | null
}

/** The members of the document that only documentation reads. */
export type ContractDocument = Document & {
  readonly info: { readonly title: string; readonly version: string; readonly description: string }
}
export type DocumentedOperation = Operation & { readonly deprecated?: boolean }
export type DocumentedParameter = Parameter & { readonly description?: string; readonly deprecated?: boolean }

const readContract = (name: string, folder: string): Contract => {
  const file = join(REPOSITORY, 'openapi', 'generated', `${name}.json`)
  const document: ContractDocument = JSON.parse(readFileSync(file, 'utf8'))
  const methods = new Map(listMethods(document).map((method) => [method.operationId, method]))
  return {
    folder,
    title: document.info.title,
    description: document.info.description,
    document,
    operations: listOperations(document).map(({ path, method, operation }) => ({
      path,
      httpMethod: method.toUpperCase(),
      operation,
      method: methods.get(operation.operationId) ?? null,
    })),
  }
}

export const GATEWAY = readContract('gateway', 'reference/http')
export const ADMIN = readContract('admin', 'reference/admin')
export const WORKER = readContract('worker', 'reference/worker')
export const CONTRACTS = [GATEWAY, ADMIN, WORKER] as const

export const parametersOf = ({ document }: Contract, { parameters = [] }: Operation): DocumentedParameter[] =>
  parameters.map((each) => resolveIn(document.components.parameters, each))

export const responsesOf = ({ document }: Contract, { responses }: Operation): [string, Response][] =>
  Object.entries(responses).map(([status, each]) => [status, resolveIn(document.components.responses, each)])

/** The address of an operation in the site. */
export const operationAddress = ({ folder }: Contract, { tags, operationId }: Operation): string =>
  `/${folder}/${tags[0]}#${kebab(operationId)}`

/** The address of the page of a named schema. */
export const objectAddress = ({ folder }: Contract, name: string): string => `/${folder}/objects/${kebab(name)}`

/** Every error code that an operation answers with, in the order of its responses. */
export const errorCodesOf = (contract: Contract, operation: Operation): string[] => [
  ...new Set(responsesOf(contract, operation).flatMap(([, response]) => response['x-error-codes'] ?? [])),
]

/** The schema that a reference leads to, and its name; an inline schema has none. */
export const resolveSchema = ({ document }: Contract, schema: Schema): { name: string | null; schema: Schema } => {
  if (schema.$ref === undefined) return { name: null, schema }
  const target = resolveIn(document.components.schemas, { $ref: schema.$ref })
  return { name: componentName({ $ref: schema.$ref }), schema: target }
}

/** A schema by its name. @throws {Error} if the contract has none of this name. */
export const schemaNamed = (contract: Contract, name: string): Schema =>
  resolveSchema(contract, { $ref: `#/components/schemas/${name}` }).schema

/** The first example of a schema, or of the schema that it refers to. */
export const exampleOf = (contract: Contract, schema: Schema): Json | undefined => {
  const [own] = schema.examples ?? []
  if (own !== undefined || schema.$ref === undefined) return own
  return exampleOf(contract, resolveSchema(contract, schema).schema)
}

/** The request body of an operation: the media type and its schema. */
export const bodyOf = ({ requestBody }: Operation): { mediaType: string; schema: Schema; maxBytes: number } | null => {
  const [entry] = Object.entries(requestBody?.content ?? {})
  if (requestBody === undefined || entry === undefined) return null
  const [mediaType, { schema = {} }] = entry
  return { mediaType, schema, maxBytes: requestBody['x-max-body-bytes'] }
}

export type { Json, Operation, Response, Schema }
