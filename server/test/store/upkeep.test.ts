import { expect, test } from 'vitest'
import type { Db, Statement } from '../../src/store/db.ts'
import { keepUpDatabase } from '../../src/store/maintenance/upkeep.ts'
import { onPglite, onPostgres } from '../support/databases/databases.ts'
import { untilHolds } from '../support/until-holds.ts'

const { signal } = new AbortController()

/** Updates of an indexed column leave dead rows that only a vacuum clears. */
const TABLES = `create table busy (id integer primary key, count integer);
  create index on busy (count);
  create table quiet (id integer primary key);
  create table growing (id integer primary key);
  insert into busy select n, 0 from generate_series(1, 100) n;
  insert into quiet select n from generate_series(1, 100) n;
  insert into growing select n from generate_series(1, 1000) n;
  select pg_stat_force_next_flush();
  vacuum (analyze)`

const DEAD_ROWS: Statement = {
  name: 'test_dead_rows',
  access: 'read',
  text: `select n_dead_tup::integer as dead from pg_stat_user_tables where relname = 'busy'`,
}
const deadRowsOf = async (db: Db): Promise<number> => (await db.query<{ dead: number }>(DEAD_ROWS, []))[0]?.dead ?? 0

/** Updates every row five times, and waits until the statistics of the database count the dead rows. */
const updateAllRows = async (db: Db): Promise<void> => {
  for (let round = 0; round < 5; round += 1) await db.exec('update busy set count = count + 1')
  await untilHolds(async () => expect(await deadRowsOf(db)).toBeGreaterThan(300))
}

/** Runs the upkeep and returns its vacuum and analyze statements. */
const upkeepOf = async (db: Db): Promise<string[]> => {
  const sent: string[] = []
  const query: Db['query'] = (statement, params) => {
    sent.push(statement.text.split('\n')[0] ?? '')
    return db.query(statement, params)
  }
  await keepUpDatabase({ ...db, query }, signal)
  return sent.filter((text) => /^(vacuum|analyze)/.test(text))
}

const NEW_ROWS: Statement = {
  name: 'test_new_rows',
  access: 'read',
  text: `select n_mod_since_analyze::integer as count from pg_stat_user_tables where relname = 'growing'`,
}

/** Adds rows after the last one, and waits until the statistics of the database count them. */
const grow = async (db: Db, last: number, rows: number): Promise<void> => {
  await db.exec(`insert into growing select n from generate_series(${last + 1}, ${last + rows}) n`)
  await db.exec('select pg_stat_force_next_flush()')
  await untilHolds(async () => expect(await db.query(NEW_ROWS, [])).toEqual([{ count: rows }]))
}

const HISTOGRAM: Statement = {
  name: 'test_histogram',
  access: 'read',
  text: `select cardinality(histogram_bounds::text::text[]) as bounds from pg_stats where tablename = 'growing'`,
}

onPglite('upkeep', (database) => {
  test('removes the dead rows of a table with many changes, and does not touch other tables', async () => {
    const { db } = database
    for (const text of TABLES.split(';')) await db.exec(text)
    await updateAllRows(db)
    const sent = await upkeepOf(db)
    expect(sent).toContain('vacuum busy')
    expect(sent.filter((text) => /quiet|growing/.test(text))).toEqual([])
    await untilHolds(async () => expect(await deadRowsOf(db)).toBe(0))
    await untilHolds(async () => expect(await upkeepOf(db)).toEqual([]))
  })

  test('analyzes a sample of a table when more than half of it is new, and does not vacuum it', async () => {
    const { db } = database
    await untilHolds(async () => expect(await upkeepOf(db)).toEqual([]))
    await grow(db, 1000, 1200)
    expect(await upkeepOf(db)).toEqual([])
    await db.exec('analyze growing')
    await grow(db, 2200, 3800)
    expect(await upkeepOf(db)).toEqual(['analyze growing'])
    expect(await db.query(HISTOGRAM, [])).toEqual([{ bounds: 11 }])
  })
})

onPostgres('upkeep', (database) => {
  test('is left to autovacuum', async () => {
    expect(await upkeepOf(database.db)).toEqual([])
  })
})
