/** The parts of a bundled OpenAPI document that routes and validators are made from. */
export interface OpenApiDocument {
  readonly openapi: string
  readonly info?: object
  readonly paths: Readonly<Record<string, PathItem>>
  readonly components: Components
}

export const METHODS = ['get', 'put', 'post', 'patch', 'delete'] as const
type PathItem = { readonly [Method in (typeof METHODS)[number]]?: OperationObject }

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

interface Reference {
  readonly $ref: string
}

/** A part of the document together with the JSON pointer that its schemas are compiled by. */
export interface Located<Part> {
  readonly part: Part
  readonly pointer: string
}

/** An operation with the place where it stands. */
export interface LocatedOperation extends Located<OperationObject> {
  readonly path: string
  readonly method: Uppercase<(typeof METHODS)[number]>
}

export const listOperations = (document: OpenApiDocument): LocatedOperation[] =>
  Object.entries(document.paths).flatMap(([path, item]) =>
    METHODS.flatMap((method) => {
      const part = item[method]
      const pointer = jsonPointer('paths', path, method)
      return part === undefined ? [] : [{ path, method: UPPER_CASE[method], part, pointer }]
    }),
  )

const UPPER_CASE = { get: 'GET', put: 'PUT', post: 'POST', patch: 'PATCH', delete: 'DELETE' } as const

export const jsonPointer = (...segments: readonly (string | number)[]): string =>
  segments.map((segment) => `/${String(segment).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('')

/** What stands at `pointer`, or what a reference there leads to in the table of its kind. */
export const locate = <Part extends object>(
  table: Readonly<Record<string, Part>> | undefined,
  value: Part | Reference,
  pointer: string,
): Located<Part> => {
  if (!isReference(value)) return { part: value, pointer }
  const target = table?.[value.$ref.slice(value.$ref.lastIndexOf('/') + 1)]
  if (target === undefined) throw new Error(`${value.$ref} leads nowhere`)
  return { part: target, pointer: value.$ref.slice(1) }
}

const isReference = (value: object): value is Reference => '$ref' in value && typeof value.$ref === 'string'
