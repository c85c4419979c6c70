import { describe, expect, it } from 'vitest'
import { CONTRACT, type ContractOperation } from '../../src/generated/contract.ts'
import { EVENT_TYPES } from '../../src/generated/events.ts'
import { LIMITS } from '../../src/generated/limits.ts'
import type { ErrorCode } from '../../src/index.ts'
import type { TestedOperationId } from '../../src/testing/index.ts'
import { handlersOf } from '../../src/testing/msw.ts'
import { respond } from '../../src/testing/respond.ts'
import { exampleOf } from '../../src/testing/routes.ts'
import { type CallOptions, withTestGateway } from './support/client.ts'
import { answersWithJson, checkAnswer, contractOperation, testedOperations } from './support/contract.ts'

let aheadMs = 0
const now = () => new Date(Date.now() + aheadMs)
const { gateway, call, stream, create, send } = withTestGateway({ now })

const bearerOperations = testedOperations.filter(({ takesKey }) => takesKey)

it('has a handler for every operation of the contract that takes an API key or a signature, and no others', () => {
  const handled = handlersOf(gateway).map((handler) => handler.info.header)
  const documented = testedOperations.map(
    ({ method, path }) => `${method} https://gateway.test${path.replaceAll(/\{(\w+)\}/g, ':$1')}`,
  )
  expect(handled.toSorted()).toEqual(documented.toSorted())
})

describe('every refusal that the contract documents can be injected, with its documented answer', () => {
  for (const id of testedOperations.map((operation) => operation.id as TestedOperationId))
    for (const [status, codes] of contractOperation(id).codes)
      for (const code of codes)
        it(`${id} ${status} ${code}`, async () => {
          gateway.failNext({ operation: id, fault: { code: code as ErrorCode, retryAfterSeconds: 7 } })
          const answer = await call(id)
          expect([answer.status, answer.json.code]).toEqual([status, code])
          expect(answer.headers.get('retry-after')).toBe(status === 429 || status === 503 ? '7' : null)
        })
})

it('answers UNKNOWN_FIELD for unknown members alone, and INVALID_REQUEST with other faults', async () => {
  const unknown = await call('createConversation', { body: { endpoint_id: 'ep_test', model: 'x' } })
  expect(unknown.json).toMatchObject({ code: 'UNKNOWN_FIELD', errors: [{ pointer: '/model' }] })
  const both = await call('createConversation', { body: { model: 'x' } })
  expect(both.json).toMatchObject({
    code: 'INVALID_REQUEST',
    errors: [{ pointer: '/model' }, { pointer: '/endpoint_id' }],
  })
})

it('refuses a compressed body, and an empty one where JSON is required', async () => {
  const compressed = await call('cancelRun', { headers: { 'content-encoding': 'gzip' }, body: '{}' })
  expect([compressed.status, compressed.json.code]).toEqual([415, 'UNSUPPORTED_MEDIA_TYPE'])
  const empty = await call('cancelRun', { body: '' })
  expect([empty.status, empty.json.code]).toEqual([400, 'INVALID_REQUEST'])
})

it('returns the documented success status of every operation with an API key', async () => {
  const seen = new Map<string, number>()
  const succeed = async (id: TestedOperationId, options: CallOptions = {}) => {
    const answer = await call(id, options)
    seen.set(id, answer.status)
    return answer.json
  }
  const { conversation_id } = await succeed('createConversation', { body: { endpoint_id: 'ep_test' } })
  const ids = { conversation_id }
  const { resource_id } = await succeed('createResource', {
    body: { filename: 'a.txt', content_type: 'text/plain', size: 2 },
  })
  await succeed('putResourceContent', { ids: { resource_id }, body: new TextEncoder().encode('hi') })
  await succeed('getResource', { ids: { resource_id } })
  await succeed('getResourceContent', { ids: { resource_id } })
  const input = { text: 'Hello', data: { a: 1 }, resource_ids: [resource_id] }
  const { run_id } = await succeed('sendMessage', { ids, body: { expected_generation: 1, input } })
  await succeed('createRun', { ids: { endpoint_id: 'ep_test' }, body: { input: { text: 'Hello' } } })
  await succeed('listConversations', { query: { endpoint_id: 'ep_test' } })
  await succeed('getConversation', { ids })
  await succeed('listMessages', { ids })
  await succeed('getRun', { ids: { run_id } })
  const { operation_id } = await succeed('cancelRun', { ids: { run_id }, body: {} })
  await succeed('getOperation', { ids: { operation_id } })
  await succeed('resetConversation', { ids, body: { expected_generation: 1 } })
  await succeed('deleteResource', { ids: { resource_id } })
  for (const id of ['streamConversationEvents', 'streamRunEvents'] as const) {
    const opened = await stream(id, { ids: { conversation_id, run_id } })
    seen.set(id, opened.response.status)
    await opened.close()
  }
  // Operations without a handler return the contract's example.
  for (const { id, example } of bearerOperations) if (!seen.has(id)) await succeed(id as TestedOperationId, example)
  const documented = bearerOperations.map(({ id, codes }) => [id, [...codes.keys()].find((status) => status < 300)])
  expect(Object.fromEntries(seen)).toEqual(Object.fromEntries(documented))
})

it('has a valid example for every operation that answers with JSON', async () => {
  const answering = Object.entries<ContractOperation>(CONTRACT).filter(([id]) => answersWithJson(id))
  for (const [id, row] of answering) {
    const response = respond(exampleOf(row), 'req_1')
    expect([id, ...checkAnswer(id, response, await response.text())]).toEqual([id])
  }
  expect(answering.length).toBeGreaterThan(10)
})

it('sends every type of event of the contract', async () => {
  const conversationId = await create()
  gateway.reply(
    [{ delta: 'Hel' }, { activity: { activity_id: 'call_1', kind: 'tool', name: 'find_order' } }],
    [{ message: 'Whole' }, { succeed: { text: 'Result', resource_ids: ['res_1'] } }],
    [{ delta: 'Par' }, { fail: { code: 'MODEL_UNAVAILABLE', message: 'No answer.', retryable: true } }],
    [{ approval: 'Refund?' }, { delta: 'done' }],
    [{ delta: 'half' }, { interrupt: true }],
    [{ hang: true }],
  )
  for (let i = 0; i < 3; i++) await send(conversationId)
  gateway.decide((await send(conversationId)).json.run_id, 'approved')
  await send(conversationId)
  const { run_id } = (await send(conversationId)).json
  // This message waits until its start deadline has passed.
  await send(conversationId)
  aheadMs += LIMITS.messageStartMs
  await call('cancelRun', { ids: { run_id }, body: {} })
  await call('resetConversation', { ids: { conversation_id: conversationId }, body: { expected_generation: 1 } })
  const opened = await stream('streamConversationEvents', { ids: { conversation_id: conversationId } })
  const types = new Set<string>()
  for (;;) {
    const event = await opened.event()
    types.add(event.type)
    if (event.type === 'conversation.reset') break
  }
  await opened.close()
  expect([...types].toSorted()).toEqual(EVENT_TYPES.toSorted())
})
