import { randomUUID } from 'node:crypto'
import type { MessageInput, Resource } from '@conversation-gateway/openapi/generated/gateway-closed'
import type { OPERATIONS, OperationInfo } from '@conversation-gateway/openapi/generated/operations'
import type { ContractOperation } from '../http/contract-cases.ts'
import { CONTRACT_OPERATIONS } from '../http/contract-cases.ts'
import { type Answer, type Client, completed, ended } from './client.ts'

/** Requests to every route that takes a key, made from the contract: what is not in a table here does not exist. */

type Operations = typeof OPERATIONS
type ServedId = {
  [Id in keyof Operations]: Operations[Id] extends { security: 'apiKey' } ? Id : never
}[keyof Operations]

/** Kinds of records that a request can name, as the contract calls their IDs. */
export type RecordName = Operations[ServedId]['parameters']['path'][number]

export type RecordIds = Readonly<Record<RecordName, string>>

/** Who alone may use a record. */
export const BELONGS_TO = {
  conversation_id: 'subject',
  run_id: 'subject',
  operation_id: 'subject',
  endpoint_id: 'application',
  resource_id: 'subject',
} as const satisfies Record<RecordName, 'subject' | 'application'>

const isRecordName = (name: string): name is RecordName => name in BELONGS_TO

/** IDs that no record has. */
export const NOBODY: RecordIds = {
  conversation_id: `conv_${'0'.repeat(32)}`,
  run_id: `run_${'0'.repeat(32)}`,
  operation_id: `op_${'0'.repeat(32)}`,
  endpoint_id: `ep_${'0'.repeat(32)}`,
  resource_id: `res_${'0'.repeat(32)}`,
}

export interface Route extends ContractOperation {
  readonly id: string
}

/** Every operation that takes a key. */
export const ROUTES: readonly Route[] = CONTRACT_OPERATIONS.filter(({ info }) => info.security === 'apiKey').map(
  (operation) => ({ ...operation, id: operation.info.operationId }),
)

/** One place of a request where an ID stands. */
export interface NamedId {
  readonly route: Route
  readonly place: 'path' | 'query' | 'body'
  /** What it is called there. */
  readonly parameter: string
  readonly record: RecordName
}

const isId = (name: string): boolean => name.endsWith('_id')

/** The kind of record whose ID a page's cursor is; null for a parameter that is no such cursor. */
const cursorRecord = ({ pagination }: OperationInfo, parameter: string): string | null =>
  pagination?.cursor.query === parameter && isId(pagination.cursor.field) ? pagination.cursor.field : null

/** Every place of every route where an ID stands. Throws for an ID of a kind that nobody has told this module about. */
export const NAMED_IDS: readonly NamedId[] = ROUTES.flatMap((route) => {
  const { info, body } = route
  const named = (place: NamedId['place'], parameters: readonly string[]): NamedId[] =>
    parameters.map((parameter) => {
      const record = cursorRecord(info, parameter) ?? parameter
      if (!isRecordName(record)) throw new Error(`${route.id} names a ${record} that no test knows`)
      return { route, place, parameter, record }
    })
  return [
    ...named('path', info.parameters.path),
    ...named(
      'query',
      info.parameters.query.filter((name) => isId(name) || cursorRecord(info, name) !== null),
    ),
    ...named('body', Object.keys(body?.schema.properties ?? {}).filter(isId)),
  ]
})

export interface RouteRequest {
  readonly method: string
  readonly path: string
  readonly body: Readonly<Record<string, unknown>> | null
}

/** A request that lacks nothing and has nothing that it could do without; `odd` puts one ID somewhere else. */
export const requestTo = (
  { info, pathTemplate, query, body, example }: Route,
  ids: RecordIds,
  odd?: NamedId & { readonly id: string },
): RouteRequest => {
  const idOf = (place: NamedId['place'], name: string): string =>
    odd?.place === place && odd.parameter === name ? odd.id : isRecordName(name) ? ids[name] : ''
  const queried = query.filter(({ name, required }) => required || (odd?.place === 'query' && odd.parameter === name))
  const search = new URLSearchParams(queried.map(({ name }): [string, string] => [name, idOf('query', name)]))
  const members = Object.entries(Object(example))
  const { required = [] } = body?.schema ?? {}
  return {
    method: info.method,
    path: `${pathTemplate.replaceAll(/\{(\w+)\}/g, (_, name: string) => idOf('path', name))}${search.size === 0 ? '' : `?${search}`}`,
    body:
      body === null
        ? null
        : Object.fromEntries(
            members
              .filter(([name]) => required.includes(name))
              .map(([name, value]) => [name, isId(name) ? idOf('body', name) : value]),
          ),
  }
}

/** Streams give their places back in their own time; where every route is asked again and again none waits for that. */
export const ROOM_FOR_STREAMS = { streamLimits: { perDevice: 1000, perApp: 1000, perSubject: 1000 } } as const

export type RouteAnswer = Answer<Readonly<Record<string, unknown>>>

/** Sends the request, under a key of its own unless one is given. A stream that opens is closed again. */
export const ask = async (
  client: Client,
  { info }: Route,
  { method, path, body }: RouteRequest,
  idempotencyKey: string = randomUUID(),
): Promise<RouteAnswer> => {
  if (body !== null) return client.request(method, path, { body, idempotencyKey })
  if (info.requestContentTypes.length > 0) return client.request(method, path, { rawBody: CONTENT })
  if (info.stream === null) return client.request(method, path)
  const stream = await client.stream(path)
  if (stream.status === 200) stream.close()
  await stream.ended
  return { ...stream, body: stream.status === 200 ? {} : JSON.parse(stream.text()) }
}

/** The content of every attachment here. */
const CONTENT = 'content'

const readyAttachment = async (client: Client): Promise<string> => {
  const declared = { filename: 'notes.txt', content_type: 'text/plain', size: CONTENT.length }
  const { resource_id: id } = (await client.post<Resource>('/api/v1/resources', declared)).body
  await client.request('PUT', `/api/v1/resources/${id}/content`, { rawBody: CONTENT })
  return id
}

/**
 * Records of the client at a device without a worker: the run is cancelled before it has started, so that everything is
 * finished and nothing happens by itself. Where there is a worker, an input that hangs makes a run that can be cancelled.
 */
export const finishedRecords = async (
  client: Client,
  endpointId = 'ep_echo',
  input: MessageInput = { text: 'finished' },
): Promise<RecordIds> => {
  const { conversation_id } = (await client.createConversation({ endpoint_id: endpointId })).body
  const { run_id } = (await client.send(conversation_id, input)).body
  const { operation_id } = (await client.cancel(run_id)).body
  await completed(client, operation_id)
  await ended(client, run_id)
  const resource_id = await readyAttachment(client)
  return { conversation_id, run_id, operation_id, endpoint_id: endpointId, resource_id }
}
