import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { dirname, join, relative, sep } from 'node:path'

/** The files of a folder and its subfolders, sorted by path; empty if the folder does not exist. */
export const listFiles = async (folder: string): Promise<string[]> => {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(absentAsEmpty)
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)).replaceAll(sep, '/'))
    .sort()
}

/**
 * Makes a folder contain exactly these text files. Does not touch files that are up to date.
 * @param files by their path below the folder, with `/` as the separator
 */
export const writePages = async (folder: string, files: ReadonlyMap<string, string>): Promise<void> => {
  for (const path of await listFiles(folder)) if (!files.has(path)) await rm(join(folder, path))
  for (const [path, text] of files) {
    const file = join(folder, path)
    if ((await readFile(file, 'utf8').catch(() => null)) === text) continue
    await mkdir(dirname(file), { recursive: true })
    await writeFile(file, text)
  }
}

const absentAsEmpty = (error: NodeJS.ErrnoException): [] => {
  if (error.code !== 'ENOENT') throw error
  return []
}
