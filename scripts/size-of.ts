import { lstatSync, readdirSync } from 'node:fs'
import { join } from 'node:path'

/** How many bytes the files in a folder have, without those that links lead to. */
export const sizeOf = (path: string): number => {
  const entry = lstatSync(path)
  if (!entry.isDirectory()) return entry.size
  return readdirSync(path).reduce((sum, name) => sum + sizeOf(join(path, name)), 0)
}
