import { afterAll, beforeAll, expect, inject, it } from 'vitest'
import type { Db } from '../../src/store/db.ts'
import { createPgDb } from '../../src/store/drivers/pg.ts'
import { ended, script } from '../support/client.ts'
import { onPostgres } from '../support/databases/databases.ts'
import { createDatabase } from '../support/databases/postgres.ts'
import { wrapQueries } from '../support/databases/wrap-queries.ts'
import { startRunningGateway } from '../support/running-gateway.ts'

/** Tables that grow with use. No statement of a request may read one of them completely. */
const GROWING = new Set([
  ...['conversations', 'messages', 'runs', 'events', 'idempotency', 'operations', 'approvals'],
  ...['resources', 'resource_chunks', 'resource_uploads', 'resource_uses', 'deliveries', 'delivery_attempts'],
])

/** Background statements that read whole indexes, which contain only unfinished rows. */
const ALLOWED_SCANS: Readonly<Record<string, readonly string[]>> = {
  due_conversations: ['runs by runs_queued'],
  read_statistics: ['runs by runs_queued', 'deliveries by deliveries_expiring', 'deliveries by deliveries_sending'],
}

/** Statements on tenant tables without `app_id`, because a device serves several applications. */
const OF_ALL_APPLICATIONS = ['beat_devices']

interface Plan {
  readonly 'Node Type': string
  readonly 'Relation Name'?: string
  readonly 'Index Name'?: string
  readonly 'Index Cond'?: string
  readonly Plans?: readonly Plan[]
}

const OF_EACH_ADMISSION = ['lock_free_conversations', 'count_pending_runs', 'read_starts', 'find_idempotency_records']
const CAN_BE_EXPLAINED = /^\s*(select|with|insert|update|delete)\b/i
const TENANT_TABLES = new RegExp(`\\b(from|into|update|join)\\s+(${[...GROWING].join('|')})\\b`)
const IS_SCAN = /^(Seq|Index|Index Only) Scan$/

/** The scans of a plan that read every row of a growing table. */
const wholeScansOf = (plan: Plan): string[] => {
  const { 'Relation Name': table = '', 'Index Name': index } = plan
  const isWhole = IS_SCAN.test(plan['Node Type']) && GROWING.has(table) && plan['Index Cond'] === undefined
  return [
    ...(isWhole ? [`${table}${index === undefined ? '' : ` by ${index}`}`] : []),
    ...(plan.Plans ?? []).flatMap(wholeScansOf),
  ]
}

/** A Db that records the text of each statement by its name. */
const recording = (db: Db, texts: Map<string, string>): Db =>
  wrapQueries(db, (of) => (statement, params) => {
    texts.set(statement.name, statement.text)
    return of.query(statement, params)
  })

onPostgres('the statements of the store', (database) => {
  const texts = new Map<string, string>()
  let empty: { readonly db: Db; drop(): Promise<void> } | undefined

  beforeAll(async () => {
    const running = await startRunningGateway({ db: recording(database.db, texts) })
    const client = running.client()
    const conversation = await client.createConversation({ endpoint_id: 'ep_script', conversation_key: 'order-1' })
    const id = conversation.body.conversation_id
    const stream = await client.events(id, { after: (await client.snapshot(id)).body.watermark })
    const sent = await client.send(id, script({ delta: 'Hello ' }, { delta: 'world' }))
    await stream.until((seen) => seen.some(({ type }) => type === 'run.completed'))
    stream.close()
    await client.run(sent.body.run_id)
    await client.history(id)
    const hanging = await client.send(id, script({ hang: true }))
    // A run that is queued behind another one is claimed when that one has ended.
    const waiting = await client.send(id, script({ delta: 'next' }))
    await client.cancel(hanging.body.run_id)
    await ended(client, hanging.body.run_id)
    await ended(client, waiting.body.run_id)
    await client.reset(id, 1)
    await client.request('GET', '/api/v1/conversations?endpoint_id=ep_script')
    await running.passTime(1000)
    await running.stop()

    const { postgresUrl, template } = inject('databases')
    const created = await createDatabase(postgresUrl, template)
    const db = createPgDb({ url: created.url })
    empty = { db, drop: () => db.close().then(() => created.drop()) }
  })
  afterAll(() => empty?.drop())

  /** The complete scans in the plans of these statements, by the name of the statement. */
  const wholeScans = async (names: Iterable<string>): Promise<Record<string, string[]>> => {
    const found: Record<string, string[]> = {}
    for (const name of names) {
      const text = `explain (generic_plan, format json) ${texts.get(name) ?? ''}`
      const rows = await empty?.db.query<{ 'QUERY PLAN': readonly { readonly Plan: Plan }[] }>(
        { name: '', access: 'write', text },
        [],
      )
      const scans = (rows?.[0]?.['QUERY PLAN'] ?? []).flatMap(({ Plan: plan }) => wholeScansOf(plan))
      if (scans.length > 0) found[name] = scans
    }
    return found
  }

  it('find rows by an index, in the plans of a new database', async () => {
    const names = [...texts].filter(([, text]) => CAN_BE_EXPLAINED.test(text)).map(([name]) => name)
    expect(names).toEqual(expect.arrayContaining(['claim_runs', 'list_conversations', ...OF_EACH_ADMISSION]))
    expect(await wholeScans(names)).toEqual(ALLOWED_SCANS)
  })

  it('find the rows of an admission by an index, even if the planner assumes empty tables', async () => {
    await empty?.db.exec('analyze')
    expect(await wholeScans(OF_EACH_ADMISSION)).toEqual({})
  })

  it('use app_id wherever they use a tenant table', () => {
    const others = [...texts].filter(([, text]) => TENANT_TABLES.test(text) && !/\bapp_id\b/.test(text))
    expect(others.map(([name]) => name)).toEqual(OF_ALL_APPLICATIONS)
  })
})
