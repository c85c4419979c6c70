import { mkdtemp, readdir, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { all } from '../../test/support/all.ts'
import { createManualTiming } from '../../test/support/manual-timing.ts'
import { describeOutbox } from '../../test/support/outbox-suite.ts'
import { handleOf, ORIGIN } from '../../test/support/settings.ts'
import { fileOutbox } from './file-outbox.ts'

const makeFolder = async (): Promise<string> => {
  const folder = await mkdtemp(join(tmpdir(), 'file-outbox-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  return folder
}

describeOutbox('a folder', async () => {
  const folder = await makeFolder()
  return () => fileOutbox(folder)
})

describe('a folder', () => {
  it('is created if needed, and only its owner may read it and its files', async () => {
    const folder = join(await makeFolder(), 'deep', 'outbox')
    const outbox = fileOutbox(folder)
    expect(await outbox.list()).toEqual([])
    await outbox.record(handleOf('a'), createManualTiming())
    const [name = ''] = await readdir(folder)
    expect((await stat(folder)).mode & 0o077).toBe(0)
    expect((await stat(join(folder, name))).mode & 0o077).toBe(0)
  })

  it('shows what another process recorded in it', async () => {
    const folder = await makeFolder()
    await fileOutbox(folder).record(handleOf('a'), createManualTiming())
    expect(await fileOutbox(folder).list()).toEqual([handleOf('a')])
    await fileOutbox(folder).delete(handleOf('a'))
    expect(await readdir(folder)).toEqual([])
  })

  it('accepts any subject and key without path traversal', async () => {
    const folder = await makeFolder()
    const outbox = fileOutbox(folder)
    const odd = { ...handleOf('../../x'), subject: '/etc/passwd' }
    await outbox.record(odd, createManualTiming())
    expect(await readdir(folder)).toEqual([expect.stringMatching(/^[0-9a-f]{64}\.[0-9a-f-]{36}\.json$/)])
    expect(await outbox.list()).toEqual([odd])
  })

  it('ignores a half-written draft and other files', async () => {
    const folder = await makeFolder()
    const outbox = fileOutbox(folder)
    await outbox.record(handleOf('a'), createManualTiming())
    const [name = ''] = await readdir(folder)
    await writeFile(join(folder, `${name}.0000.draft`), (await readFile(join(folder, name), 'utf8')).slice(0, 40))
    await writeFile(join(folder, 'notes.txt'), 'of somebody else')
    expect(await outbox.list()).toEqual([handleOf('a')])
  })

  it('removes the drafts of dead processes, and no others', async () => {
    const folder = await makeFolder()
    const draft = (name: string) => join(folder, `${'0'.repeat(64)}.owner.json.${name}.draft`)
    for (const name of ['old', 'young']) await writeFile(draft(name), '{')
    await utimes(draft('old'), new Date(), new Date(Date.now() - 120_000))
    await fileOutbox(folder).list()
    expect((await readdir(folder)).map((name) => name.split('.')[3])).toEqual(['young'])
  })

  it.each([
    ['half a file', '{"handle":{"version":1,"operationId":"sendMe'],
    ['an empty file', ''],
    ['no handle', '{}'],
    ['a handle of another version', JSON.stringify({ handle: { ...handleOf('a'), version: 2 } })],
    ['a damaged handle', JSON.stringify({ handle: { ...handleOf('a'), body: null } })],
  ])('with %s reports the file, sets it aside, and recovers the rest', async (_name, text) => {
    const folder = await makeFolder()
    const path = join(folder, `${'0'.repeat(64)}.owner.json`)
    await writeFile(path, text)
    await fileOutbox(folder).record(handleOf('a'), createManualTiming())
    const later = createManualTiming()
    later.advance(3_600_000)
    expect(await all(fileOutbox(folder).leftovers(ORIGIN, later))).toMatchObject([
      { kind: 'damaged', name: path },
      { kind: 'intention', handle: handleOf('a') },
    ])
    expect(await readFile(`${path}.damaged`, 'utf8')).toBe(text)
    expect(await fileOutbox(folder).list()).toEqual([handleOf('a')])
  })

  it('that is not a folder fails the recording', async () => {
    const path = join(await makeFolder(), 'file')
    await writeFile(path, '')
    await expect(fileOutbox(path).record(handleOf('a'), createManualTiming())).rejects.toThrow()
    await expect(fileOutbox(path).list()).rejects.toThrow('ENOTDIR')
  })

  it('in which a file vanishes during a read continues without it', async () => {
    const folder = await makeFolder()
    const outbox = fileOutbox(folder)
    for (let index = 0; index < 20; index++) await outbox.record(handleOf(`key-${index}`, index), createManualTiming())
    const listing = outbox.list()
    await Promise.all(Array.from({ length: 20 }, (_, index) => outbox.delete(handleOf(`key-${index}`))))
    expect((await listing).length).toBeLessThanOrEqual(20)
    expect(await outbox.list()).toEqual([])
  })
})
