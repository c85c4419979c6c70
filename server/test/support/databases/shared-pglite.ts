import { readFile } from 'node:fs/promises'
import { inject } from 'vitest'
import type { Db, Statement } from '../../../src/store/db.ts'
import { createPgliteDb } from '../../../src/store/drivers/pglite.ts'

/**
 * The compiled code of the engine. Each engine runs in a thread of its own, and V8 keeps compiled code only while a
 * module is referenced, so the worker keeps a reference here.
 */
const engineCode = readFile(new URL('pglite.wasm', import.meta.resolve('@electric-sql/pglite'))).then((bytes) =>
  WebAssembly.compile(bytes),
)

/** An embedded database that the test blocks of a worker share, one after the other. */
export interface SharedPglite {
  readonly db: Db
  /** Restores the freshly migrated state. False if the database was closed, lacked room or has another schema. */
  reset(): Promise<boolean>
  close(): Promise<void>
}

/** Starting an engine takes seconds, so an engine that was reset is reused. */
let free: SharedPglite | undefined

export const borrowPglite = async (): Promise<SharedPglite> => {
  const engine = free
  free = undefined
  return engine ?? openPglite()
}

export const givePgliteBack = async (engine: SharedPglite): Promise<void> => {
  const isReset = await engine.reset().catch(() => false)
  if (isReset && free === undefined) free = engine
  else await engine.close()
}

const TABLES: Statement = {
  name: 'test_tables_to_reset',
  access: 'read',
  text: `select relname::text as "table" from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r' order by 1`,
}

/** The number of tables, indexes, columns, triggers, functions and constraints, to detect a changed schema. */
const SCHEMA: Statement = {
  name: 'test_schema_to_reset',
  access: 'read',
  text: `select
  (select count(*) from pg_class where relnamespace = 'public'::regnamespace)
  + (select count(*) from pg_attribute a join pg_class c on c.oid = a.attrelid where c.relnamespace = 'public'::regnamespace)
  + (select count(*) from pg_trigger) + (select count(*) from pg_proc) + (select count(*) from pg_constraint) as objects`,
}

const openPglite = async (): Promise<SharedPglite> => {
  await engineCode
  const db = await createPgliteDb({ memory: true, dump: new Blob([await readFile(inject('databases').pgliteDump)]) })
  const tables = (await db.query<{ table: string }>(TABLES, [])).map(({ table }) => `"${table}"`)
  const countObjects = async () => (await db.query<{ objects: number }>(SCHEMA, []))[0]?.objects
  const objects = await countObjects()
  // Keep the rows that the migrations wrote.
  await db.exec(
    `create schema as_migrated; ${tables.map((table) => `create table as_migrated.${table} as table ${table};`).join(' ')}`,
  )
  const restore = tables.map((table) => `insert into ${table} select * from as_migrated.${table};`).join(' ')
  let isClosed = false
  const close = async (): Promise<void> => {
    isClosed = true
    await db.close()
  }
  return {
    db: { ...db, close },
    reset: async () => {
      if (isClosed || db.lastWithoutRoom() !== null || (await countObjects()) !== objects) return false
      await db.exec(`begin; truncate ${tables.join(', ')} restart identity cascade; ${restore} commit;`)
      return true
    },
    close,
  }
}
