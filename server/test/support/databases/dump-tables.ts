import type { Queryable, Statement } from '../../../src/store/db.ts'

const TABLES: Statement = {
  name: 'test_tables',
  access: 'read',
  text: `select tablename::text as "table" from pg_tables where schemaname = 'public' order by 1`,
}

/** Every row of every table as text, by table; bytes are shown as text, too. */
export const dumpTables = async (db: Queryable): Promise<ReadonlyMap<string, string>> => {
  const dump = new Map<string, string>()
  for (const { table } of await db.query<{ table: string }>(TABLES, [])) {
    const rows = await db.query<{ row: string }>(
      { name: `test_dump_${table}`, access: 'read', text: `select t::text as row from "${table}" t` },
      [],
    )
    const text = rows.map(({ row }) => row).join('\n')
    dump.set(
      table,
      `${text}\n${text.replaceAll(/\\x([0-9a-f]+)/g, (_, hex: string) => Buffer.from(hex, 'hex').toString())}`,
    )
  }
  return dump
}
