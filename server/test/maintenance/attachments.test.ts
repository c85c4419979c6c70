import { randomUUID } from 'node:crypto'
import { setImmediate } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { eraseSubject, getErasure } from '../../src/gateway/admin/erasures.ts'
import { CHUNK_BYTES, storeContent } from '../../src/gateway/attachment-content.ts'
import { advanceErasures } from '../../src/gateway/erase.ts'
import { appendToReply, reportOutcome } from '../../src/gateway/execution.ts'
import { createResource, deleteResource, putResourceContent, readResource } from '../../src/gateway/resources.ts'
import { createSweeps, removeDiscardedContent } from '../../src/gateway/retention.ts'
import { createRunAttachment, findRunAttachment, readRunAttachment } from '../../src/gateway/run-attachments.ts'
import { sendMessage } from '../../src/gateway/send-message.ts'
import { DatabaseUnavailable, type Db, type Queryable, type Statement } from '../../src/store/db.ts'
import { makeReady } from '../../src/store/resources.ts'
import { appendChunk, beginUpload, discardUpload, removeDiscardedPiece } from '../../src/store/uploads.ts'
import { answerOf, codeOf } from '../admin/support.ts'
import { eachDatabase, onPostgres, type TestDatabase } from '../support/databases/databases.ts'
import { beat, intention, newConversation, takeRun, takeWork, testContext } from '../support/gateway-fixture.ts'
import { untilHolds } from '../support/until-holds.ts'

const NEVER = new AbortController().signal
const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

const ACCEPT_ALL: Statement = {
  name: 'test_accept_all',
  access: 'write',
  text: `update endpoint_versions set accepts = '["*/*"]' where app_id = $1`,
}
const CHUNKS_LEFT: Statement = {
  name: 'test_chunks_left',
  access: 'read',
  text: 'select count(*)::integer as chunks from resource_chunks',
}
const LEFT: Statement = {
  name: 'test_attachment_rows',
  access: 'read',
  text: `select (select count(*) from resources where app_id = $1)::integer as resources,
    (select count(*) from resource_chunks where app_id = $1)::integer as chunks,
    (select count(*) from resource_uploads where app_id = $1)::integer as uploads,
    (select count(*) from resource_uses where app_id = $1)::integer as uses`,
}

async function* contentOf(text: string) {
  yield Buffer.from(text)
}

