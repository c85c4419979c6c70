import { expect, test } from 'vitest'
import { eraseSubject, getErasure } from '../../src/gateway/admin/erasures.ts'
import { advanceErasures } from '../../src/gateway/erase.ts'
import { appendToReply, reportOutcome } from '../../src/gateway/execution.ts'
import { deleteResource, putResourceContent } from '../../src/gateway/resources.ts'
import { removeDiscardedContent } from '../../src/gateway/retention.ts'
import { createRunAttachment } from '../../src/gateway/run-attachments.ts'
import { sendMessage } from '../../src/gateway/send-message.ts'
import { DatabaseUnavailable, type Db, type Statement } from '../../src/store/db.ts'
import { appendChunk, removeDiscardedPiece } from '../../src/store/uploads.ts'
import { answerOf, codeOf } from '../admin/support.ts'
import { eachDatabase } from '../support/databases/databases.ts'
import { beat, intention, takeRun } from '../support/gateway-fixture.ts'
import {
  abortUpload,
  attach,
  attachLarge,
  CHUNKS,
  type Fixture,
  largeContent,
  NEVER,
  readAll,
  SIZE,
  setUp,
  uploadAll,
  WHOLE,
} from './attachment-fixture.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

const CHUNKS_LEFT: Statement = {
  name: 'test_chunks_left',
  access: 'read',
  text: 'select count(*)::integer as chunks from resource_chunks',
}

const startRun = async ({ context, tenant, conversationId, service, clock }: Fixture, resourceIds: string[]) => {
  await beat(context.db, service.deviceId, clock.now())
  const body = { expected_generation: 1, input: { resource_ids: resourceIds } }
  answerOf(await sendMessage(context, tenant, intention(), { app: { pendingLimit: null }, conversationId, body }))
  return takeRun(context, service)
}

eachDatabase('the retention of attachments', (database) => {
  test('an attachment that never gets its content is removed after a day', async () => {
    const fixture = await setUp(database)
    const id = await fixture.declare()
    fixture.clock.pass(DAY_MS - 1)
    await fixture.sweep()
    expect(await fixture.exists(id)).toBe(true)
    fixture.clock.pass(2)
    await fixture.sweep()
    expect(await fixture.exists(id)).toBe(false)
  })

  test('content is kept for 30 days, and for 30 days after the last run that uses it has ended', async () => {
    const fixture = await setUp(database)
    const [unused, used] = [await attach(fixture), await attach(fixture)]
    fixture.clock.pass(29 * DAY_MS)
    const run = await startRun(fixture, [used])
    const produced = `res_of_${run.runId}`
    const file = { resourceId: produced, filename: 'b', contentType: 'text/plain', content: Buffer.from('made') }
    await createRunAttachment(fixture.context, run, file)
    // A write is repeated if its answer was lost.
    await createRunAttachment(fixture.context, run, file)
    fixture.clock.pass(DAY_MS + 1)
    await fixture.sweep()
    expect([await fixture.exists(unused), await fixture.exists(used)]).toEqual([false, true])
    fixture.clock.pass(40 * DAY_MS)
    await fixture.sweep()
    expect([await fixture.exists(used), await fixture.exists(produced)]).toEqual([true, true])
    await appendToReply(fixture.context, { ...run, messageId: 'msg_1' }, [{ place: 0, index: 0, text: 'x' }])
    await reportOutcome(fixture.context, run, { state: 'succeeded', resourceIds: [produced] })
    fixture.clock.pass(30 * DAY_MS)
    await fixture.sweep()
    expect([await fixture.exists(used), await fixture.exists(produced)]).toEqual([true, true])
    fixture.clock.pass(1)
    await fixture.sweep()
    expect([await fixture.exists(used), await fixture.exists(produced)]).toEqual([false, false])
    expect(await fixture.left()).toEqual({ resources: 0, chunks: 0, uploads: 0, uses: 0 })
  })
})

