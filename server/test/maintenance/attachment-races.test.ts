import { setImmediate } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { reportOutcome } from '../../src/gateway/execution.ts'
import { deleteResource } from '../../src/gateway/resources.ts'
import { removeDiscardedContent } from '../../src/gateway/retention.ts'
import { sendMessage } from '../../src/gateway/send-message.ts'
import type { Queryable, Statement } from '../../src/store/db.ts'
import { appendChunk, removeDiscardedPiece } from '../../src/store/uploads.ts'
import { codeOf } from '../admin/support.ts'
import { onPostgres } from '../support/databases/databases.ts'
import { intention, takeWork, testContext } from '../support/gateway-fixture.ts'
import { untilHolds } from '../support/until-holds.ts'
import { abortUpload, attach, CHUNKS, readAll, setUp, uploadAll, WHOLE } from './attachment-fixture.ts'

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
    await abortUpload(fixture)
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
