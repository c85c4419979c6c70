import { describe, expect, it } from 'vitest'
import { listOperations, type Operation, resolveIn } from '../src/document/document.ts'
import { admin, DOCUMENTS, gateway, worker } from './support/documents.ts'

/** Method, route and scopes of the public API (specification: Endpoints 1 to 14; D-06, D-32, D-70). */
const PUBLIC: Record<string, [route: string, ...scopes: string[]]> = {
  createConversation: ['POST /api/v1/conversations', 'conversations:write'],
  listConversations: ['GET /api/v1/conversations', 'conversations:read'],
  getConversation: ['GET /api/v1/conversations/{conversation_id}', 'conversations:read'],
  sendMessage: ['POST /api/v1/conversations/{conversation_id}/messages', 'conversations:write'],
  getRun: ['GET /api/v1/runs/{run_id}', 'runs:read'],
  listMessages: ['GET /api/v1/conversations/{conversation_id}/messages', 'conversations:read'],
  streamConversationEvents: ['GET /api/v1/conversations/{conversation_id}/events', 'conversations:read'],
  streamRunEvents: ['GET /api/v1/runs/{run_id}/events', 'runs:read'],
  cancelRun: ['POST /api/v1/runs/{run_id}/cancel', 'runs:write'],
  resetConversation: ['POST /api/v1/conversations/{conversation_id}/reset', 'conversations:write'],
  getOperation: ['GET /api/v1/operations/{operation_id}', 'conversations:read', 'runs:read'],
  getAgentEndpoint: ['GET /api/v1/agent-endpoints/{endpoint_id}', 'conversations:read', 'runs:read'],
  createRun: ['POST /api/v1/agent-endpoints/{endpoint_id}/runs', 'runs:write'],
  createResource: ['POST /api/v1/resources', 'conversations:write'],
  getResource: ['GET /api/v1/resources/{resource_id}', 'conversations:read'],
  deleteResource: ['DELETE /api/v1/resources/{resource_id}', 'conversations:write'],
  getResourceContent: ['GET /api/v1/resources/{resource_id}/content', 'conversations:read'],
  putResourceContent: ['PUT /api/v1/resources/{resource_id}/content', 'conversations:write'],
  receiveWebhook: ['POST /api/v1/webhooks/{integration_id}'],
}

const REPLAYED = ['createConversation', 'sendMessage', 'cancelRun', 'resetConversation', 'createRun', 'createResource']

const operations = listOperations(gateway)

describe('the public operations', () => {
  it('are those of the specification, each with its route and scopes', () => {
    const found = operations.map(({ method, path, operation }) => [
      operation.operationId,
      [`${method.toUpperCase()} ${path}`, ...operation.security.flatMap((alternative) => alternative.apiKey ?? [])],
    ])
    expect(Object.fromEntries(found)).toEqual(PUBLIC)
  })

  it.each(operations)('$operation.operationId takes the headers of its kind', ({ operation }) => {
    const names = parametersOf(operation).map((parameter) => parameter.name)
    expect(names).toContain('X-Request-Id')
    expect(names.includes('X-Service-Subject')).toBe(operation.operationId !== 'receiveWebhook')
    expect(names.includes('Idempotency-Key')).toBe(REPLAYED.includes(operation.operationId))
    expect(operation['x-idempotent'] !== undefined).toBe(REPLAYED.includes(operation.operationId))
  })

  it('declare a header for replayed answers if they can be replayed', () => {
    const replaying = operations.filter(({ operation }) => 'Idempotency-Replayed' in successHeadersOf(operation))
    expect(replaying.map(({ operation }) => operation.operationId).sort()).toEqual(
      [...REPLAYED, 'receiveWebhook'].sort(),
    )
  })

  it('name a polling operation, an event type or an error code only if it exists', () => {
    const codes = Object.keys(gateway.components['x-errors'] ?? {})
    const types = gateway.components.schemas.EventType?.enum ?? []
    for (const { operation } of operations) {
      const poll = operation['x-long-running']?.poll
      if (poll) expect(Object.keys(PUBLIC)).toContain(poll)
      const stream = operation['x-stream']
      if (stream) expect(codes).toContain(stream.expired)
      for (const type of stream?.terminal ?? []) expect(types).toContain(type)
    }
  })
})

