import { createHash } from 'node:crypto'
import { mkdir, open, readdir, readFile, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { checkReplayHandle } from '../replay-handle.ts'
import { createOutbox, nameOf, readEntry } from './create-outbox.ts'
import type { DamagedEntry, Outbox, OutboxEntry } from './outbox.ts'

/** The name contains the intention and its owner. A claim renames the file, which the file system allows only once. */
const FILE = /^[0-9a-f]{64}\.([\w-]{1,64})\.json$/
const DRAFT = /^[0-9a-f]{64}\.[\w-]{1,64}\.json\.[\w-]+\.draft$/
/** A draft is written within milliseconds, so one of this age belongs to a dead process. */
const DRAFT_MS = 60_000

/**
 * An outbox in a folder: one file for each intention, flushed to disk before the request is sent, so that it survives a
 * crash of the process or the machine. Readable by its owner only, because it contains bodies. Node, Bun and Deno.
 * @param folder Created if needed. Several processes of one machine may share it. `client.recover()` renames damaged
 * files to `….damaged` and reports each.
 */
export function fileOutbox(folder: string): Outbox {
  const pathOf = ({ handle, owner }: OutboxEntry): string =>
    join(folder, `${createHash('sha256').update(nameOf(handle)).digest('hex')}.${owner}.json`)

  const write = async (entry: OutboxEntry): Promise<void> => {
    const path = pathOf(entry)
    // A half-written file never has the name that `list` looks for.
    const draft = `${path}.${crypto.randomUUID()}.draft`
    const file = await open(draft, 'wx', 0o600)
    try {
      await file.writeFile(JSON.stringify(entry))
      await file.sync()
    } finally {
      await file.close()
    }
    await rename(draft, path)
    await flushFolder(folder)
  }

  return createOutbox({
    async put(entry) {
      await mkdir(folder, { recursive: true, mode: 0o700 })
      await write(entry)
    },
    async claim(entry, next) {
      const isThere = await ifThere(rename(pathOf(entry), pathOf(next)).then(() => true))
      if (isThere) await write(next)
      return isThere ?? false
    },
    async delete(entry) {
      await rm(pathOf(entry), { force: true })
    },
    async list() {
      const names = (await ifThere(readdir(folder))) ?? []
      await removeDrafts(names.filter((name) => DRAFT.test(name)).map((name) => join(folder, name)))
      const found = await Promise.all(
        names.filter((name) => FILE.test(name)).map((name) => readFileEntry(folder, name)),
      )
      return found.flat()
    },
    async setAside({ name }) {
      await ifThere(rename(name, `${name}.damaged`))
    },
  })
}

/** A new name is durable only after the folder is flushed. Windows cannot open folders and does not need this. */
async function flushFolder(folder: string): Promise<void> {
  if (process.platform === 'win32') return
  const directory = await open(folder, 'r')
  try {
    await directory.sync()
  } finally {
    await directory.close()
  }
}

async function removeDrafts(paths: readonly string[]): Promise<void> {
  for (const path of paths) {
    const about = await ifThere(stat(path))
    if (about && Date.now() - about.mtimeMs > DRAFT_MS) await rm(path, { force: true })
  }
}

/** Empty if another process has deleted the file since the folder was listed. */
async function readFileEntry(folder: string, name: string): Promise<(OutboxEntry | DamagedEntry)[]> {
  const path = join(folder, name)
  const text = await ifThere(readFile(path, 'utf8'))
  if (text === null) return []
  const read = (): OutboxEntry => {
    const { handle, heldUntil } = JSON.parse(text)
    // An interrupted claim has renamed the file but not rewritten it, so the owner is read from the name.
    return { handle: checkReplayHandle(handle), owner: FILE.exec(name)?.[1] ?? '', heldUntil: String(heldUntil) }
  }
  return [readEntry(path, read)]
}

/** Null if the file or folder does not exist. */
const ifThere = <T>(result: Promise<T>): Promise<T | null> =>
  result.catch((error: unknown) => {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null
    throw error
  })
