import { type Answer, json } from '../../kit/client/answers.ts'
import type { ClientCheck, ClientContext } from '../../kit/client/client-context.ts'
import type { JsonObject } from '../../kit/client/commands.ts'
import { expectEqual, expectThat } from '../../kit/client/expect.ts'
import { CONVERSATION, MESSAGES, messageRecord, RUN, runRecord, snapshotRecord } from '../../kit/client/records.ts'

/** The cursors of a history of 7 messages. They have gaps, and are neither message IDs nor event numbers. */
const CURSORS = [103, 110, 111, 240, 400, 1007, 90071]
const history = CURSORS.map((cursor) => messageRecord(cursor, `Text ${cursor}`, { message_id: `msg_${cursor * 3}` }))

/** Pages as the gateway returns them: the newest page first, each page from oldest to newest. */
const pageOf = (query: URLSearchParams, pageSize: number): Answer => {
  const before = Number(query.get('before') ?? Number.POSITIVE_INFINITY)
  return json(200, { messages: history.filter(({ cursor }) => Number(cursor) < before).slice(-pageSize) })
}

const readAll = async ({ gateway, open }: ClientContext, limit: number, pageSize: number) => {
  gateway.on('GET', CONVERSATION, json(200, snapshotRecord({ watermark: 500 })))
  gateway.on('GET', MESSAGES, ({ query }) => pageOf(query, pageSize))
  const client = await open()
  await client.call('read_conversation', { conversation_id: 'conv_1' }).catch(() => {})
  const { messages } = await client.call('read_history', { conversation_id: 'conv_1', limit })
  const found: readonly JsonObject[] = Array.isArray(messages) ? messages : []
  const oldestFirst = found.toSorted((one, other) => Number(one.cursor) - Number(other.cursor))
  expectEqual('The whole history', oldestFirst, history)
  return gateway.to('GET', MESSAGES).map(({ query }) => query.get('before'))
}

const snapshotRun = (id: string, changes: JsonObject) => ({
  run_id: id,
  generation: 1,
  state: 'succeeded',
  device_received: true,
  result: null,
  result_available: false,
  ...changes,
})

export const checks: readonly ClientCheck[] = [
  {
    id: 'history/before-is-the-minimum-cursor',
    title: 'each older page is requested with the minimum cursor of the previous page, until a page is empty',
    rules: ['HIST-08'],
    needs: ['read_history'],
    run: async (context) =>
      expectEqual('The values of before', await readAll(context, 3, 3), [null, '400', '110', '103']),
  },
  {
    id: 'history/short-pages',
    title: 'a page that is shorter than its limit is not treated as the last one',
    rules: ['HIST-08'],
    needs: ['read_history'],
    run: async (context) =>
      expectEqual('The values of before', await readAll(context, 100, 2), [null, '1007', '240', '110', '103']),
  },
  {
    id: 'history/unordered-ids',
    title: 'neither message IDs nor their order determine the next page',
    rules: ['HIST-08'],
    needs: ['read_history'],
    run: async ({ gateway, open }) => {
      const page = [
        messageRecord(8, 'older', { message_id: 'msg_z' }),
        messageRecord(20, 'newer', { message_id: 'msg_a' }),
      ]
      gateway.on('GET', MESSAGES, json(200, { messages: page }), json(200, { messages: [] }))
      await (await open()).call('read_history', { conversation_id: 'conv_1', limit: 2 })
      expectEqual(
        'The values of before',
        gateway.requests.map(({ query }) => query.get('before')),
        [null, '8'],
      )
    },
  },
  {
    id: 'history/watermark-is-no-cursor',
    title: 'the watermark of a snapshot is not used for the history',
    rules: ['SNAP-05'],
    needs: ['read_conversation', 'read_history'],
    run: async (context) => {
      const befores = await readAll(context, 4, 4)
      expectThat(context.gateway.to('GET', CONVERSATION).length > 0, 'The client must read the snapshot')
      expectEqual('The values of before', befores, [null, '240', '103'])
    },
  },
  {
    id: 'results/left-out-by-the-budget',
    title: 'an available result that the snapshot omits is read from the run',
    rules: ['SNAP-11'],
    needs: ['read_results'],
    run: async ({ gateway, open }) => {
      const small = { text: 'Small.', resource_ids: [] }
      const large = { text: 'Large. '.repeat(1_000), resource_ids: ['res_1'] }
      gateway.on(
        'GET',
        CONVERSATION,
        json(
          200,
          snapshotRecord({
            runs: [
              snapshotRun('run_large', { result_available: true }),
              snapshotRun('run_none', { state: 'expired' }),
              snapshotRun('run_small', { result: small, result_available: true }),
            ],
          }),
        ),
      )
      gateway.on(
        'GET',
        '/api/v1/runs/run_large',
        json(200, runRecord('succeeded', { run_id: 'run_large', result: large })),
      )
      const { results } = await (await open()).call('read_results', { conversation_id: 'conv_1' })
      expectEqual('The results', results, { run_large: large, run_small: small })
    },
  },
  {
    id: 'results/snapshot-says-what-is-left-out',
    title: 'the runs of a snapshot are returned with their `result_available` unchanged',
    rules: ['SNAP-11'],
    needs: ['read_conversation'],
    run: async ({ gateway, open }) => {
      const runs = [snapshotRun('run_1', { result_available: true }), snapshotRun('run_2', { state: 'failed' })]
      gateway.on('GET', CONVERSATION, json(200, snapshotRecord({ runs })))
      const snapshot = await (await open()).call('read_conversation', { conversation_id: 'conv_1' })
      expectEqual('The runs', snapshot.runs, runs)
    },
  },
  {
    id: 'results/not-from-messages',
    title: 'results come from runs, not from the text of the assistant’s messages',
    rules: ['SNAP-13'],
    needs: ['read_results'],
    run: async ({ gateway, open }) => {
      const partial = messageRecord(2, '', { role: 'assistant', content: { text: 'The unfinished', partial: true } })
      const runs = [snapshotRun('run_1', { result_available: true })]
      gateway.on(
        'GET',
        CONVERSATION,
        json(200, snapshotRecord({ messages: [messageRecord(1, 'Hello'), partial], runs })),
      )
      gateway.on('GET', RUN, json(200, runRecord('succeeded')))
      const { results } = await (await open()).call('read_results', { conversation_id: 'conv_1' })
      expectEqual('The results', results, { run_1: { text: 'The reply.', resource_ids: [] } })
    },
  },
]
