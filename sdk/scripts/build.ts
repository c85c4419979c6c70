/** Compiles `src` to JavaScript and declarations: `node scripts/build.ts` writes `dist`. */
import { glob, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join, relative, resolve, sep } from 'node:path'
import { runProgram } from './run-program.ts'
import { stageSources } from './stage-sources.ts'

export const SDK_FOLDER: string = resolve(import.meta.dirname, '..')

const TSC = createRequire(import.meta.url).resolve('typescript/bin/tsc')

/** The only module that needs Node. */
const FOR_NODE = 'src/outbox/file-outbox.ts'
/** All other modules are compiled without the types of Node, so that they cannot depend on Node. */
const PROJECTS = [
  { include: ['src'], exclude: [FOR_NODE], compilerOptions: { types: [] } },
  { include: [], files: [FOR_NODE], compilerOptions: { types: ['node'] } },
]

/**
 * Replaces the contents of the folder. Rejects with the compiler's messages. `unchecked` writes the same files, and
 * does not need the types of the optional peers, which `npm start` does not install.
 */
export const buildSdk = async (distFolder: string, types: 'checked' | 'unchecked'): Promise<void> => {
  await rm(distFolder, { recursive: true, force: true })
  // Beside the package's own `node_modules`, where the compiler finds the dependencies.
  const stage = await mkdtemp(join(SDK_FOLDER, '.build-'))
  try {
    await stageSources(join(SDK_FOLDER, 'src'), join(stage, 'src'))
    for (const { compilerOptions, ...files } of PROJECTS) {
      const project = {
        extends: '../tsconfig.build.json',
        compilerOptions: { rootDir: 'src', outDir: distFolder, noCheck: types === 'unchecked', ...compilerOptions },
        ...files,
      }
      await writeFile(join(stage, 'tsconfig.json'), JSON.stringify(project))
      await runProgram(process.execPath, [TSC, '-p', stage])
    }
  } finally {
    await rm(stage, { recursive: true, force: true })
  }
  await nameSources(distFolder)
}

/** Points the declaration maps at the `src` that is packed beside `dist`, independent of where `dist` was built. */
const nameSources = async (distFolder: string): Promise<void> => {
  for await (const path of glob('**/*.d.ts.map', { cwd: distFolder })) {
    const file = join(distFolder, path)
    const source = join('..', 'src', path.replace(/\.d\.ts\.map$/, '.ts'))
    const sources = [relative(dirname(path), source).replaceAll(sep, '/')]
    await writeFile(file, JSON.stringify({ ...JSON.parse(await readFile(file, 'utf8')), sources }))
  }
}

if (import.meta.main) await buildSdk(join(SDK_FOLDER, 'dist'), 'checked')
