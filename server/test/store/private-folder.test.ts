import { chmod, mkdir, mkdtemp, readdir, rm, stat, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createPgliteDb } from '../../src/store/drivers/pglite.ts'
import { FolderNotPrivate, preparePrivateFolder } from '../../src/store/drivers/private-folder.ts'
import { startGateway } from '../support/gateway-process.ts'

let home: string
let folder: string
beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'gateway-private-'))
  folder = join(home, 'data')
})
afterEach(() => rm(home, { recursive: true, force: true }))

const modeOf = async (path: string): Promise<string> => ((await stat(path)).mode & 0o7777).toString(8)

/** The modes of the folder (`.`) and of everything in it. */
const modes = async (): Promise<Map<string, string>> => {
  const entries = await readdir(folder, { recursive: true })
  return new Map(
    await Promise.all(['.', ...entries].map(async (name) => [name, await modeOf(join(folder, name))] as const)),
  )
}

const openToOthers = async (): Promise<string[]> =>
  [...(await modes())].filter(([, mode]) => mode !== '600' && mode !== '700').map(([name, mode]) => `${name} ${mode}`)

const openUp = async (): Promise<void> => {
  for (const name of (await modes()).keys()) {
    const path = join(folder, name)
    await chmod(path, (await stat(path)).isDirectory() ? 0o755 : 0o666)
  }
}

const grow = `create table grown as select md5(n::text) || repeat('x', 400) as text from generate_series(1, 50000) n`

describe.skipIf(process.platform === 'win32')('a data folder', () => {
  it('is accessible only to its owner, including files that the database adds later, such as log segments [CONF-18]', async () => {
    const db = await createPgliteDb({ folder })
    try {
      expect(await openToOthers()).toEqual([])
      const before = new Set((await modes()).keys())
      await db.exec(grow)
      const added = [...(await modes()).keys()].filter((name) => !before.has(name))
      expect(added.some((name) => name.includes('pg_wal'))).toBe(true)
      expect(await openToOthers()).toEqual([])
    } finally {
      await db.close()
    }
    expect(await openToOthers()).toEqual([])
  })

  it('is made private again when it is opened after others had access [CONF-18]', async () => {
    await (await createPgliteDb({ folder })).close()
    for (const name of ['admin-token', 'secret-key', 'demo-key']) await writeFile(join(folder, name), 'secret')
    await openUp()
    expect((await openToOthers()).length).toBeGreaterThan(900)
    const db = await createPgliteDb({ folder })
    expect(await openToOthers()).toEqual([])
    await db.close()
  })

  it('keeps the modes of files that are not the gateway’s', async () => {
    await mkdir(folder)
    const script = join(folder, 'backup.sh')
    const outside = join(home, 'outside')
    for (const file of [script, outside]) await writeFile(file, '')
    await chmod(script, 0o755)
    await chmod(outside, 0o644)
    await symlink(outside, join(folder, 'admin-token'))
    await (await createPgliteDb({ folder })).close()
    expect([await modeOf(script), await modeOf(outside)]).toEqual(['755', '644'])
  })

  it('is refused if it belongs to another user, with both users and the setting to change [CONF-18]', async () => {
    await mkdir(folder)
    const owner = (await stat(folder)).uid
    const prepare = (): void => preparePrivateFolder(folder, owner + 1)
    expect(prepare).toThrow(FolderNotPrivate)
    expect(prepare).toThrow(`${folder} belongs to user ${owner}, and this process runs as user ${owner + 1}`)
    expect(prepare).toThrow('GATEWAY_DATA_DIR')
  })

  it('is refused if all users share it, and keeps its mode [CONF-18]', async () => {
    await mkdir(folder)
    await chmod(folder, 0o1777)
    await expect(createPgliteDb({ folder })).rejects.toBeInstanceOf(FolderNotPrivate)
    expect([await modeOf(folder), await readdir(folder)]).toEqual(['1777', []])
  })

  it('gives others no access after a gateway has created it [CONF-18]', async () => {
    const gateway = await startGateway({ GATEWAY_DATA_DIR: folder })
    try {
      expect(await readdir(folder)).toEqual(expect.arrayContaining(['admin-token', 'lock', 'owner.pid', 'pglite']))
      expect(await openToOthers()).toEqual([])
    } finally {
      await gateway.stop()
    }
  })
})
