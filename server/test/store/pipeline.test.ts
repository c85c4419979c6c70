import { readFile } from 'node:fs/promises'
import { expect, inject, it } from 'vitest'
import type { Access, Statement } from '../../src/store/db.ts'
import { openEngineThread } from '../../src/store/drivers/engine-thread.ts'
import { createPgDb } from '../../src/store/drivers/pg.ts'
import { createPgliteClient } from '../../src/store/drivers/pglite-connection.ts'
import { sendPipeline } from '../../src/store/drivers/pipeline.ts'
import { eachDatabase, onPostgres } from '../support/databases/databases.ts'

let statements = 0
const sql = (access: Access, text: string): Statement => {
  statements += 1
  return { name: `messages_test_${statements}`, access, text }
}

it('several commands take one round trip, and each has its own answer', async () => {
  const thread = await openEngineThread({ loadDataDir: new Blob([await readFile(inject('databases').pgliteDump)]) })
  let roundTrips = 0
  const counting = {
    ...thread,
    run: (roundTrip: Uint8Array<ArrayBuffer>) => {
      roundTrips += 1
      return thread.run(roundTrip)
    },
  }
  const client = createPgliteClient(counting, () => {})
  await client.connect()
  const commands = [
    { name: 'begin', text: 'begin', values: [] },
    { name: 'numbers', text: 'select n from generate_series(1, $1::integer) n', values: ['2'] },
    { name: 'none', text: 'select 1 as one where false', values: [] },
    { name: 'commit', text: 'commit', values: [] },
  ] as const
  for (const expected of [1, 2]) {
    expect(await sendPipeline(client, commands, undefined)).toMatchObject({
      answers: [{ command: 'BEGIN' }, { rows: [{ n: 1 }, { n: 2 }] }, { rows: [] }, { command: 'COMMIT', rows: [] }],
      error: null,
    })
    expect(roundTrips).toBe(expected)
  }
  await client.end()
  await thread.close()
})

eachDatabase('statements of a transaction that are sent at once', (database) => {
  const divide = sql('read', 'select 1 / $1::integer as n')
  const readLabel = sql('read', 'select $1::text as label')

  it('fail from the first failing statement on', async () => {
    let outcomes: PromiseSettledResult<unknown>[] = []
    const work = database.db.transaction(async (tx) => {
      outcomes = await Promise.allSettled([
        tx.query(readLabel, ['a']),
        tx.query(divide, [0]),
        tx.query(readLabel, ['b']),
      ])
    })
    await expect(work).rejects.toThrow('rolled back')
    expect(outcomes).toMatchObject([
      { status: 'fulfilled', value: [{ label: 'a' }] },
      { status: 'rejected', reason: { code: '22012' } },
      { status: 'rejected', reason: { code: '22012' } },
    ])
  })

  it('can be prepared later if an earlier statement failed', async () => {
    const skipped = sql('read', 'select $1::text as skipped')
    const work = database.db.transaction((tx) => Promise.all([tx.query(divide, [0]), tx.query(skipped, ['a'])]))
    await expect(work).rejects.toMatchObject({ code: '22012' })
    // Consecutive transactions use the same connection.
    expect(await database.db.transaction((tx) => tx.query(skipped, ['b']))).toEqual([{ skipped: 'b' }])
  })
})

onPostgres('a transaction whose work throws before its first message is sent', (database) => {
  it('leaves no transaction open', async () => {
    const db = createPgDb({ url: database.url, poolSize: 1 })
    const reason = new Error('changed my mind')
    const work = db.transaction(async (tx) => {
      tx.query(sql('read', 'select 1 / 0'), []).catch(() => {})
      throw reason
    })
    await expect(work).rejects.toBe(reason)
    const read = sql('read', 'select pg_current_xact_id()::text as transaction, pg_backend_pid() as pid')
    const [first] = await db.query<{ transaction: string; pid: number }>(read, [])
    const [second] = await db.query<{ transaction: string; pid: number }>(read, [])
    expect(second?.pid).toBe(first?.pid)
    expect(second?.transaction).not.toBe(first?.transaction)
    await db.close()
  })
})
