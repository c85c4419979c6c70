import { type Answer, json, stream } from './answers.ts'
import type { ClientContext, OpenedClient } from './client-context.ts'
import type { Command, Commands } from './commands.ts'
import {
  admission,
  conversationRecord,
  eventEnvelope,
  frame,
  operationRecord,
  runCompleted,
  runRecord,
  snapshotRecord,
} from './records.ts'
import type { WireRequest } from './wire-request.ts'

/** A command that sends one request, and the gateway's answer to it. */
export interface CallCase {
  readonly command: Command
  readonly method: 'GET' | 'POST'
  readonly path: string
  readonly answer: Answer
  /** Runs the command once, until its end or its first event. */
  readonly run: (client: OpenedClient) => Promise<unknown>
}

const callCase = <Name extends Command>(
  command: Name,
  args: Commands[Name],
  request: `${'GET' | 'POST'} /${string}`,
  answer: Answer,
): CallCase => ({
  command,
  ...parseRequest(request),
  answer,
  run: (client) => client.call(command, args),
})

const parseRequest = (request: string): Pick<CallCase, 'method' | 'path'> => {
  const [method, path = ''] = request.split(' ')
  return { method: method === 'POST' ? 'POST' : 'GET', path: `/api/v1${path}` }
}

const input = { text: 'Größe 1 and 漢字 🚀' }

/**
 * Commands that send one POST to the gateway, except `create_run`. Each needs a new idempotency key.
 */
export const WRITES: readonly CallCase[] = [
  callCase('create_conversation', { endpoint_id: 'ep_1' }, 'POST /conversations', json(201, conversationRecord())),
  callCase(
    'send_message',
    { conversation_id: 'conv_1', expected_generation: 1, input },
    'POST /conversations/conv_1/messages',
    json(202, admission()),
  ),
  callCase('cancel_run', { run_id: 'run_1' }, 'POST /runs/run_1/cancel', json(202, operationRecord('stopping'))),
  callCase(
    'reset_conversation',
    { conversation_id: 'conv_1', expected_generation: 1 },
    'POST /conversations/conv_1/reset',
    json(202, operationRecord('stopping')),
  ),
]

const DIRECT_RUN = callCase(
  'create_run',
  { endpoint_id: 'ep_1', input },
  'POST /agent-endpoints/ep_1/runs',
  json(202, admission()),
)

const READS: readonly CallCase[] = [
  callCase(
    'list_conversations',
    { endpoint_id: 'ep_1', limit: 10 },
    'GET /conversations',
    json(200, { conversations: [] }),
  ),
  callCase(
    'read_conversation',
    { conversation_id: 'conv_1' },
    'GET /conversations/conv_1',
    json(200, snapshotRecord()),
  ),
  callCase(
    'read_history',
    { conversation_id: 'conv_1', limit: 10 },
    'GET /conversations/conv_1/messages',
    json(200, { messages: [] }),
  ),
  callCase('read_run', { run_id: 'run_1' }, 'GET /runs/run_1', json(200, runRecord('running'))),
  callCase('read_operation', { operation_id: 'op_1' }, 'GET /operations/op_1', json(200, operationRecord('stopping'))),
]

/** Commands that read event streams. */
export const STREAMS: readonly CallCase[] = [
  {
    command: 'watch_conversation',
    ...parseRequest('GET /conversations/conv_1/events'),
    answer: stream([frame(eventEnvelope(11, 'run.started', { state: 'running' }))]),
    run: async (client) => {
      const watch = client.start('watch_conversation', { conversation_id: 'conv_1', after: 10 })
      await watch.until('The client must deliver the event', ([item]) => item)
      await watch.stop()
    },
  },
  {
    command: 'watch_run',
    ...parseRequest('GET /runs/run_1/events'),
    answer: stream([frame(runCompleted(11))]),
    run: (client) => client.start('watch_run', { run_id: 'run_1', after: 10 }).result,
  },
]

/** Commands whose request has a body. */
export const BODIES: readonly CallCase[] = [...WRITES, DIRECT_RUN]

export const ALL_CALLS: readonly CallCase[] = [...BODIES, ...READS, ...STREAMS]

/** Runs a command against a gateway that answers it, and returns its first request. */
export const runOnce = async ({ gateway, open }: ClientContext, each: CallCase): Promise<WireRequest> => {
  gateway.on(each.method, each.path, each.answer)
  await each.run(await open())
  return gateway.until(`The client must send ${each.method} ${each.path}`, () => gateway.to(each.method, each.path)[0])
}
