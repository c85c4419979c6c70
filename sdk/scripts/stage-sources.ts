import { cp, glob, readFile, writeFile } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'

/** A file that says only where the contract's package has what it stands for. */
const SAID_ELSEWHERE = /^(?:\/\/.*\n|\s)*export (?:type )?\* from '((?:\.\.\/)+openapi\/[^']+)'\s*$/

const NOT_PUBLISHED = /\.md$|\.test(-d)?\.ts$/

/** Copies the sources that are published into a folder, where they need nothing of the workspace: what the contract's package has is copied in. */
export const stageSources = async (sourceFolder: string, folder: string): Promise<void> => {
  await cp(sourceFolder, folder, { recursive: true, filter: (path) => !NOT_PUBLISHED.test(path) })
  for await (const path of glob('{generated,behaviour}/*.ts', { cwd: sourceFolder })) {
    const file = join(sourceFolder, path)
    const elsewhere = SAID_ELSEWHERE.exec(await readFile(file, 'utf8'))?.[1]
    if (elsewhere === undefined) continue
    const text = await readFile(resolve(dirname(file), elsewhere), 'utf8')
    // Generated files are two folders up from behaviour there, and one here.
    await writeFile(join(folder, path), text.replaceAll("'../../generated/", "'../generated/"))
  }
}
