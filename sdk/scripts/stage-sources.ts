import { cp, glob, readFile } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'

/** A generated file that says only where the contract's package has what it stands for. */
const SAID_ELSEWHERE = /^(?:\/\/.*\n|\s)*export (?:type )?\* from '((?:\.\.\/)+openapi\/[^']+)'\s*$/

const NOT_PUBLISHED = /\.md$|\.test(-d)?\.ts$/

/** Copies the sources that are published into a folder, where they need nothing of the workspace: what the contract's package has is copied in. */
export const stageSources = async (sourceFolder: string, folder: string): Promise<void> => {
  await cp(sourceFolder, folder, { recursive: true, filter: (path) => !NOT_PUBLISHED.test(path) })
  for await (const path of glob('generated/*.ts', { cwd: sourceFolder })) {
    const file = join(sourceFolder, path)
    const elsewhere = SAID_ELSEWHERE.exec(await readFile(file, 'utf8'))?.[1]
    if (elsewhere !== undefined) await cp(resolve(dirname(file), elsewhere), join(folder, path))
  }
}
