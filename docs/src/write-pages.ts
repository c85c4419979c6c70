import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { dirname, join, relative, sep } from 'node:path'

/** Texts by their path below a folder, with `/` between the names. */
export type Files = ReadonlyMap<string, string>

/** The files of a folder and of those in it, sorted by path; none when there is no such folder. */
export const listFiles = async (folder: string): Promise<string[]> => {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(absentAsEmpty)
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)).replaceAll(sep, '/'))
    .sort()
}

/** Makes a folder hold these files and no others. What is right already is not touched. */
export const writePages = async (folder: string, files: Files): Promise<void> => {
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
