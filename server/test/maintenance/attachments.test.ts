import { setImmediate } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { appendDeltas, reportOutcome } from '../../src/gateway/execution.ts'
import { createResource, deleteResource, putResourceContent, readResource } from '../../src/gateway/resources.ts'
import { createSweeps } from '../../src/gateway/retention.ts'
import { createRunAttachment } from '../../src/gateway/run-attachments.ts'
import { sendMessage } from '../../src/gateway/send-message.ts'
import { appendChunk, beginUpload } from '../../src/store/uploads.ts'
import { answerOf, codeOf } from '../admin/support.ts'
import { eachDatabase, onPostgres, type TestDatabase } from '../support/databases/databases.ts'
import {
  beat,
  createTestClock,
  intention,
  newConversationId,
  newService,
  takeWork,
  testContext,
} from '../support/gateway-fixture.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

const ACCEPT_ALL = {
  name: 'test_accept_all',
  text: `update endpoint_versions set accepts = '["*/*"]' where app_id = $1`,
}
const LEFT = {
  name: 'test_attachment_rows',
  text: `select (select count(*) from resources where app_id = $1)::integer as resources,
    (select count(*) from resource_chunks where app_id = $1)::integer as chunks,
    (select count(*) from resource_uploads where app_id = $1)::integer as uploads,
    (select count(*) from resource_uses where app_id = $1)::integer as uses`,
}

async function* contentOf(text: string) {
  yield Buffer.from(text)
}

const setUp = async (database: TestDatabase) => {
  const clock = createTestClock()
  const context = testContext(database.db, clock)
  const service = await newService(database.db, clock.now())
  await database.db.query(ACCEPT_ALL, [service.appId])
  const tenant = { appId: service.appId, subject: 'subject' }
  const conversationId = await newConversationId(context, tenant, service.endpointId)
  const sweeps = createSweeps(context)
  return {
    clock,
    context,
    service,
    tenant,
    conversationId,
    sweep: async () => {
      for (const sweep of sweeps) await sweep.run(new AbortController().signal)
    },
    left: async () => (await database.db.query(LEFT, [service.appId]))[0],
    declare: async () => {
      const body = { filename: 'a', content_type: 'text/plain', size: 5 }
      return answerOf(await createResource(context, tenant, intention(), body)).resource_id
    },
    exists: async (id: string) => (await readResource(context, tenant, id)).kind === 'found',
  }
}
type Fixture = Awaited<ReturnType<typeof setUp>>

const attach = async (fixture: Fixture): Promise<string> => {
  const id = await fixture.declare()
  answerOf(await putResourceContent(fixture.context, fixture.tenant, id, contentOf('hello')))
  return id
}

const startRun = async ({ context, tenant, conversationId, service, clock }: Fixture, resourceIds: string[]) => {
  await beat(context.db, service.deviceId, clock.now())
  const body = { expected_generation: 1, input: { resource_ids: resourceIds } }
  const sent = await sendMessage(context, tenant, intention(), { app: { pendingLimit: null }, conversationId, body })
  const [run] = await takeWork(context, { deviceId: service.deviceId, workerId: 'worker', limit: 1 })
  if (run === undefined) throw new Error(`no run: ${JSON.stringify(sent)}`)
  return run
}

eachDatabase('attachments in time', (database) => {
  test('one that never gets its content is removed after a day', async () => {
    const fixture = await setUp(database)
    const id = await fixture.declare()
    fixture.clock.pass(DAY_MS - 1)
    await fixture.sweep()
    expect(await fixture.exists(id)).toBe(true)
    fixture.clock.pass(2)
    await fixture.sweep()
    expect(await fixture.exists(id)).toBe(false)
  })

  test('content stays 30 days, and after its last run has ended 30 days more', async () => {
    const fixture = await setUp(database)
    const [unused, used] = [await attach(fixture), await attach(fixture)]
    fixture.clock.pass(29 * DAY_MS)
    const run = await startRun(fixture, [used])
    const produced = `res_of_${run.runId}`
    const file = { resourceId: produced, filename: 'b', contentType: 'text/plain', content: Buffer.from('made') }
    await createRunAttachment(fixture.context, run, file)
    // A write whose answer got lost is repeated.
    await createRunAttachment(fixture.context, run, file)
    fixture.clock.pass(DAY_MS + 1)
    await fixture.sweep()
    expect([await fixture.exists(unused), await fixture.exists(used)]).toEqual([false, true])
    fixture.clock.pass(40 * DAY_MS)
    await fixture.sweep()
    expect([await fixture.exists(used), await fixture.exists(produced)]).toEqual([true, true])
    await appendDeltas(fixture.context, { ...run, messageId: 'msg_1' }, [{ index: 0, text: 'x' }])
    await reportOutcome(fixture.context, run, { state: 'succeeded', resourceIds: [produced] })
    fixture.clock.pass(30 * DAY_MS)
    await fixture.sweep()
    expect([await fixture.exists(used), await fixture.exists(produced)]).toEqual([true, true])
    fixture.clock.pass(1)
    await fixture.sweep()
    expect([await fixture.exists(used), await fixture.exists(produced)]).toEqual([false, false])
    expect(await fixture.left()).toEqual({ resources: 0, chunks: 0, uploads: 0, uses: 0 })
  })

  test('what an upload of a dead process left behind is removed after an hour', async () => {
    const fixture = await setUp(database)
    const upload = { appId: fixture.tenant.appId, uploadId: 'lost' }
    await beginUpload(database.db, upload, fixture.clock.now())
    await appendChunk(database.db, upload, 0, Buffer.from('piece'))
    const kept = await attach(fixture)
    fixture.clock.pass(HOUR_MS + 1)
    await fixture.sweep()
    expect(await fixture.exists(kept)).toBe(true)
    expect(await fixture.left()).toEqual({ resources: 1, chunks: 1, uploads: 0, uses: 0 })
  })
})

onPostgres('an attachment deleted while it is sent', (database) => {
  test('is either in use and stays, or is gone and refused: never used and gone [RES-16]', async () => {
    const fixture = await setUp(database)
    const other = testContext(database.openAnother(), fixture.clock)
    const { tenant, conversationId } = fixture
    const seen = { used: 0, gone: 0 }
    for (let round = 0; round < 40; round += 1) {
      const id = await attach(fixture)
      const body = { expected_generation: 1, input: { resource_ids: [id] } }
      const send = () => sendMessage(other, tenant, intention(), { app: { pendingLimit: null }, conversationId, body })
      const remove = () => deleteResource(fixture.context, tenant, id)
      const [first, second] = round % 2 === 0 ? [send, remove] : [remove, send]
      const begun = first()
      // From none to one that the first is surely over with: between them lie all the ways to meet.
      if (round >= 38) await begun
      else for (let turn = 0; turn < round; turn += 1) await setImmediate()
      const outcomes = await Promise.all([begun, second()])
      const [sent, removed] = round % 2 === 0 ? outcomes : outcomes.toReversed()
      if (sent?.kind === 'admitted') {
        seen.used += 1
        expect(removed && codeOf(removed)).toBe('BUSY')
        const [run] = await takeWork(fixture.context, {
          deviceId: fixture.service.deviceId,
          workerId: 'worker',
          limit: 1,
        })
        if (run !== undefined) await reportOutcome(fixture.context, run, { state: 'succeeded' })
      } else {
        seen.gone += 1
        expect(sent && codeOf(sent)).toBe('INVALID_REQUEST')
        expect(removed?.kind).toBe('found')
      }
    }
    expect(Math.min(seen.used, seen.gone)).toBeGreaterThan(0)
  })
})
