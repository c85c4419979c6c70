import type { Method, Reference } from '@conversation-gateway/openapi/document'
import { isReference, listOperations as list, resolveIn } from '@conversation-gateway/openapi/document'

/** The parts of a bundled OpenAPI document that routes and validators use. */
export interface OpenApiDocument {
  readonly openapi: string
  readonly info?: object
  readonly paths: Readonly<Record<string, PathItem>>
  readonly components: Components
}

type PathItem = { readonly [Name in Method]?: OperationObject }

export interface OperationObject {
  readonly operationId: string
  readonly parameters?: readonly (ParameterObject | Reference)[]
  readonly requestBody?: { readonly required?: boolean; readonly content: Readonly<Record<string, object>> }
  readonly responses: Readonly<Record<string, ResponseObject | Reference>>
}

export interface ParameterObject {
  readonly name: string
  readonly in: string
  readonly required?: boolean
  readonly schema: object
}

export interface ResponseObject {
  readonly description?: string
  readonly headers?: Readonly<Record<string, HeaderObject | Reference>>
  readonly content?: Readonly<Record<string, object>>
  readonly 'x-error-codes'?: readonly string[]
}

export interface HeaderObject {
  readonly required?: boolean
  readonly schema: object
}

interface Components {
  readonly parameters?: Readonly<Record<string, ParameterObject>>
  readonly responses?: Readonly<Record<string, ResponseObject>>
  readonly headers?: Readonly<Record<string, HeaderObject>>
  readonly schemas?: Readonly<Record<string, object>>
}

/** A part of the document and its JSON pointer, by which its schemas are compiled. */
export interface Located<Part> {
  readonly part: Part
  readonly pointer: string
}

/** An operation and its location. */
export interface LocatedOperation extends Located<OperationObject> {
  readonly path: string
  readonly method: Uppercase<Method>
}

export const listOperations = (document: OpenApiDocument): LocatedOperation[] =>
  list(document).map(({ path, method, operation }) => ({
    path,
    method: UPPER_CASE[method],
    part: operation,
    pointer: jsonPointer('paths', path, method),
  }))

const UPPER_CASE = { get: 'GET', put: 'PUT', post: 'POST', patch: 'PATCH', delete: 'DELETE' } as const

export const jsonPointer = (...segments: readonly (string | number)[]): string =>
  segments.map((segment) => `/${String(segment).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('')

/** The value at `pointer`, with a reference resolved in the table of its kind. */
export const locate = <Part extends object>(
  table: Readonly<Record<string, Part>> | undefined,
  value: Part | Reference,
  pointer: string,
): Located<Part> => ({
  part: resolveIn(table, value),
  pointer: isReference(value) ? value.$ref.slice(1) : pointer,
})
