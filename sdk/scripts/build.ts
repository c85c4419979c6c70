/** Compiles `src` to JavaScript and declarations: `node scripts/build.ts` writes `dist`. */
import { rm } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join, resolve } from 'node:path'
import { runProgram } from './run-program.ts'

export const SDK_FOLDER: string = resolve(import.meta.dirname, '..')

const TSC = createRequire(import.meta.url).resolve('typescript/bin/tsc')

/**
 * First everything that runs anywhere, without the types of Node, so that none of it can lean on them; then the one file
 * that is for Node alone.
 */
const PROJECTS = ['tsconfig.build.json', 'tsconfig.build-node.json']

/** Replaces what is in the folder. Rejects with the compiler's messages. */
export const buildSdk = async (distFolder: string): Promise<void> => {
  await rm(distFolder, { recursive: true, force: true })
  for (const project of PROJECTS)
    await runProgram(process.execPath, [TSC, '-p', join(SDK_FOLDER, project), '--outDir', distFolder])
}

if (import.meta.main) await buildSdk(join(SDK_FOLDER, 'dist'))
