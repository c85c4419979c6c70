import { lstatSync, readdirSync } from 'node:fs'
import { join } from 'node:path'

/** The total bytes of the files in a folder, without the targets of links. */
export const sizeOf = (path: string): number => {
  const entry = lstatSync(path)
  if (!entry.isDirectory()) return entry.size
  return readdirSync(path).reduce((sum, name) => sum + sizeOf(join(path, name)), 0)
}
