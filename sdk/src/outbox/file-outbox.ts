import { createHash } from 'node:crypto'
import { mkdir, open, readdir, readFile, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { checkReplayHandle } from '../replay-handle.ts'
import { createOutbox, nameOf, readEntry } from './create-outbox.ts'
import type { DamagedEntry, Outbox, OutboxEntry } from './outbox.ts'

/** The intention, and who is sending it: a claim is a new name, which the file system gives to one. */
const FILE = /^[0-9a-f]{64}\.([\w-]{1,64})\.json$/
const DRAFT = /^[0-9a-f]{64}\.[\w-]{1,64}\.json\.[\w-]+\.draft$/
/** A draft is written within milliseconds; what is this old was left by a process that died. */
const DRAFT_MS = 60_000

/**
 * An outbox in a folder: one file an intention, flushed to the disk before the request goes out, so that it survives
 * the death of the process and of the machine. Readable by its owner only, since bodies are in it. Node, Bun and Deno.
 * @param folder Made when it is not there. Several processes of one machine may share it. Damaged files are renamed to
 * `….damaged` by `client.recover()`, which tells of each.
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

/** The new name is durable once the folder is. Windows cannot open folders and does not need it. */
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

/** None when another process has cleared it since the folder was listed. */
async function readFileEntry(folder: string, name: string): Promise<(OutboxEntry | DamagedEntry)[]> {
  const path = join(folder, name)
  const text = await ifThere(readFile(path, 'utf8'))
  if (text === null) return []
  const read = (): OutboxEntry => {
    const { handle, heldUntil } = JSON.parse(text)
    // A claim that died half-way has renamed the file, and not written it: the name is right.
    return { handle: checkReplayHandle(handle), owner: FILE.exec(name)?.[1] ?? '', heldUntil: String(heldUntil) }
  }
  return [readEntry(path, read)]
}

/** Null for a file or folder that is not there. */
const ifThere = <T>(result: Promise<T>): Promise<T | null> =>
  result.catch((error: unknown) => {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null
    throw error
  })
