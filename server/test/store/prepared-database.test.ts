import { mkdir, mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createPgliteDb } from '../../src/store/drivers/pglite.ts'
import { migrate } from '../../src/store/migrate.ts'
import { placePreparedDatabase } from '../../src/store/prepared-database.ts'

let home: string
let cache: string
beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'gateway-prepared-'))
  cache = join(home, 'cache')
})
afterAll(() => rm(home, { recursive: true, force: true }))

const logged: unknown[] = []
const log = { info: (...[, message]: unknown[]) => logged.push(message) }

const folderIn = async (name: string): Promise<{ folder: string; place: string }> => {
  const folder = join(home, name)
  await mkdir(folder)
  return { folder, place: join(folder, 'pglite') }
}

describe('a prepared database', () => {
  it('has the schema of this version, and copies are independent databases', async () => {
    const [one, other] = [await folderIn('one'), await folderIn('other')]
    for (const { place } of [one, other]) await placePreparedDatabase(place, log, cache)
    expect(logged).toEqual([])
    const db = await createPgliteDb({ folder: one.folder })
    expect(await migrate(db)).toEqual([])
    await db.exec('create table mine ()')
    await db.close()
    const second = await createPgliteDb({ folder: other.folder })
    const tables = `select count(*) as n from pg_tables where tablename in ('mine', 'conversations')`
    expect(await second.query({ name: 'tables', access: 'read', text: tables }, [])).toEqual([{ n: 1 }])
    await second.close()
  })

  it('is created once', async () => {
    const before = await readdir(cache)
    expect(before).toHaveLength(1)
    await placePreparedDatabase((await folderIn('again')).place, log, cache)
    expect(await readdir(cache)).toEqual(before)
  })

  it('replaces the incomplete copy of a process that was killed', async () => {
    const { folder, place } = await folderIn('killed')
    await mkdir(`${place}-draft`)
    await writeFile(join(`${place}-draft`, 'left behind'), '')
    await placePreparedDatabase(place, log, cache)
    expect(await readdir(folder)).toEqual(['pglite'])
    expect(await readdir(place)).not.toContain('left behind')
  })

  it('is not required: the engine creates a database if none can be cached, and this is logged', async () => {
    const { folder, place } = await folderIn('without')
    await placePreparedDatabase(place, log, '/dev/null/cache')
    expect(await readdir(folder)).toEqual([])
    expect(logged).toEqual(['no prepared database could be copied: the engine makes a new one'])
    const prepare = (wanted: string) => placePreparedDatabase(wanted, log, '/dev/null/cache')
    const db = await createPgliteDb({ folder, prepare })
    expect((await migrate(db)).length).toBeGreaterThan(0)
    await db.close()
  })

  it('of another version is removed when a new one is created, if it is old enough', async () => {
    const another = join(home, 'another-cache')
    for (const name of ['old', 'young']) await mkdir(join(another, name), { recursive: true })
    await utimes(join(another, 'old'), 0, 0)
    await placePreparedDatabase((await folderIn('upgraded')).place, log, another)
    expect(await readdir(another)).toEqual(expect.not.arrayContaining(['old']))
    expect(await readdir(another)).toEqual(expect.arrayContaining(['young']))
  })
})
