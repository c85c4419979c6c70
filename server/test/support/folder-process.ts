/**
 * A process that uses a data folder, for tests that kill it: `node folder-process.ts lock|write <folder>`. `lock` locks
 * the folder, drops every reference to the lock, prints "locked" and keeps running; or it prints the refusal and ends.
 * `write` opens the embedded database and prints the number of each row after its commit, endlessly.
 */

import { setImmediate } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import type { Statement } from '../../src/store/db.ts'
import { lockFolder } from '../../src/store/drivers/folder-lock.ts'
import { createPgliteDb } from '../../src/store/drivers/pglite.ts'

const [mode, folder = ''] = process.argv.slice(2)

const print = (line: string): void => {
  process.stdout.write(`${line}\n`)
}

/** Collects garbage twice, with a turn of the event loop after each: objects with a finaliser need the second one. */
const collectGarbage = async (): Promise<void> => {
  setFlagsFromString('--expose-gc')
  const collect: () => void = runInNewContext('gc')
  for (let round = 0; round < 2; round += 1) {
    collect()
    await setImmediate()
  }
}

if (mode === 'lock') {
  try {
    lockFolder(folder)
    await collectGarbage()
    print('locked')
    setInterval(() => {}, 60_000)
  } catch (error) {
    print(String(error))
  }
} else {
  const db = await createPgliteDb({ folder })
  await db.exec('create table if not exists rows (n integer primary key)')
  const insert: Statement = {
    name: 'insert',
    access: 'write',
    text: 'insert into rows select coalesce(max(n), 0) + 1 from rows returning n',
  }
  for (;;) {
    const [row] = await db.query<{ n: number }>(insert, [])
    print(String(row?.n))
  }
}
