import { afterAll, beforeAll, expect, it } from 'vitest'
import { readRunContext } from '../../src/gateway/run-context.ts'
import type { Db, Param, Queryable, Statement } from '../../src/store/db.ts'
import { createPgDb } from '../../src/store/drivers/pg.ts'
import type { Client } from '../support/client.ts'
import { ended, script } from '../support/client.ts'
import { onPostgres } from '../support/databases/databases.ts'
import { wrapQueries } from '../support/databases/wrap-queries.ts'
import type { RunningGateway } from '../support/running-gateway.ts'
import { startRunningGateway } from '../support/running-gateway.ts'

const COPIES = 2000
/** Pages of the contract have at most 200 rows. */
const MAX_ROWS_READ = 1000

/** Appends copies of the conversation's runs, each with its messages and events. */
const lengthen = (conversationId: string): string => `
insert into runs select (json_populate_record(r, json_build_object('run_id', run_id || n, 'position', position + 10 * n))).*
from runs r, generate_series(1, ${COPIES}) n where conversation_id = '${conversationId}';
insert into messages select (json_populate_record(m, json_build_object('run_id', run_id || n, 'message_id', message_id || n,
  'cursor', cursor + 10 * n))).* from messages m, generate_series(1, ${COPIES}) n where conversation_id = '${conversationId}';
insert into events select (json_populate_record(e, json_build_object('run_id', run_id || n, 'event_id', event_id || n,
  'seq', seq + 100 * n))).* from events e, generate_series(1, ${COPIES}) n where conversation_id = '${conversationId}';
insert into operations select (json_populate_record(o, json_build_object('operation_id', operation_id || n))).*
from operations o, generate_series(1, ${COPIES}) n where conversation_id = '${conversationId}';
update conversations set last_cursor = last_cursor + 10 * ${COPIES}, last_seq = last_seq + 100 * ${COPIES}
where conversation_id = '${conversationId}';`

interface Plan {
  readonly 'Relation Name'?: string
  readonly 'Actual Rows': number
  readonly 'Actual Loops': number
  readonly 'Rows Removed by Filter'?: number
  readonly 'Rows Removed by Join Filter'?: number
  readonly Plans?: readonly Plan[]
}

/** The number of table rows that a plan read, and of row pairs that a join compared. */
const rowsOf = (plan: Plan): number => {
  const { 'Actual Rows': kept, 'Rows Removed by Filter': removed = 0, 'Rows Removed by Join Filter': apart = 0 } = plan
  const own = (plan['Relation Name'] === undefined ? apart : kept + removed + apart) * plan['Actual Loops']
  return (plan.Plans ?? []).reduce((sum, part) => sum + rowsOf(part), own)
}

const ONLY_READS = /^\s*(select|with)\b(?![\s\S]*\b(insert into|update|delete from|for update|for share)\b)/i

const literal = (value: Param): string => {
  if (value === null) return 'null'
  if (value instanceof Uint8Array) return `'\\x${Buffer.from(value).toString('hex')}'`
  if (typeof value === 'object') return `'${value.toISOString()}'`
  return typeof value === 'string' ? `'${value.replaceAll("'", "''")}'` : String(value)
}

/**
 * A Db with one session that explains each read-only statement, with the plan that was prepared at its first execution.
 */
const explaining = (db: Db, onRead: (name: string, rows: number) => void): Db => {
  const prepared = new Set<string>()
  const explain = async (of: Queryable, { name, text }: Statement, params: readonly Param[]): Promise<void> => {
    const explained = `explained_${name}`
    if (!prepared.has(name)) await of.query({ name: '', access: 'write', text: `prepare ${explained} as ${text}` }, [])
    prepared.add(name)
    const values = params.length === 0 ? '' : `(${params.map(literal)})`
    const [row] = await of.query<{ 'QUERY PLAN': readonly { readonly Plan: Plan }[] }>(
      { name: '', access: 'write', text: `explain (analyze, format json) execute ${explained}${values}` },
      [],
    )
    onRead(name, row?.['QUERY PLAN'].reduce((sum, { Plan: plan }) => sum + rowsOf(plan), 0) ?? 0)
  }
  return wrapQueries(db, (of) => async (statement, params) => {
    if (ONLY_READS.test(statement.text)) await explain(of, statement, params)
    return of.query(statement, params)
  })
}

