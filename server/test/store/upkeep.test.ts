import { expect, test } from 'vitest'
import type { Db } from '../../src/store/db.ts'
import { keepUpDatabase } from '../../src/store/maintenance/upkeep.ts'
import { onPglite, onPostgres } from '../support/databases/databases.ts'
import { untilHolds } from '../support/until-holds.ts'

const { signal } = new AbortController()

/** Updates of an indexed column leave dead rows that only a vacuum clears. */
const TABLES = `create table busy (id integer primary key, count integer);
  create index on busy (count);
  create table quiet (id integer primary key);
  insert into busy select n, 0 from generate_series(1, 100) n;
  insert into quiet select n from generate_series(1, 100) n;
  vacuum (analyze)`

const DEAD_ROWS = {
  name: 'test_dead_rows',
  text: `select n_dead_tup::integer as dead from pg_stat_user_tables where relname = 'busy'`,
}
const deadRowsOf = async (db: Db): Promise<number> => (await db.query<{ dead: number }>(DEAD_ROWS, []))[0]?.dead ?? 0

/** Updates every row again and again, until the database has counted what that leaves behind. */
const wear = async (db: Db): Promise<void> => {
  for (let round = 0; round < 5; round += 1) await db.exec('update busy set count = count + 1')
  await untilHolds(async () => expect(await deadRowsOf(db)).toBeGreaterThan(300))
}

/** Keeps up and gives the names of what was asked. */
const upkeepOf = async (db: Db): Promise<string[]> => {
  const asked: string[] = []
  const query: Db['query'] = (statement, params) => {
    asked.push(statement.text.split('\n')[0] ?? '')
    return db.query(statement, params)
  }
  await keepUpDatabase({ ...db, query }, signal)
  return asked.filter((text) => text.startsWith('vacuum'))
}

onPglite('upkeep', (database) => {
  test('clears the dead rows of a table that changes much, and leaves the others alone', async () => {
    const { db } = database
    for (const text of TABLES.split(';')) await db.exec(text)
    await wear(db)
    expect(await upkeepOf(db)).toContain('vacuum (analyze) busy')
    await untilHolds(async () => expect(await deadRowsOf(db)).toBe(0))
    await untilHolds(async () => expect(await upkeepOf(db)).toEqual([]))
  })
})

onPostgres('upkeep', (database) => {
  test('is left to the server', async () => {
    expect(await upkeepOf(database.db)).toEqual([])
  })
})
