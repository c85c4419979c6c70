import { expect, test } from 'vitest'
import type { Db, Statement } from '../../src/store/db.ts'
import { eachDatabase } from '../support/databases/databases.ts'

/** The result of the migrations as one text, so that a review shows every change of the schema. */
const SCHEMA = './schema.txt'

const COLUMNS: Statement = {
  name: 'test_columns',
  access: 'read',
  text: `select c.relname || '.' || a.attname || ' ' || format_type(a.atttypid, a.atttypmod)
      || case when a.attnotnull then ' not null' else '' end
      || coalesce(' collate "' || nullif(l.collname, 'default') || '"', '')
      || coalesce(' default ' || pg_get_expr(d.adbin, d.adrelid), '') as line
    from pg_attribute a join pg_class c on c.oid = a.attrelid
    left join pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum
    left join pg_collation l on l.oid = a.attcollation
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and a.attnum > 0 and not a.attisdropped
    order by c.relname collate "C", a.attnum`,
}
const CONSTRAINTS: Statement = {
  name: 'test_constraints',
  access: 'read',
  text: `select c.conrelid::regclass || ' ' || c.conname || ' ' || pg_get_constraintdef(c.oid) as line
    from pg_constraint c where c.connamespace = 'public'::regnamespace and c.contype <> 'n'`,
}
const INDEXES: Statement = {
  name: 'test_indexes',
  access: 'read',
  text: `select pg_get_indexdef(i.indexrelid) as line from pg_index i join pg_class c on c.oid = i.indrelid
    where c.relnamespace = 'public'::regnamespace`,
}
const FUNCTIONS: Statement = {
  name: 'test_functions',
  access: 'read',
  text: `select pg_get_functiondef(p.oid) as line from pg_proc p
    where p.pronamespace = 'public'::regnamespace`,
}
const TRIGGERS: Statement = {
  name: 'test_triggers',
  access: 'read',
  text: `select pg_get_triggerdef(t.oid) as line from pg_trigger t where not t.tgisinternal`,
}
const SETTINGS: Statement = {
  name: 'test_table_settings',
  access: 'read',
  text: `select relname || ' ' || array_to_string(reloptions, ', ') as line from pg_class
    where relnamespace = 'public'::regnamespace and reloptions is not null`,
}

const describeSchema = async (db: Db): Promise<string> => {
  const sections = Object.entries({
    constraints: CONSTRAINTS,
    indexes: INDEXES,
    functions: FUNCTIONS,
    triggers: TRIGGERS,
    'table settings': SETTINGS,
  })
  const linesOf = async (statement: Statement): Promise<string[]> =>
    (await db.query<{ line: string }>(statement, [])).map(({ line }) => line)
  const texts = [`-- columns\n${(await linesOf(COLUMNS)).join('\n')}\n`]
  for (const [title, statement] of sections) {
    const lines = (await linesOf(statement)).toSorted()
    if (lines.length > 0) texts.push(`-- ${title}\n${lines.join('\n')}\n`)
  }
  return texts.join('\n')
}

eachDatabase('the schema that the migrations create', (database) => {
  test('equals the reviewed one; `vitest -u` writes a changed one', async () => {
    await expect(await describeSchema(database.db)).toMatchFileSnapshot(SCHEMA)
  })
})
