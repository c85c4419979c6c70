import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { describeOutbox } from '../../test/support/outbox-suite.ts'
import { handleOf } from '../../test/support/settings.ts'
import { fileOutbox } from './file-outbox.ts'

const makeFolder = async (): Promise<string> => {
  const folder = await mkdtemp(join(tmpdir(), 'file-outbox-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  return folder
}

describeOutbox('a folder', async () => fileOutbox(await makeFolder()))

describe('a folder', () => {
  it('is made when it is not there, and nobody else may read it or its files', async () => {
    const folder = join(await makeFolder(), 'deep', 'outbox')
    const outbox = fileOutbox(folder)
    expect(await outbox.list()).toEqual([])
    await outbox.put(handleOf('a'))
    const [name = ''] = await readdir(folder)
    expect((await stat(folder)).mode & 0o077).toBe(0)
    expect((await stat(join(folder, name))).mode & 0o077).toBe(0)
  })

  it('shows what another process recorded in it', async () => {
    const folder = await makeFolder()
    await fileOutbox(folder).put(handleOf('a'))
    expect(await fileOutbox(folder).list()).toEqual([handleOf('a')])
    await fileOutbox(folder).delete(handleOf('a'))
    expect(await readdir(folder)).toEqual([])
  })

  it('takes any subject and key, and their names lead nowhere', async () => {
    const folder = await makeFolder()
    const outbox = fileOutbox(folder)
    const odd = { ...handleOf('../../x'), subject: '/etc/passwd' }
    await outbox.put(odd)
    expect(await readdir(folder)).toEqual([expect.stringMatching(/^[0-9a-f]{64}\.json$/)])
    expect(await outbox.list()).toEqual([odd])
  })

  it('leaves no draft behind, and takes a half-written one for nothing', async () => {
    const folder = await makeFolder()
    const outbox = fileOutbox(folder)
    await outbox.put(handleOf('a'))
    const [name = ''] = await readdir(folder)
    await writeFile(join(folder, `${name}.0000.draft`), (await readFile(join(folder, name), 'utf8')).slice(0, 40))
    await writeFile(join(folder, 'notes.txt'), 'of somebody else')
    expect(await outbox.list()).toEqual([handleOf('a')])
  })

  it.each([
    ['half a file', '{"version":1,"operationId":"sendMe'],
    ['an empty file', ''],
    ['a handle of another version', JSON.stringify({ ...handleOf('a'), version: 2 })],
    ['a damaged handle', JSON.stringify({ ...handleOf('a'), body: null })],
  ])('with %s says which file is at fault', async (_name, text) => {
    const folder = await makeFolder()
    const path = join(folder, `${'0'.repeat(64)}.json`)
    await writeFile(path, text)
    await fileOutbox(folder).put(handleOf('a'))
    await expect(fileOutbox(folder).list()).rejects.toThrow(`${path} holds no recorded intention: `)
  })

  it('that is none fails the recording', async () => {
    const path = join(await makeFolder(), 'file')
    await writeFile(path, '')
    await expect(fileOutbox(path).put(handleOf('a'))).rejects.toThrow()
    await expect(fileOutbox(path).list()).rejects.toThrow('ENOTDIR')
  })

  it('in which a file vanishes while it is read goes on without it', async () => {
    const folder = await makeFolder()
    const outbox = fileOutbox(folder)
    for (let index = 0; index < 20; index++) await outbox.put(handleOf(`key-${index}`, index))
    const listing = outbox.list()
    await Promise.all(Array.from({ length: 20 }, (_, index) => outbox.delete(handleOf(`key-${index}`))))
    expect((await listing).length).toBeLessThanOrEqual(20)
    expect(await outbox.list()).toEqual([])
  })
})
