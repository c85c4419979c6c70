import admin from '#openapi/admin.json' with { type: 'json' }
import { listOperations, type Method } from '#openapi/document'
import gateway from '#openapi/gateway.json' with { type: 'json' }

/** The parts of an operation's description in the contract that the suite reads. */
export interface OperationDescription {
  readonly operationId: string
  readonly summary?: string
  readonly parameters?: readonly object[]
  readonly requestBody?: object
  readonly responses: Readonly<Record<string, ResponseDescription>>
}

export interface Reference {
  readonly $ref?: string
}

export interface HeaderDescription extends Reference {
  readonly required?: boolean
}

export interface ResponseDescription extends Reference {
  readonly content?: Readonly<Record<string, unknown>>
  readonly headers?: Readonly<Record<string, HeaderDescription>>
}

/** An operation with its method and path. */
export interface Route {
  /** In upper case. */
  readonly method: string
  /** The path template: `/api/v1/runs/{run_id}`. */
  readonly path: string
  readonly pattern: RegExp
  readonly operation: OperationDescription
}

export type Paths = Readonly<Record<string, { readonly [Name in Method]?: OperationDescription }>>

/** Every operation under the paths of a contract. */
export const listRoutes = (paths: Paths): readonly Route[] =>
  listOperations({ paths }).map(({ path, method, operation }) => ({
    method: method.toUpperCase(),
    path,
    pattern: new RegExp(`^${path.replaceAll(/[.*+?^$()|[\]\\]/g, '\\$&').replaceAll(/\{[^}]+\}/g, '[^/]+')}$`),
    operation,
  }))

/** Finds the operation of a request. The query is ignored. */
export const findRoute = (routes: readonly Route[], request: { method: string; path: string }): Route | undefined => {
  const path = request.path.split('?')[0] ?? ''
  return routes.find(({ method, pattern }) => method === request.method && pattern.test(path))
}

/** All operations of the public API, then all of the admin API. */
export const ALL_ROUTES: readonly Route[] = [...listRoutes(gateway.paths), ...listRoutes(admin.paths)]

/** Names a request by its operation: `Create a conversation (POST /api/v1/conversations)`. */
export function nameRequest({ method, path }: { readonly method: string; readonly path: string }): string {
  const route = findRoute(ALL_ROUTES, { method, path })
  if (route === undefined) return `${method} ${path.split('?')[0]}`
  return `${route.operation.summary ?? route.operation.operationId} (${method} ${route.path})`
}
