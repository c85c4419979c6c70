import { cp, glob, readFile, writeFile } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'

/** A file that says only where the contract's package has what it stands for. */
const SAID_ELSEWHERE = /^(?:\/\/.*\n|\s)*export (?:type )?\* from '((?:\.\.\/)+openapi\/[^']+)'\s*$/

/** Behaviour has generated files one folder further up than the client has its own, where types are open. */
const GENERATED_FROM_BEHAVIOUR = /'\.\.\/((?:\.\.\/)+)generated\/([\w-]+?)(?:-closed)?\.ts'/g
const inSdk = "'$1generated/$2.ts'"

const NOT_PUBLISHED = /\.md$|\.test(-d)?\.ts$/

/** Copies the sources that are published into a folder, where they need nothing of the workspace: what the contract's package has is copied in. */
export const stageSources = async (sourceFolder: string, folder: string): Promise<void> => {
  await cp(sourceFolder, folder, { recursive: true, filter: (path) => !NOT_PUBLISHED.test(path) })
  for await (const path of glob('{generated,behaviour}/**/*.ts', { cwd: sourceFolder })) {
    const file = join(sourceFolder, path)
    const elsewhere = SAID_ELSEWHERE.exec(await readFile(file, 'utf8'))?.[1]
    if (elsewhere === undefined) continue
    const text = await readFile(resolve(dirname(file), elsewhere), 'utf8')
    await writeFile(join(folder, path), text.replaceAll(GENERATED_FROM_BEHAVIOUR, inSdk))
  }
}