describe('the operator operations', () => {
  it.each(listOperations(admin))('$operation.operationId needs the operator token', ({ operation, path }) => {
    expect(operation.security).toEqual([{ adminToken: [] }])
    expect(path).toMatch(/^\/admin\/v1\//)
  })

  it.each(listOperations(admin))(
    '$operation.operationId declares its role, which is `read` exactly if it is a GET',
    ({ operation, method }) => {
      expect(['read', 'operate', 'admin']).toContain(operation['x-operator-role'])
      expect(operation['x-operator-role'] === 'read').toBe(method === 'get')
      expect(Object.keys(operation.responses)).toContain('403')
    },
  )
})

describe('the worker operations', () => {
  it.each(listOperations(worker))(
    '$operation.operationId needs a device key; the token of a run opens its context and attachments, too',
    ({ operation, path }) => {
      expect(path).toMatch(/^\/worker\/v1\//)
      const isOfRun = /\/runs\/\{run_id\}\/(context|resources)/.test(path)
      expect(operation.security).toEqual([{ deviceKey: [] }, ...(isOfRun ? [{ runToken: [] }] : [])])
    },
  )
})

describe('the callbacks', () => {
  it('include one signed request for each event type that can be subscribed to', () => {
    const callbacks = Object.values(gateway.webhooks ?? {}).map(({ post }) => post)
    const types = callbacks.map((post) =>
      post.requestBody?.content['application/json']?.schema?.$ref?.split('/').at(-1),
    )
    expect(types).toEqual([
      'RunCompletedEvent',
      'RunFailedEvent',
      'RunCancelledEvent',
      'RunInterruptedEvent',
      'RunExpiredEvent',
      'ApprovalRequiredEvent',
    ])
    expect(types).toHaveLength(admin.components.schemas.CallbackEventType?.enum?.length ?? 0)
    for (const post of callbacks) {
      const names = parametersOf(post).map((parameter) => parameter.name)
      expect(names).toEqual(['webhook-id', 'webhook-timestamp', 'webhook-signature'])
      expect(Object.keys(post.responses)).toEqual(['408', '425', '429', '2XX', '5XX', 'default'])
    }
  })
})

describe.each(DOCUMENTS)('every answer of %s', (_name, document) => {
  it.each(listOperations(document))('$operation.operationId: headers and codes', ({ operation }) => {
    for (const [status, each] of Object.entries(operation.responses)) {
      const response = resolveIn(document.components.responses, each)
      const headers = Object.keys(response.headers ?? {})
      expect(headers).toContain('X-Request-Id')
      expect(headers.includes('Retry-After')).toBe(status === '429' || status === '503')
      expect(headers.includes('WWW-Authenticate')).toBe(status === '401')
      const codes = response['x-error-codes'] ?? []
      expect(codes.length > 0).toBe(Number(status) >= 400)
      for (const code of codes) expect(document.components['x-errors']?.[code]?.status).toBe(Number(status))
      if (Number(status) >= 400) expect(Object.keys(response.content ?? {})).toEqual(['application/problem+json'])
    }
  })

  it.each(listOperations(document))(
    '$operation.operationId: the errors of every operation, and those of its body and answer',
    ({ operation }) => {
      const statuses = Object.keys(operation.responses)
      expect(statuses).toEqual(expect.arrayContaining(['400', '401', '429', '500', '503']))
      const types = Object.keys(operation.requestBody?.content ?? {})
      expect(statuses.includes('413')).toBe(types.length > 0)
      expect(statuses.includes('415')).toBe(types.includes('application/json'))
      expect(statuses.includes('406')).toBe(operation['x-stream'] !== undefined)
    },
  )
})

const parametersOf = (operation: Operation) =>
  (operation.parameters ?? []).map((parameter) => resolveIn(gateway.components.parameters, parameter))

function successHeadersOf(operation: Operation) {
  const answers = Object.entries(operation.responses).filter(([status]) => status.startsWith('2'))
  return Object.assign({}, ...answers.map(([, each]) => resolveIn(gateway.components.responses, each).headers))
}
