import { beforeAll, expect, test } from 'vitest'
import { appendToReply, reportOutcome } from '../../src/gateway/execution.ts'
import { sendMessage } from '../../src/gateway/send-message.ts'
import type { Statement } from '../../src/store/db.ts'
import { readEvents } from '../../src/store/history/events.ts'
import { readHistory } from '../../src/store/history/history.ts'
import { readSnapshot } from '../../src/store/history/snapshot.ts'
import { eachDatabase } from '../support/databases/databases.ts'
import {
  createTestClock,
  intention,
  newConversationId,
  newService,
  takeRun,
  testContext,
} from '../support/gateway-fixture.ts'
import { jsonText } from '../support/json.ts'

const SIZES: Statement = {
  name: 'test_sizes',
  access: 'read',
  text: `
select 'data' as of, octet_length(data::text) as actual, data_bytes as known from messages
  where app_id = $1 and conversation_id = $2 and data is not null
union all select type, octet_length(payload::text), payload_bytes from events where app_id = $1 and conversation_id = $2
union all select 'result', octet_length(result::text), result_bytes from runs where app_id = $1 and conversation_id = $2`,
}
const larger = (table: string, column: string): Statement => ({
  name: `test_larger_${column}`,
  access: 'write',
  text: `update ${table} set ${column} = $2 where app_id = $1 and ${column} is not null`,
})
const MIB = 1024 * 1024

eachDatabase('the size of a stored value', (database) => {
  let appId = ''
  let conversationId = ''
  const tenant = () => ({ appId, subject: 'subject' })

  beforeAll(async () => {
    const clock = createTestClock()
    const context = testContext(database.db, clock)
    const service = await newService(database.db, clock.now())
    appId = service.appId
    conversationId = await newConversationId(context, tenant(), service.endpointId)
    const converse = async (note: string, answer: string) => {
      const body = { expected_generation: 1, input: { data: jsonText({ note }) } }
      const sent = await sendMessage(context, tenant(), intention(note), {
        app: { pendingLimit: null },
        conversationId,
        body,
      })
      expect(sent).toMatchObject({ kind: 'admitted' })
      const run = await takeRun(context, service)
      await appendToReply(context, { ...run, messageId: `msg_${run.runId}` }, [{ place: 0, index: 0, text: answer }])
      expect(await reportOutcome(context, run, { state: 'succeeded' })).toBe(true)
    }
    await converse('short', 'short')
    await converse('ü'.repeat(5000), 'ß'.repeat(6000))
  })

  test('is stored beside the value if the value is long', async () => {
    const sizes = await database.db.query<{ of: string; actual: number; known: number | null }>(SIZES, [
      appId,
      conversationId,
    ])
    for (const { of, actual, known } of sizes) expect([of, known]).toEqual([of, actual > 2000 ? actual : null])
    const long = sizes.flatMap(({ of, known }) => (known === null ? [] : of))
    expect(long.toSorted()).toEqual(['assistant.delta', 'assistant.message', 'data', 'result', 'run.completed'])
  })

  test('is used to limit reads, so that the values themselves are not read', async () => {
    const limits = { messages: 100, runs: 100, bodyBytes: MIB }
    const read = async () => {
      const snapshot = await readSnapshot(database.db, tenant(), conversationId, limits)
      const page = { generation: null, before: null, limit: 100, bodyBytes: MIB }
      const history = await readHistory(database.db, tenant(), conversationId, page)
      const log = { appId, conversationId, runId: null }
      const events = await readEvents(database.db, log, 0, { events: 100, payloadBytes: MIB })
      return {
        messages: snapshot?.messages.length,
        results: snapshot?.runs.filter(({ result }) => result !== null).length,
        history: history?.length,
        lastEvent: events.at(-1)?.type,
      }
    }
    const claimSize = (table: string, column: string) => database.db.query(larger(table, column), [appId, 2 * MIB])
    const whole = { messages: 4, results: 2, history: 4, lastEvent: 'run.completed' }
    expect(await read()).toEqual(whole)
    await claimSize('runs', 'result_bytes')
    expect(await read()).toEqual({ ...whole, results: 0 })
    await claimSize('messages', 'data_bytes')
    expect(await read()).toEqual({ ...whole, results: 0, messages: 1, history: 2 })
    await claimSize('events', 'payload_bytes')
    expect(await read()).toEqual({ messages: 1, results: 0, history: 2, lastEvent: 'assistant.delta' })
  })
})
