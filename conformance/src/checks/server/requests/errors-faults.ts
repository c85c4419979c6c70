import assert from 'node:assert/strict'
import type { ServerCheck } from '../../../kit/server/context.ts'
import { expectRefusal } from '../../../kit/server/expectations.ts'
import type { Answer } from '../../../kit/server/wire.ts'
import { refusedStream } from '../../../kit/steps/events.ts'
import { finishedRecords } from '../../../kit/steps/records.ts'

const pointersOf = (answer: Answer): string[] => {
  const { errors } = Object(answer.body)
  assert.ok(Array.isArray(errors) && errors.length > 0, `a 400 without errors: ${answer.text.slice(0, 300)}`)
  return errors.map(({ pointer, message }) => {
    assert.ok(typeof message === 'string' && message !== '', `the fault at ${pointer} has no message`)
    return String(pointer)
  })
}

/** Fails unless the 400 names this place. The names of headers and parameters are compared without regard to case. */
function expectFaultAt(answer: Answer, pointer: string): void {
  expectRefusal(answer, 400)
  const named = pointersOf(answer).map((each) => (each.startsWith('/') ? each : each.toLowerCase()))
  assert.ok(
    named.includes(pointer.startsWith('/') ? pointer : pointer.toLowerCase()),
    `expected a fault at ${pointer}, got ${named.join(', ')}`,
  )
}

/** Fails unless the 400 names only places of this list. How many of them it names is open (D-64). */
function expectFaultsAmong(answer: Answer, places: readonly string[]): void {
  expectRefusal(answer, 400)
  for (const pointer of pointersOf(answer))
    assert.ok(
      places.includes(pointer),
      `expected faults only at ${places.join(', ')}, got one at ${pointer}, which is valid`,
    )
}

export const checks: readonly ServerCheck[] = [
  {
    id: 'errors/faults-of-bodies',
    title: 'a 400 names the place in the body by an RFC 6901 pointer, also deep inside and with escaped names',
    rules: ['ERR-23'],
    run: async (t) => {
      const ids = await finishedRecords(t)
      const send = `/conversations/${ids.conversation}/messages`
      const input = { text: 'x' }
      const valid = { expected_generation: 1, input }
      const cases: [pointer: string, path: string, json: unknown][] = [
        ['/endpoint_id', '/conversations', { endpoint_id: 7 }],
        ['/conversation_key', '/conversations', { endpoint_id: ids.endpoint, conversation_key: ' x' }],
        ['/expected_generation', send, { ...valid, expected_generation: '1' }],
        ['/start_before', send, { ...valid, start_before: 'soon' }],
        ['/input', send, { ...valid, input: [] }],
        ['/input/text', send, { ...valid, input: { text: 7 } }],
        ['/input/data', send, { ...valid, input: { data: [] } }],
        ['/input/resource_ids', send, { ...valid, input: { resource_ids: 'x' } }],
        ['/input/resource_ids/1', send, { ...valid, input: { resource_ids: [ids.resource, 7] } }],
        ['/busy_policy', `/conversations/${ids.conversation}/reset`, { expected_generation: 1, busy_policy: 'x' }],
        ['/input/text', `/agent-endpoints/${ids.endpoint}/runs`, { input: { text: null } }],
        ['/size', '/resources', { filename: 'a.txt', content_type: 'text/plain', size: 'x' }],
      ]
      for (const [pointer, path, json] of cases) expectFaultAt(await t.me.post(path, json), pointer)
      // An unknown member is a fault at the member or at the object that contains it.
      const unknown: [place: string, around: string, path: string, json: unknown][] = [
        ['/no_such_field', '', send, { ...valid, no_such_field: 1 }],
        ['/a~1b~0c', '', send, { ...valid, 'a/b~c': 1 }],
        ['/input/a~1b~0c', '/input', send, { ...valid, input: { ...input, 'a/b~c': 1 } }],
        ['/expected_generation', '', `/runs/${ids.run}/cancel`, { expected_generation: 1 }],
      ]
      for (const [place, around, path, json] of unknown) expectFaultsAmong(await t.me.post(path, json), [place, around])
    },
  },
  {
    id: 'errors/faults-all-listed',
    title: 'a 400 for a body with several faults names at least one of them, and no valid place',
    rules: ['ERR-23'],
    run: async (t) => {
      const { conversation_id: id } = await t.conversation()
      const path = `/conversations/${id}/messages`
      const unknown = await t.me.post(path, { expected_generation: 1, input: { text: 'x' }, one: 1, two: 2 })
      expectFaultsAmong(unknown, ['/one', '/two', ''])
      const invalid = await t.me.post(path, { expected_generation: 'x', input: { text: 7, data: [] } })
      expectFaultsAmong(invalid, ['/expected_generation', '/input/text', '/input/data'])
    },
  },
  {
    id: 'errors/faults-of-headers-and-queries',
    title: 'a 400 for a header or a query parameter names it',
    rules: ['ERR-23'],
    run: async (t) => {
      const { conversation_id: id } = await t.conversation()
      const { main } = t.config.services
      for (const key of [null, 'a b', 'x'.repeat(129)]) {
        const headers = { 'idempotency-key': key }
        expectFaultAt(await t.me.createConversation({ endpoint_id: main }, { headers }), 'Idempotency-Key')
      }
      expectFaultAt(
        await t.me.get(`/conversations/${id}`, { headers: { 'x-service-subject': null } }),
        'X-Service-Subject',
      )
      for (const name of ['limit', 'before', 'generation']) expectFaultAt(await t.me.history(id, `${name}=x`), name)
      expectFaultAt(await t.me.listConversations(''), 'endpoint_id')
      expectFaultAt(await t.me.listConversations(`endpoint_id=${main}&limit=201`), 'limit')
      for (const [position, name] of [
        [{ after: 'x' }, 'after'],
        [{ lastEventId: 'x' }, 'Last-Event-ID'],
      ] as const)
        expectFaultAt(await refusedStream(t.me, `/conversations/${id}/events`, position), name)
    },
  },
]
