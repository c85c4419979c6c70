import { readFile } from 'node:fs/promises'
import { expect, it } from 'vitest'
import type { Db, Statement } from '../../src/store/db.ts'
import { onPglite } from '../support/databases/databases.ts'

/** Compares the schema with the guide that describes how to distribute it by application. */

const GUIDE = new URL('../../../docs/guides/beyond-one-database.md', import.meta.url)

const rowOf = (guide: string, place: string): string[] => {
  const row = guide.split('\n').find((line) => line.startsWith('| `') && line.includes(`| ${place}`))
  return [...(row?.split('|')[1] ?? '').matchAll(/`(\w+)`/g)].map(([, name = '']) => name)
}

const namesOf = async (db: Db, statement: Statement): Promise<string[]> =>
  (await db.query<{ name: string }>(statement, [])).map(({ name }) => name)

const TABLES: Statement = {
  name: 'all_tables',
  access: 'read',
  text: `select table_name as name from information_schema.tables where table_schema = 'public' order by 1`,
}
/** Tables whose primary key begins with the application. */
const OF_APPLICATIONS: Statement = {
  name: 'tables_of_applications',
  access: 'read',
  text: `select c.relname as name from pg_index i join pg_class c on c.oid = i.indrelid
  join pg_attribute a on a.attrelid = c.oid and a.attnum = i.indkey[0]
  where i.indisprimary and a.attname = 'app_id' and c.relnamespace = 'public'::regnamespace order by 1`,
}
/** Unique indexes that do not have the application among their columns, with their tables. */
const UNIQUE_WITHOUT: Statement = {
  name: 'unique_without_application',
  access: 'read',
  text: `select c.relname || '.' || x.relname as name from pg_index i join pg_class c on c.oid = i.indrelid
  join pg_class x on x.oid = i.indexrelid where i.indisunique and c.relnamespace = 'public'::regnamespace
  and not exists (select 1 from pg_attribute a
    where a.attrelid = c.oid and a.attname = 'app_id' and a.attnum = any(i.indkey)) order by 1`,
}

onPglite('the schema', (database) => {
  it('has the tables of the guide, each in one row, with app_id first in the key of each distributed one', async () => {
    const guide = await readFile(GUIDE, 'utf8')
    const distributed = rowOf(guide, 'distributed by `app_id`')
    const written = rowOf(guide, 'no reference tables')
    const elsewhere = [...rowOf(guide, 'reference tables'), ...written, ...rowOf(guide, 'stay on the coordinator')]
    expect(written).toEqual(['devices', 'processes'])
    expect([...distributed, ...elsewhere].toSorted()).toEqual(await namesOf(database.db, TABLES))
    const ofApplications = await namesOf(database.db, OF_APPLICATIONS)
    expect(distributed.filter((name) => !ofApplications.includes(name))).toEqual([])
  })

  it('has only one unique index without the application, which the guide names', async () => {
    const guide = await readFile(GUIDE, 'utf8')
    const distributed = rowOf(guide, 'distributed by `app_id`')
    const conflicting = (await namesOf(database.db, UNIQUE_WITHOUT)).filter((name) =>
      distributed.includes(name.split('.')[0] ?? ''),
    )
    expect(conflicting.map((name) => name.split('.')[1])).toEqual(rowOf(guide, 'the same without `unique`'))
  })
})
