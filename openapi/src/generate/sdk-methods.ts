import type { Document, MediaType, Method, Operation, Schema } from '../document/document.ts'
import { componentName, isReference, listOperations, resolveIn } from '../document/document.ts'
import { toCamelCase } from './source-text.ts'

/** One method of the client: an operation, in the terms of the language. */
export interface SdkMethod {
  readonly operationId: string
  readonly name: string
  readonly tag: string
  readonly path: string
  readonly httpMethod: string
  readonly doc: readonly string[]
  /** In the order of the path template: the wire's name, and the argument's. */
  readonly pathArguments: readonly { readonly wire: string; readonly name: string }[]
  readonly query: 'none' | 'optional' | 'required'
  readonly body: SdkBody
  readonly answer: SdkAnswer
  readonly operation: Operation
}

export type SdkBody =
  | { readonly kind: 'none' }
  /** A JSON body without members, which the client sends without an argument from the caller. */
  | { readonly kind: 'empty' }
  | { readonly kind: 'json'; readonly type: string; readonly required: boolean }
  | { readonly kind: 'bytes' }

export type SdkAnswer =
  | { readonly kind: 'nothing' }
  | { readonly kind: 'json'; readonly type: string; readonly schema: Schema }
  | { readonly kind: 'bytes' }
  | { readonly kind: 'stream' }

/** Whether an operation takes an application's key or an operator's token. Signed operations have separate senders. */
export const isCallable = (operation: Operation): boolean =>
  operation.security.some((alternative) => 'apiKey' in alternative || 'adminToken' in alternative)

/** Every method of a document's client, in the document's order. */
export const listMethods = (document: Document): SdkMethod[] =>
  listOperations(document)
    .filter(({ operation }) => isCallable(operation))
    .map(({ path, method, operation }) => describeMethod(document, path, method, operation))

function describeMethod(document: Document, path: string, method: Method, operation: Operation): SdkMethod {
  const name = operation['x-sdk-method']
  const tag = operation.tags[0]
  if (!name || !tag) throw new Error(`${operation.operationId} needs a tag and x-sdk-method, its method in the client`)
  return {
    operationId: operation.operationId,
    name,
    tag,
    path,
    httpMethod: method.toUpperCase(),
    doc: describeInWords(document, operation),
    pathArguments: [...path.matchAll(/\{(\w+)\}/g)].map(([, wire = '']) => ({ wire, name: toCamelCase(wire) })),
    query: describeQuery(document, operation),
    body: describeBody(document, operation),
    answer: describeAnswer(document, operation),
    operation,
  }
}

function describeInWords({ components }: Document, operation: Operation): string[] {
  const codes = Object.values(operation.responses).flatMap(
    (response) => resolveIn(components.responses, response)['x-error-codes'] ?? [],
  )
  return [
    ...[operation.summary, operation.description].flatMap((text) => (text ? [`${text.replace(/\.?$/, '.')}`] : [])),
    `@throws {ApiError} ${[...new Set(codes)].join(', ')}`,
  ]
}

function describeQuery({ components }: Document, operation: Operation): SdkMethod['query'] {
  // Callers do not pass the position in a stream: the client resumes automatically.
  if (operation['x-stream']) return 'none'
  const parameters = (operation.parameters ?? []).map((each) => resolveIn(components.parameters, each))
  const query = parameters.filter((each) => each.in === 'query')
  if (query.length === 0) return 'none'
  return query.some((each) => each.required) ? 'required' : 'optional'
}

function describeBody(document: Document, operation: Operation): SdkBody {
  const content = operation.requestBody?.content
  if (!content) return { kind: 'none' }
  const json = content['application/json']
  if (!json) return { kind: 'bytes' }
  const { type, schema } = named(document, json, operation)
  const hasVariants = (schema.oneOf ?? schema.anyOf) !== undefined
  if (Object.keys(schema.properties ?? {}).length === 0 && !hasVariants) return { kind: 'empty' }
  return { kind: 'json', type, required: hasVariants || (Array.isArray(schema.required) && schema.required.length > 0) }
}

export function describeAnswer(document: Document, operation: Operation): SdkAnswer {
  const { content } = resolveIn(document.components.responses, successOf(operation)[1])
  if (!content) return { kind: 'nothing' }
  if (content['text/event-stream']) return { kind: 'stream' }
  const json = content['application/json']
  return json ? { kind: 'json', ...named(document, json, operation) } : { kind: 'bytes' }
}

/** The HTTP status of success. */
export const statusOf = (operation: Operation): number => Number(successOf(operation)[0])

function successOf({ operationId, responses }: Operation) {
  const success = Object.entries(responses).find(([status]) => status.startsWith('2'))
  if (!success) throw new Error(`${operationId} has no answer`)
  return success
}

function named({ components }: Document, { schema }: MediaType, operation: Operation) {
  if (!schema || !isReference(schema))
    throw new Error(`${operation.operationId}: the client needs a name for each JSON body`)
  return { type: componentName(schema), schema: resolveIn(components.schemas, schema) }
}
