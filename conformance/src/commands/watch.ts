import { watch } from 'node:fs'
import { UsageError } from '../kit/config/usage-error.ts'
import { messageOf } from '../kit/message-of.ts'

/** One save often changes several files, so changes within this time are treated as one. */
const DEBOUNCE_MS = 300
const IGNORED = /(^|[/\\])(node_modules|\.git|__pycache__|\.venv)([/\\]|$)/

/**
 * Resolves when something changes below the folders, Enter is pressed, or the signal is aborted.
 * @throws {UsageError} A folder cannot be watched.
 */
export async function nextChange(folders: readonly string[], signal: AbortSignal): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  let timer: NodeJS.Timeout | undefined
  const onChange = (name: string | null): void => {
    if (name !== null && IGNORED.test(name)) return
    clearTimeout(timer)
    timer = setTimeout(resolve, DEBOUNCE_MS)
  }
  const watchers = folders.map((folder) => {
    try {
      return watch(folder, { recursive: true }, (_event, name) => onChange(name))
    } catch (error) {
      throw new UsageError(`--watch ${folder}: ${messageOf(error)}`)
    }
  })
  const finish = (): void => resolve()
  if (signal.aborted) finish()
  signal.addEventListener('abort', finish, { once: true })
  process.stdin.on('data', finish)
  try {
    await promise
  } finally {
    clearTimeout(timer)
    signal.removeEventListener('abort', finish)
    process.stdin.off('data', finish)
    process.stdin.pause()
    for (const watcher of watchers) watcher.close()
  }
}
