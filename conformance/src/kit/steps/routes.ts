import type { Caller, CallOptions } from '../server/caller.ts'
import type { ServerContext } from '../server/context.ts'
import type { Answer } from '../server/wire.ts'
import { declaration, HELLO } from './attachments.ts'
import type { RecordIds } from './records.ts'

/** A minimal valid request to a route that requires an API key. */
export interface BearerRoute {
  /** The contract's operation, and the query parameter that this entry sends. */
  readonly name: string
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  path(ids: RecordIds): string
  /** A valid body; absent if the route has none. */
  json?(ids: RecordIds): Readonly<Record<string, unknown>>
  /** Raw content, if the route accepts it. */
  readonly content?: string
  /** Whether it accepts an Idempotency-Key. */
  readonly keyed?: true
  /** The record that the request names; absent if it names none. */
  readonly names?: keyof RecordIds
  /** Scopes, any one of which is sufficient (D-06). */
  readonly scopes: readonly string[]
  /** Whether the route is defined only by decisions. */
  readonly decided?: true
  readonly stream?: true
}

const INPUT = { text: 'hello' }
const READ = ['conversations:read']
const WRITE = ['conversations:write']

const ALL_ROUTES: readonly BearerRoute[] = [
  {
    name: 'createConversation',
    method: 'POST',
    path: () => '/conversations',
    json: ({ endpoint }) => ({ endpoint_id: endpoint }),
    keyed: true,
    names: 'endpoint',
    scopes: WRITE,
  },
  {
    name: 'listConversations',
    method: 'GET',
    path: ({ endpoint }) => `/conversations?endpoint_id=${endpoint}`,
    names: 'endpoint',
    scopes: READ,
  },
  {
    name: 'listConversations before',
    method: 'GET',
    path: ({ endpoint, conversation }) => `/conversations?endpoint_id=${endpoint}&before=${conversation}`,
    names: 'conversation',
    scopes: READ,
  },
  {
    name: 'getConversation',
    method: 'GET',
    path: ({ conversation }) => `/conversations/${conversation}`,
    names: 'conversation',
    scopes: READ,
  },
  {
    name: 'sendMessage',
    method: 'POST',
    path: ({ conversation }) => `/conversations/${conversation}/messages`,
    json: () => ({ expected_generation: 1, input: INPUT }),
    keyed: true,
    names: 'conversation',
    scopes: WRITE,
  },
  { name: 'getRun', method: 'GET', path: ({ run }) => `/runs/${run}`, names: 'run', scopes: ['runs:read'] },
  {
    name: 'listMessages',
    method: 'GET',
    path: ({ conversation }) => `/conversations/${conversation}/messages`,
    names: 'conversation',
    scopes: READ,
  },
  {
    name: 'streamConversationEvents',
    method: 'GET',
    path: ({ conversation }) => `/conversations/${conversation}/events`,
    names: 'conversation',
    scopes: READ,
    stream: true,
  },
  {
    name: 'streamRunEvents',
    method: 'GET',
    path: ({ run }) => `/runs/${run}/events`,
    names: 'run',
    scopes: ['runs:read'],
    stream: true,
  },
  {
    name: 'cancelRun',
    method: 'POST',
    path: ({ run }) => `/runs/${run}/cancel`,
    json: () => ({}),
    keyed: true,
    names: 'run',
    scopes: ['runs:write'],
  },
  {
    name: 'getOperation',
    method: 'GET',
    path: ({ operation }) => `/operations/${operation}`,
    names: 'operation',
    scopes: ['conversations:read', 'runs:read'],
  },
  {
    name: 'createRun',
    method: 'POST',
    path: ({ endpoint }) => `/agent-endpoints/${endpoint}/runs`,
    json: () => ({ input: INPUT }),
    keyed: true,
    names: 'endpoint',
    scopes: ['runs:write'],
  },
  {
    name: 'createResource',
    method: 'POST',
    path: () => '/resources',
    json: () => declaration(),
    keyed: true,
    scopes: WRITE,
    decided: true,
  },
  {
    name: 'putResourceContent',
    method: 'PUT',
    path: ({ resource }) => `/resources/${resource}/content`,
    content: HELLO,
    names: 'resource',
    scopes: WRITE,
    decided: true,
  },
  {
    name: 'getResource',
    method: 'GET',
    path: ({ resource }) => `/resources/${resource}`,
    names: 'resource',
    scopes: READ,
    decided: true,
  },
  {
    name: 'getResourceContent',
    method: 'GET',
    path: ({ resource }) => `/resources/${resource}/content`,
    names: 'resource',
    scopes: READ,
    decided: true,
  },
  // Routes that end a record come last, so that all routes can be called in this order for the same records.
  {
    name: 'deleteResource',
    method: 'DELETE',
    path: ({ resource }) => `/resources/${resource}`,
    names: 'resource',
    scopes: WRITE,
    decided: true,
  },
  {
    name: 'resetConversation',
    method: 'POST',
    path: ({ conversation }) => `/conversations/${conversation}/reset`,
    json: () => ({ expected_generation: 1, busy_policy: 'cancel_and_reset' }),
    keyed: true,
    names: 'conversation',
    scopes: WRITE,
  },
]

/** Every route of the profile that requires an API key. */
export const bearerRoutes = ({ profile }: ServerContext): readonly BearerRoute[] =>
  ALL_ROUTES.filter(({ decided }) => profile === 'reference' || decided === undefined)

/** Sends the request, with a fresh Idempotency-Key if the route accepts one. Closes a stream that opens. */
export async function ask(
  caller: Caller,
  route: BearerRoute,
  ids: RecordIds,
  options: CallOptions = {},
): Promise<Answer> {
  const path = route.path(ids)
  const { json, content } = route
  if (json !== undefined) return caller.post(path, options.body === undefined ? json(ids) : undefined, options)
  if (content !== undefined)
    return caller.request(route.method, path, {
      body: content,
      ...options,
      headers: { 'content-type': 'application/octet-stream', ...options.headers },
    })
  if (route.stream === undefined) return caller.request(route.method, path, options)
  const { headers } = options
  const opened = await caller.tryEvents(path, headers === undefined ? {} : { headers })
  if (!('frames' in opened)) return opened
  opened.close()
  await opened.ended()
  return {
    request: { method: route.method, path },
    status: 200,
    headers: opened.headers,
    headerLines: [],
    bytes: Buffer.alloc(0),
    text: opened.text(),
    body: undefined,
  }
}
