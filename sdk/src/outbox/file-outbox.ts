import { createHash } from 'node:crypto'
import { mkdir, open, readdir, readFile, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { checkReplayHandle, type ReplayHandle } from '../transport/replay-handle.ts'
import type { Outbox } from './outbox.ts'

const FILE = /^[0-9a-f]{64}\.json$/

/**
 * An outbox in a folder: one file an intention, flushed to the disk before the request goes out, so that it survives
 * the death of the process and of the machine. Readable by its owner only, since bodies are in it. Node, Bun and Deno.
 * @param folder Made when it is not there. Several processes may share it.
 */
export function fileOutbox(folder: string): Outbox {
  const pathOf = ({ origin, subject, idempotencyKey }: ReplayHandle): string =>
    join(
      folder,
      `${createHash('sha256')
        .update(JSON.stringify([origin, subject, idempotencyKey]))
        .digest('hex')}.json`,
    )
  return {
    async put(handle) {
      await mkdir(folder, { recursive: true, mode: 0o700 })
      const path = pathOf(handle)
      // A half-written file never has the name that `list` looks for.
      const draft = `${path}.${crypto.randomUUID()}.draft`
      const file = await open(draft, 'wx', 0o600)
      try {
        await file.writeFile(JSON.stringify(handle))
        await file.sync()
      } finally {
        await file.close()
      }
      await rename(draft, path)
      await flushFolder(folder)
    },
    async delete(handle) {
      await rm(pathOf(handle), { force: true })
    },
    async list() {
      const names = await readdir(folder).catch((error: unknown) => {
        if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return []
        throw error
      })
      const handles = await Promise.all(
        names.filter((name) => FILE.test(name)).map((name) => readHandle(join(folder, name))),
      )
      return handles.flat().sort((one, other) => one.createdAt.localeCompare(other.createdAt))
    },
  }
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

/** None when another process has cleared it since the folder was listed. */
async function readHandle(path: string): Promise<ReplayHandle[]> {
  const text = await readIfThere(path)
  try {
    return text === null ? [] : [checkReplayHandle(JSON.parse(text))]
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause)
    throw new Error(`${path} holds no recorded intention: ${why} Look into it and remove it.`, { cause })
  }
}

const readIfThere = (path: string): Promise<string | null> =>
  readFile(path, 'utf8').catch((error: unknown) => {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null
    throw error
  })