onPostgres('a conversation that grows to thousands of runs', (database) => {
  const most = new Map<string, number>()
  let db: Db | undefined
  let running: (RunningGateway & { stop(): Promise<void> }) | undefined
  let client: Client
  let conversationId = ''
  let runId = ''

  /** Sends the usual requests of an application in a conversation. */
  const sendRequests = async (): Promise<void> => {
    await client.snapshot(conversationId)
    await client.history(conversationId)
    runId = (await client.send(conversationId, script({ delta: 'Hello ' }, { delta: 'world' }))).body.run_id
    const stream = await client.runEvents(runId)
    await stream.until((seen) => seen.some(({ type }) => type === 'run.completed'))
    stream.close()
    await client.run(runId)
    const hanging = (await client.send(conversationId, script({ hang: true }))).body.run_id
    const { operation_id: operationId } = (await client.cancel(hanging)).body
    await ended(client, hanging)
    await client.operation(operationId)
  }

  const readContext = (id = conversationId) =>
    readRunContext(running?.gateway.context ?? expect.fail('not running'), {
      appId: 'app_test',
      conversationId: id,
      generation: 1,
      position: Number.MAX_SAFE_INTEGER,
      endpointId: 'ep_script',
      bindingVersion: 1,
    })

  beforeAll(async () => {
    db = createPgDb({ url: database.url, poolSize: 1 })
    running = await startRunningGateway({
      db: explaining(db, (name, rows) => most.set(name, Math.max(rows, most.get(name) ?? 0))),
    })
    client = running.client()
    conversationId = (await client.createConversation({ endpoint_id: 'ep_script' })).body.conversation_id
    await sendRequests()
    await readContext()
    await database.db.exec(lengthen(conversationId))
    most.clear()
  })
  afterAll(async () => {
    await running?.stop()
    await db?.close()
  })

  const readMany = (): Record<string, number> =>
    Object.fromEntries([...most].filter(([, rows]) => rows > MAX_ROWS_READ))

  it('is read by page: no request reads all of its runs, messages or events', async () => {
    await sendRequests()
    await client.reset(conversationId, 1)
    expect([...most.keys()]).toEqual(expect.arrayContaining(['read_snapshot', 'read_history', 'read_events']))
    expect(readMany()).toEqual({})
  })

  it('gives an assistant its newest messages and reads few others', async () => {
    expect(await readContext()).toHaveLength(100)
    expect(most.get('read_generation_context')).toBeGreaterThan(100)
    expect(readMany()).toEqual({})
  })

  it('gives an assistant no answer without its question, even if the answer came after later questions', async () => {
    const { conversation_id: id } = (await client.createConversation({ endpoint_id: 'ep_script' })).body
    await ended(client, (await client.send(id, script({ delta: 'late' }))).body.run_id)
    await database.db.exec(`
      insert into runs select (json_populate_record(r, json_build_object('run_id', run_id || n, 'position', position + 10 * n))).*
      from runs r, generate_series(1, 100) n where conversation_id = '${id}';
      insert into messages select (json_populate_record(m, json_build_object('run_id', run_id || n, 'message_id', message_id || n,
        'cursor', cursor + 10 * n))).* from messages m, generate_series(1, 100) n where conversation_id = '${id}' and role = 'user';
      update messages set cursor = 505 where conversation_id = '${id}' and role = 'assistant';`)
    expect((await readContext(id)).map(({ role }) => role)).toEqual(Array.from({ length: 100 }, () => 'user'))
  })
})
