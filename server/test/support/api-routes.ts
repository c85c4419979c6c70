import { randomUUID } from 'node:crypto'
import type { MessageInput } from '@conversation-gateway/openapi/generated/gateway-closed'
import type { OPERATIONS } from '@conversation-gateway/openapi/generated/operations'
import type { ContractOperation } from '../http/contract-cases.ts'
import { CONTRACT_OPERATIONS } from '../http/contract-cases.ts'
import { type Answer, type Client, completed, ended } from './client.ts'
import { uploadAttachment } from './upload-attachment.ts'

/** Requests to every route that requires a key, generated from the contract. */

type Operations = typeof OPERATIONS
type ServedId = {
  [Id in keyof Operations]: Operations[Id] extends { security: 'apiKey' } ? Id : never
}[keyof Operations]

/** The names of the record IDs in paths of the contract. */
type RecordName = Operations[ServedId]['pathParameters'][number]

export type RecordIds = Readonly<Record<RecordName, string>>

const RECORD_NAMES = {
  conversation_id: true,
  run_id: true,
  operation_id: true,
  endpoint_id: true,
  resource_id: true,
} as const satisfies Record<RecordName, true>

const isRecordName = (name: string): name is RecordName => name in RECORD_NAMES

export interface Route extends ContractOperation {
  readonly id: string
}

/** Every operation that takes a key. */
export const ROUTES: readonly Route[] = CONTRACT_OPERATIONS.filter(({ info }) => info.security === 'apiKey').map(
  (operation) => ({ ...operation, id: operation.info.operationId }),
)

const isId = (name: string): boolean => name.endsWith('_id')

export interface RouteRequest {
  readonly method: string
  readonly path: string
  readonly body: Readonly<Record<string, unknown>> | null
}

/** A request with all required members and parameters, and no optional ones. */
export const requestTo = ({ info, pathTemplate, query, body, example }: Route, ids: RecordIds): RouteRequest => {
  const idOf = (name: string): string => (isRecordName(name) ? ids[name] : '')
  const queried = query.filter(({ required }) => required)
  const search = new URLSearchParams(queried.map(({ name }): [string, string] => [name, idOf(name)]))
  const members = Object.entries(Object(example))
  const { required = [] } = body?.schema ?? {}
  return {
    method: info.method,
    path: `${pathTemplate.replaceAll(/\{(\w+)\}/g, (_, name: string) => idOf(name))}${search.size === 0 ? '' : `?${search}`}`,
    body:
      body === null
        ? null
        : Object.fromEntries(
            members
              .filter(([name]) => required.includes(name))
              .map(([name, value]) => [name, isId(name) ? idOf(name) : value]),
          ),
  }
}

/**
 * Closed streams release their slots with a delay. With these limits, tests that call every route repeatedly do not
 * wait.
 */
export const ROOM_FOR_STREAMS = { streamLimits: { perDevice: 1000, perApp: 1000, perSubject: 1000 } } as const

export type RouteAnswer = Answer<Readonly<Record<string, unknown>>>

/** Sends the request, with a new idempotency key unless one is given. A stream that opens is closed at once. */
export const ask = async (
  client: Client,
  { info }: Route,
  { method, path, body }: RouteRequest,
  idempotencyKey: string = randomUUID(),
): Promise<RouteAnswer> => {
  if (body !== null) return client.request(method, path, { body, idempotencyKey })
  if (info.requestContentTypes.length > 0) return client.request(method, path, { rawBody: CONTENT })
  if (!info.isStream) return client.request(method, path)
  const stream = await client.stream(path)
  if (stream.status === 200) stream.close()
  await stream.ended
  return { ...stream, body: stream.status === 200 ? {} : JSON.parse(stream.text()) }
}

/** The content of every attachment of these tests. */
const CONTENT = 'content'

/**
 * Creates finished records, so that nothing changes them later: the run is cancelled before it ends. Without a worker,
 * the run never starts. With a worker, pass an input that makes the run hang.
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
  const resource_id = await uploadAttachment(client, { content: CONTENT })
  return { conversation_id, run_id, operation_id, endpoint_id: endpointId, resource_id }
}
