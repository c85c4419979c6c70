import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

const ROOT = fileURLToPath(new URL('../../..', import.meta.url))
const TSC = join(ROOT, 'node_modules/typescript/bin/tsc')

/**
 * Creates a folder for snippets inside a package, so that the package's name and dependencies resolve as they do for
 * the package itself. Node runs no TypeScript under node_modules.
 */
export const makeSnippetFolder = async (packageFolder: string, name: string): Promise<string> => {
  const cache = join(packageFolder, '.cache')
  await mkdir(cache, { recursive: true })
  return mkdtemp(join(cache, `${name}-`))
}

/**
 * Compiles all TypeScript in the folder with the settings of the workspace. Returns the compiler's output; empty means
 * success.
 */
export const compileSnippets = async (folder: string): Promise<string> => {
  const config = {
    extends: join(ROOT, 'tsconfig.json'),
    compilerOptions: { typeRoots: [join(ROOT, 'node_modules/@types')] },
    include: ['**/*.ts', '**/*.tsx'],
    exclude: [],
  }
  await writeFile(join(folder, 'tsconfig.json'), JSON.stringify(config))
  const { stdout } = await promisify(execFile)(process.execPath, [TSC, '-p', folder]).catch(
    (error: { stdout: string }) => error,
  )
  return stdout
}
