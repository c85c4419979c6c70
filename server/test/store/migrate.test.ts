import { mkdtempSync, rmSync, unlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, inject, it } from 'vitest'
import type { Db } from '../../src/store/db.ts'
import { createPgDb } from '../../src/store/drivers/pg.ts'
import { MigrationRefused, migrate } from '../../src/store/migrate.ts'
import { eachDatabase } from '../support/databases/databases.ts'
import { type CreatedDatabase, createDatabase } from '../support/databases/postgres.ts'

eachDatabase('the schema', (database) => {
  it('of a migrated database is not changed again', async () => {
    expect(await migrate(database.db)).toEqual([])
  })
})

describe('migrations', () => {
  let folder: string
  let created: CreatedDatabase
  let db: Db

  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'gateway-migrations-'))
    created = await createDatabase(inject('databases').postgresUrl)
    db = createPgDb({ url: created.url })
  })
  afterEach(async () => {
    await db.close()
    await created.drop()
    rmSync(folder, { recursive: true, force: true })
  })

  const write = (name: string, sql: string): void => writeFileSync(join(folder, name), sql)
  const rows = (text: string): Promise<object[]> => db.query({ name: text, access: 'read', text }, [])

  it('are applied in order, once each', async () => {
    write('0002-second.sql', 'insert into things values (2); insert into things values (3);')
    write('0001-first.sql', 'create table things (id integer);')
    write('README.md', 'not a migration')
    expect(await migrate(db, { folder })).toEqual(['0001-first.sql', '0002-second.sql'])
    expect(await migrate(db, { folder })).toEqual([])
    write('0003-third.sql', '-- a comment at the end\ninsert into things values (4) -- and no semicolon')
    expect(await migrate(db, { folder })).toEqual(['0003-third.sql'])
    expect(await rows('select id from things order by id')).toEqual([{ id: 2 }, { id: 3 }, { id: 4 }])
    expect(await rows('select version, name from migrations order by version')).toEqual([
      { version: 1, name: '0001-first.sql' },
      { version: 2, name: '0002-second.sql' },
      { version: 3, name: '0003-third.sql' },
    ])
  })

  it('that fail are rolled back and retried', async () => {
    write('0001-first.sql', 'create table things (id integer);')
    write('0002-second.sql', 'insert into things values (1); insert into nowhere values (1);')
    await expect(migrate(db, { folder })).rejects.toMatchObject({ code: '42P01' })
    expect(await rows('select id from things')).toEqual([])
    write('0002-second.sql', 'insert into things values (2);')
    expect(await migrate(db, { folder })).toEqual(['0002-second.sql'])
    expect(await rows('select id from things')).toEqual([{ id: 2 }])
  })

  it('are applied by exactly one of several concurrent starts', async () => {
    for (let n = 1; n <= 5; n += 1) {
      const create = n === 1 ? 'create table things (id integer);' : ''
      write(`000${n}-step.sql`, `${create} insert into things select ${n} from pg_sleep(0.02);`)
    }
    const starters = Array.from({ length: 4 }, () => createPgDb({ url: created.url, poolSize: 1 }))
    const applied = await Promise.all(starters.map((starter) => migrate(starter, { folder })))
    await Promise.all(starters.map((starter) => starter.close()))
    expect(applied.flat().sort()).toEqual([1, 2, 3, 4, 5].map((n) => `000${n}-step.sql`))
    expect(await rows('select id from things order by id')).toEqual([1, 2, 3, 4, 5].map((id) => ({ id })))
  })

  it('may take longer than other statements', async () => {
    write('0001-slow.sql', 'create table things as select 1 as id; select pg_sleep(2);')
    const withShortDeadline = createPgDb({ url: created.url, deadlineMs: 1000 })
    expect(await migrate(withShortDeadline, { folder })).toEqual(['0001-slow.sql'])
    await withShortDeadline.close()
  })

  it('refuse a database that is newer than the gateway, naming the newest migration of both', async () => {
    write('0001-first.sql', 'create table things (id integer);')
    write('0002-second.sql', 'insert into things values (1);')
    await migrate(db, { folder })
    unlinkSync(join(folder, '0002-second.sql'))
    const refused = migrate(db, { folder })
    await expect(refused).rejects.toBeInstanceOf(MigrationRefused)
    await expect(refused).rejects.toThrow(/newer than this gateway.*0002-second\.sql.*0001-first\.sql/)
  })

  it('refuse a database that was migrated with other content of a file, but ignore its line endings', async () => {
    write('0001-first.sql', 'create table things (id integer);\n')
    await migrate(db, { folder })
    write('0001-first.sql', 'create table things (id integer);\r\n')
    expect(await migrate(db, { folder })).toEqual([])
    write('0001-first.sql', 'create table things (id bigint);\n')
    await expect(migrate(db, { folder })).rejects.toThrow(/another 0001-first\.sql.*must not be changed/)
  })

  it.each([
    ['a gap', '0003-third.sql'],
    ['two files with the same number', '0001-again.sql'],
    ['a name without a number', 'third.sql'],
  ])('with %s among their files are refused before anything is applied', async (_, name) => {
    write('0001-first.sql', 'create table things (id integer);')
    write(name, 'select 1;')
    await expect(migrate(db, { folder })).rejects.toBeInstanceOf(MigrationRefused)
    expect(await rows(`select 1 from pg_tables where tablename = 'things'`)).toEqual([])
  })
})
