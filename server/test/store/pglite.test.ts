import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { pino } from 'pino'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Statement } from '../../src/store/db.ts'
import { FolderInUse, lockFolder } from '../../src/store/drivers/folder-lock.ts'
import { createPgliteDb } from '../../src/store/drivers/pglite.ts'
import { onPglite } from '../support/databases/databases.ts'

const SCRIPT = fileURLToPath(new URL('../support/folder-process.ts', import.meta.url))

describe('an embedded database in a folder', () => {
  let folder: string
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'gateway-pglite-'))
  })
  afterEach(() => rmSync(folder, { recursive: true, force: true }))

  const readAll: Statement = { name: 'read_all', access: 'read', text: 'select n from rows order by n' }

  it('keeps its data after it is closed, and is locked while it is open', async () => {
    const lines: string[] = []
    const log = pino({}, { write: (line) => lines.push(line) })
    const first = await createPgliteDb({ folder, log })
    expect(lines.join()).toContain('opening the embedded database')
    expect(lines.join()).toContain('the embedded database is open')
    await expect(createPgliteDb({ folder })).rejects.toBeInstanceOf(FolderInUse)
    await first.exec('create table rows (n integer); insert into rows values (1), (2)')
    await first.close()
    const second = await createPgliteDb({ folder })
    expect(await second.query(readAll, [])).toEqual([{ n: 1 }, { n: 2 }])
    await second.close()
  })

  it('is not left locked when it cannot be opened', async () => {
    writeFileSync(join(folder, 'pglite'), 'in the way')
    await expect(createPgliteDb({ folder })).rejects.not.toBeInstanceOf(FolderInUse)
    lockFolder(folder).release()
  })

  it('contains every row that was acknowledged before its process was killed', async () => {
    let acknowledged = 0
    for (let round = 1; round <= 2; round += 1) {
      const child = spawn(process.execPath, [SCRIPT, 'write', folder], { stdio: ['ignore', 'pipe', 'inherit'] })
      const exited = once(child, 'exit')
      for await (const line of createInterface(child.stdout)) {
        acknowledged = Number(line)
        if (acknowledged >= round * 200) child.kill('SIGKILL')
      }
      await exited
    }
    const db = await createPgliteDb({ folder })
    const rows = await db.query<{ n: number }>(readAll, [])
    await db.close()
    expect(rows.length).toBeGreaterThanOrEqual(acknowledged)
    expect(rows).toEqual(rows.map((_, index) => ({ n: index + 1 })))
  })
})

onPglite('the event loop', (database) => {
  /** Counts the turns of the event loop until the work has ended. */
  const turnsDuring = async (work: Promise<unknown>): Promise<number> => {
    let turns = 0
    let counting = true
    const count = (): void => {
      turns += 1
      if (counting) setImmediate(count)
    }
    setImmediate(count)
    await work
    counting = false
    return turns
  }

  const long: Statement = { name: 'long', access: 'read', text: 'select count(*) as n from generate_series(1, 300000)' }

  it('is not blocked while a statement executes', async () => {
    expect(await turnsDuring(database.db.query(long, []))).toBeGreaterThan(100)
  })

  it('is not blocked while several statements and a transaction execute', async () => {
    const { db } = database
    const work = [db.query(long, []), db.query(long, []), db.transaction((tx) => tx.query(long, []))]
    expect(await turnsDuring(Promise.all(work))).toBeGreaterThan(100)
  })
})
