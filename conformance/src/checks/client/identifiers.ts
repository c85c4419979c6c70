import { json, stream } from '../../kit/client/answers.ts'
import type { ClientCheck, ClientContext } from '../../kit/client/client-context.ts'
import { expectEqual, expectMembers } from '../../kit/client/expect.ts'
import {
  admission,
  conversationRecord,
  EVENTS,
  eventEnvelope,
  frame,
  operationRecord,
  runRecord,
  snapshotRecord,
} from '../../kit/client/records.ts'

/** The path segment that comes after `before`, decoded once. */
const segment = (path: string, before: string): string | null => {
  const [, found] = new RegExp(`^/api/v1/${before}/([^/]+)(?:/|$)`).exec(path) ?? []
  return found === undefined ? null : decodeURIComponent(found)
}

/** Returns IDs in records, and requests these records: the IDs must come back unchanged. */
const carryIds = async ({ gateway, open }: ClientContext, ids: readonly string[]): Promise<void> => {
  const client = await open()
  for (const id of ids) {
    gateway.on('POST', '/api/v1/conversations', json(201, conversationRecord({ conversation_id: id })))
    gateway.on('GET', /^\/api\/v1\/conversations\/[^/]+$/, json(200, snapshotRecord({ conversation_id: id })))
    gateway.on(
      'POST',
      /^\/api\/v1\/conversations\/[^/]+\/messages$/,
      json(202, admission({ conversation_id: id, message_id: id, run_id: id })),
    )
    gateway.on('GET', /^\/api\/v1\/runs\/[^/]+$/, json(200, runRecord('succeeded', { run_id: id })))
    gateway.on('GET', /^\/api\/v1\/operations\/[^/]+$/, json(200, operationRecord('failed', { operation_id: id })))

    const created = await client.call('create_conversation', { endpoint_id: id })
    expectEqual('The conversation_id that the client returns', created.conversation_id, id)
    expectMembers('the snapshot', await client.call('read_conversation', { conversation_id: id }), {
      conversation_id: id,
    })
    const message = { conversation_id: id, expected_generation: 1, input: { text: 'Hello' } }
    expectMembers('the admission', await client.call('send_message', message), { message_id: id, run_id: id })
    expectMembers('the run', await client.call('read_run', { run_id: id }), { run_id: id })
    expectMembers('the operation', await client.call('read_operation', { operation_id: id }), { operation_id: id })

    const [create, snapshot, send, run, operation] = gateway.requests.slice(-5)
    expectEqual('The endpoint_id of the creation', create?.json().endpoint_id, id)
    expectEqual('The ID in the path of the snapshot', segment(snapshot?.path ?? '', 'conversations'), id)
    expectEqual('The ID in the path of the message', segment(send?.path ?? '', 'conversations'), id)
    expectEqual('The ID in the path of the run', segment(run?.path ?? '', 'runs'), id)
    expectEqual('The ID in the path of the operation', segment(operation?.path ?? '', 'operations'), id)
  }
}

const needs = ['create_conversation', 'read_conversation', 'send_message', 'read_run', 'read_operation'] as const

export const checks: readonly ClientCheck[] = [
  {
    id: 'identifiers/any-text',
    title: 'identifiers are sent back unchanged, whatever characters they contain',
    rules: ['GEN-05'],
    needs,
    run: (context) =>
      carryIds(context, [
        '7',
        '00042',
        '9007199254740993',
        '1e3',
        'MixedCase-aB',
        'true',
        'null',
        'a.b~c_d-e',
        'with space',
        'slash/question?hash#percent%2Fplus+amp&',
        'semi;comma,colon:at@eq=',
        'Größe-漢字-🚀',
        `long_${'x'.repeat(300)}`,
      ]),
  },
  {
    id: 'identifiers/any-prefix',
    title: 'identifiers are used with any prefix',
    rules: ['GEN-26'],
    needs,
    run: (context) =>
      carryIds(context, ['run_1', 'conv_1', 'op_1', 'msg_1', 'CONV_1', 'conv', '_', 'evt_1', 'new_kind_1']),
  },
  {
    id: 'identifiers/event-ids',
    title: 'a stream resumes by seq, not by event_id',
    rules: ['GEN-05'],
    needs: ['watch_conversation'],
    run: async ({ gateway, open }) => {
      const event = (seq: number, id: string) =>
        frame(eventEnvelope(seq, 'run.updated', { state: 'running' }, { event_id: id }))
      gateway.on('GET', EVENTS, stream([event(11, '99'), event(12, '5')], 'close'), stream([event(13, 'evt_13')]))
      const watch = (await open()).start('watch_conversation', { conversation_id: 'conv_1', after: 10 })
      await watch.until('The client must deliver three events', ({ length }) => length >= 3 || undefined)
      const [, second] = gateway.requests
      expectEqual('The resume position', second?.header('last-event-id') ?? second?.query.get('after'), '12')
    },
  },
]