eachDatabase('discarded content', (database) => {
  test.each<[string, (fixture: Fixture) => Promise<unknown>]>([
    ['of an upload that is aborted', abortUpload],
    [
      'of an upload that is too short',
      async ({ declare, context, tenant }) => {
        const id = await declare(SIZE + 1)
        expect(codeOf(await putResourceContent(context, tenant, id, largeContent()))).toBe('INVALID_REQUEST')
      },
    ],
    [
      'of an upload that was lost an hour ago',
      async (fixture) => {
        await uploadAll(fixture)
        fixture.clock.pass(HOUR_MS + 1)
      },
    ],
    [
      'of an attachment that is deleted',
      async (fixture) => deleteResource(fixture.context, fixture.tenant, await attachLarge(fixture)),
    ],
    [
      'of an attachment past its retention time',
      async (fixture) => {
        await attachLarge(fixture)
        fixture.clock.pass(30 * DAY_MS + 1)
      },
    ],
    [
      'of an attachment that is erased',
      async (fixture) => {
        await attachLarge(fixture)
        await eraseSubject(fixture.context, fixture.tenant.appId, fixture.tenant.subject)
        await advanceErasures(fixture.context, NEVER)
      },
    ],
  ])('content %s is removed in pieces, each by one statement', async (_, discard) => {
    const removed: number[] = []
    let before = 0
    const count = async <T>(result: Promise<T>): Promise<T> => {
      await result.catch(() => {})
      const { chunks = 0 } = (await database.db.query<{ chunks: number }>(CHUNKS_LEFT, []))[0] ?? {}
      removed.push(before - chunks)
      before = chunks
      return result
    }
    const fixture = await setUp({
      db: {
        ...database.db,
        query: (statement, params) => count(database.db.query(statement, params)),
        transaction: (work, options) => count(database.db.transaction(work, options)),
      },
    })
    await discard(fixture)
    expect(before).toBe(CHUNKS)
    await fixture.sweep()
    expect(await fixture.left()).toMatchObject({ chunks: 0, uploads: 0 })
    expect(Math.max(...removed)).toBeLessThan(CHUNKS / 2)
  })

  test('the next process removes content whose removal a dead process began', async () => {
    const fixture = await setUp(database)
    const kept = await attachLarge(fixture)
    await abortUpload(fixture)
    await removeDiscardedPiece(database.db)
    const { chunks } = (await fixture.left()) ?? {}
    expect(chunks).toBeGreaterThan(CHUNKS)
    expect(chunks).toBeLessThan(2 * CHUNKS)
    await fixture.sweep()
    expect(await fixture.left()).toMatchObject({ chunks: CHUNKS, uploads: 0 })
    expect(await readAll(fixture, kept)).toEqual(WHOLE)
  })

  test('discarded content cannot become the content of an attachment or get further chunks', async () => {
    const fixture = await setUp(database)
    const { id, upload, ready, discard } = await uploadAll(fixture)
    await discard(database.db)
    expect(await ready(database.db)).toBe(null)
    await expect(appendChunk(database.db, upload, CHUNKS, Buffer.from('late'))).rejects.toThrow('discarded')
    await fixture.sweep()
    expect(await fixture.left()).toMatchObject({ chunks: 0, uploads: 0 })
    expect([await fixture.exists(id), await readAll(fixture, id)]).toEqual([true, null])
  })

  test('the content of an attachment is not discarded if the answer to its completion was lost', async () => {
    const fixture = await setUp(database)
    const losing: Db = {
      ...database.db,
      query: async (statement, params) => {
        const answer = await database.db.query<never>(statement, params)
        if (statement.name === 'make_resource_ready') throw new DatabaseUnavailable('lost', { outcome: 'unknown' })
        return answer
      },
    }
    const id = await fixture.declare(SIZE)
    const put = putResourceContent({ ...fixture.context, db: losing }, fixture.tenant, id, largeContent())
    await expect(put).rejects.toThrow('lost')
    fixture.clock.pass(HOUR_MS + 1)
    await fixture.sweep()
    expect(await readAll(fixture, id)).toEqual(WHOLE)
    expect(await fixture.left()).toMatchObject({ chunks: CHUNKS, uploads: 0 })
  })

  test('an upload becomes either discarded content or the whole content of an attachment, in either order', async () => {
    const fixture = await setUp(database)
    let kept = 0
    for (let round = 0; round < 12; round += 1) {
      const { id, ready, discard } = await uploadAll(fixture)
      const both: [() => Promise<unknown>, () => Promise<unknown>] = [
        () => ready(database.db),
        () => discard(database.db).then(() => removeDiscardedPiece(database.db)),
      ]
      if (round % 2 === 0) both.reverse()
      await Promise.all(both.map((start) => start()))
      await fixture.sweep()
      const content = await readAll(fixture, id)
      if (content !== null) {
        expect(content).toEqual(WHOLE)
        kept += 1
      }
      expect(await fixture.left()).toMatchObject({ chunks: kept * CHUNKS, uploads: 0 })
    }
  })

  test('an erasure is complete only when the discarded content of its application is removed [ERASE-01]', async () => {
    const fixture = await setUp(database)
    await attachLarge(fixture)
    const { appId, subject } = fixture.tenant
    const { erasure_id: id } = answerOf(await eraseSubject(fixture.context, appId, subject))
    const stateOf = async () => answerOf(await getErasure(fixture.context, id)).state
    await advanceErasures(fixture.context, NEVER)
    await removeDiscardedPiece(database.db)
    await advanceErasures(fixture.context, NEVER)
    expect(await stateOf()).toBe('pending')
    await removeDiscardedContent(fixture.context)
    await advanceErasures(fixture.context, NEVER)
    expect(await stateOf()).toBe('succeeded')
  })
})