const setUp = async (database: TestDatabase) => {
  const fixture = await newConversation(database.db)
  const { context, service, tenant } = fixture
  await database.db.query(ACCEPT_ALL, [service.appId])
  const sweeps = createSweeps(context)
  return {
    ...fixture,
    sweep: async () => {
      for (const sweep of sweeps) await sweep.run(NEVER)
      await removeDiscardedContent(context)
    },
    left: async () => (await database.db.query(LEFT, [service.appId]))[0],
    declare: async (size = 5) => {
      const body = { filename: 'a', content_type: 'text/plain', size }
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

  test('chunks of an upload are removed an hour after its process died', async () => {
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

const CHUNKS = 5
const SIZE = CHUNKS * CHUNK_BYTES

/** Yields several chunks, then calls `end`. */
async function* largeContent(end: () => void = () => {}) {
  for (let n = 0; n < CHUNKS; n += 1) yield Buffer.alloc(CHUNK_BYTES, n)
  end()
}

const attachLarge = async ({ declare, context, tenant }: Fixture): Promise<string> => {
  const id = await declare(SIZE)
  answerOf(await putResourceContent(context, tenant, id, largeContent()))
  return id
}

const breakOff = async ({ declare, context, tenant }: Fixture): Promise<string> => {
  const id = await declare(SIZE)
  const content = largeContent(() => {
    throw new Error('aborted')
  })
  await expect(putResourceContent(context, tenant, id, content)).rejects.toThrow('aborted')
  return id
}

/** An attachment that waits for the content of an upload whose chunks have all arrived. */
const uploadAll = async ({ declare, context, tenant }: Fixture) => {
  const upload = { appId: tenant.appId, uploadId: randomUUID() }
  const id = await declare(SIZE)
  await beginUpload(context.db, upload, context.clock.now())
  const { sha256 } = await storeContent(context.db, upload, largeContent(), SIZE)
  const ready = (db: Queryable) => makeReady(db, tenant, id, upload.uploadId, sha256)
  const discard = (db: Queryable) => discardUpload(db, upload)
  return { id, upload, ready, discard }
}

/** Reads the whole content; returns null if the attachment has no content. */
const readAll = async ({ context, tenant }: Fixture, id: string): Promise<Uint8Array | null> => {
  const attachment = await findRunAttachment(context, tenant, id)
  return attachment === null ? null : readRunAttachment(context, tenant, attachment)
}

const WHOLE = Buffer.concat(Array.from({ length: CHUNKS }, (_, n) => Buffer.alloc(CHUNK_BYTES, n)))

eachDatabase('discarded content', (database) => {
  test.each<[string, (fixture: Fixture) => Promise<unknown>]>([
    ['of an upload that breaks off', breakOff],
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
    await breakOff(fixture)
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
    const outcomes = { ready: 0, discarded: 0 }
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
      if (content !== null) expect(content).toEqual(WHOLE)
      outcomes[content === null ? 'discarded' : 'ready'] += 1
      expect(await fixture.left()).toMatchObject({ chunks: outcomes.ready * CHUNKS, uploads: 0 })
    }
    expect(outcomes.ready + outcomes.discarded).toBe(12)
  })

  test('discarded content of a service is removed before one of its erasures is complete [ERASE-01]', async () => {
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

const WAITING: Statement = {
  name: 'test_waiting',
  access: 'write',
  text: `select count(*) as n from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`,
}

onPostgres('competing outcomes of an upload', (database) => {
  type Act = (db: Queryable) => Promise<unknown>

  /** Begins `second` while the transaction of `first` is open, and waits until `second` is blocked by its lock. */
  const overlap = async (first: Act, second: Act, end: 'commit' | 'roll back'): Promise<unknown> => {
    let held: Promise<unknown> = Promise.resolve()
    const done = database.openAnother().transaction(async (tx) => {
      await first(tx)
      held = second(database.db).catch((error: unknown) => error)
      await untilHolds(async () => expect(await database.db.query(WAITING, [])).toEqual([{ n: 1 }]))
      if (end === 'roll back') throw new Error('rolled back')
    })
    if (end === 'commit') await done
    else await expect(done).rejects.toThrow('rolled back')
    return held
  }

  test.each<['ready' | 'discard', 'ready' | 'discard', 'commit' | 'roll back', boolean]>([
    ['ready', 'discard', 'commit', true],
    ['ready', 'discard', 'roll back', false],
    ['discard', 'ready', 'commit', false],
    ['discard', 'ready', 'roll back', true],
  ])(
    '%s and then %s, where the first transaction ends with %s: the attachment is ready: %s',
    async (first, second, end, isReady) => {
      const fixture = await setUp(database)
      const upload = await uploadAll(fixture)
      await overlap(upload[first], upload[second], end)
      await fixture.sweep()
      expect(await readAll(fixture, upload.id)).toEqual(isReady ? WHOLE : null)
      expect(await fixture.left()).toMatchObject({ chunks: isReady ? CHUNKS : 0, uploads: 0 })
    },
  )

  test('a discard waits for the chunk that is being written, and removes it, too', async () => {
    const fixture = await setUp(database)
    const { upload, discard } = await uploadAll(fixture)
    const append: Act = (db) => appendChunk(db, upload, CHUNKS, Buffer.from('last'))
    await overlap(append, discard, 'commit')
    await removeDiscardedContent(fixture.context)
    expect(await fixture.left()).toMatchObject({ chunks: 0, uploads: 0 })
  })

  test('an upload is removed by one process at a time, and by another one if that process dies', async () => {
    const fixture = await setUp(database)
    await breakOff(fixture)
    const dying = database.openAnother().transaction(async (tx) => {
      expect(await removeDiscardedPiece(tx)).toBe(1)
      expect(await removeDiscardedPiece(database.db)).toBe(0)
      throw new Error('died')
    })
    await expect(dying).rejects.toThrow('died')
    const others = [database.db, database.openAnother(), database.openAnother()]
    await Promise.all(others.map((db) => removeDiscardedContent({ db })))
    await removeDiscardedContent(fixture.context)
    expect(await fixture.left()).toMatchObject({ chunks: 0, uploads: 0 })
  })
})

onPostgres('an attachment deleted while it is sent', (database) => {
  test('the attachment is either used and kept, or deleted and the message refused [RES-16]', async () => {
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
      // Turns of the event loop by which the second call is delayed, so that the calls overlap in different ways.
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
