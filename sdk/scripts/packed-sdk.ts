import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import {
  glob,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  realpath,
  rename,
  rm,
  stat,
  symlink,
  writeFile,
} from 'node:fs/promises'
import { dirname, join } from 'node:path'
import manifest from '../package.json' with { type: 'json' }
import { SDK_FOLDER } from './build.ts'
import { packTarball } from './pack.ts'
import { runProgram } from './run-program.ts'

/** The package as it is after an installation. */
export interface PackedSdk {
  /** A project with the package, its dependencies and optional peers in its `node_modules`. */
  readonly projectFolder: string
  /** The folder of the package in that project. */
  readonly packageFolder: string
  readonly tarball: string
}

const CACHE = join(SDK_FOLDER, '..', 'node_modules', '.cache', 'sdk-package')
const LINKED = [...Object.keys(manifest.dependencies), ...Object.keys(manifest.peerDependencies)]
/** The inputs of the tarball. */
const INPUTS = [
  'src/**',
  'vectors/*.{json,md}',
  'scripts/*.ts',
  '*.json',
  'README.md',
  '../openapi/generated/*.ts',
  '../openapi/src/behaviour/**/*.ts',
  '../openapi/src/document/json-values.ts',
  '../LICENSE',
  '../CHANGELOG.md',
  '../tsconfig.json',
  '../pnpm-lock.yaml',
]

/** A time limit for tests that pack: on a busy machine the compiler is slow. */
export const PACK_DEADLINE_MS: number = 300_000

/** Copies older than this are removed. */
const KEPT_MS = 24 * 60 * 60 * 1000

let packed: Promise<PackedSdk> | undefined

/** Builds, packs and unpacks the package. Reuses an earlier copy that was made from the same files. */
export const packSdk = (): Promise<PackedSdk> => {
  packed ??= packOnce()
  return packed
}

const packOnce = async (): Promise<PackedSdk> => {
  const folder = join(CACHE, await hashInputs())
  if (!existsSync(folder)) {
    await mkdir(CACHE, { recursive: true })
    await removeOld()
    const draft = await mkdtemp(join(CACHE, 'draft-'))
    try {
      await makeProject(draft)
      // The folder gets its name only when it is complete.
      await rename(draft, folder)
    } catch (error) {
      await rm(draft, { recursive: true, force: true })
      // Another process may have created the folder in the meantime.
      if (!existsSync(folder)) throw error
    }
  }
  const tarball = (await readdir(folder)).find((name) => name.endsWith('.tgz'))
  if (tarball === undefined) throw new Error(`${folder} is damaged: remove it.`)
  return { projectFolder: folder, packageFolder: packageIn(folder), tarball: join(folder, tarball) }
}

const removeOld = async (): Promise<void> => {
  for (const name of await readdir(CACHE)) {
    const entry = join(CACHE, name)
    const { mtimeMs } = await stat(entry)
    if (mtimeMs < Date.now() - KEPT_MS) await rm(entry, { recursive: true, force: true })
  }
}

const packageIn = (projectFolder: string): string => join(projectFolder, 'node_modules', '@conversation-gateway', 'sdk')

const makeProject = async (folder: string): Promise<void> => {
  const tarball = await packTarball(folder, 'checked')
  await mkdir(packageIn(folder), { recursive: true })
  await runProgram('tar', ['-xzf', tarball, '-C', packageIn(folder), '--strip-components=1'])
  for (const name of LINKED) {
    const link = join(folder, 'node_modules', name)
    await mkdir(dirname(link), { recursive: true })
    await symlink(await realpath(join(SDK_FOLDER, 'node_modules', name)), link, 'junction')
  }
  await writeFile(join(folder, 'package.json'), JSON.stringify({ name: 'consumer', private: true, type: 'module' }))
}

const hashInputs = async (): Promise<string> => {
  const paths: string[] = []
  for await (const path of glob(INPUTS, { cwd: SDK_FOLDER, exclude: ['**/*.test.ts', '**/*.test-d.ts'] }))
    paths.push(path)
  const hash = createHash('sha256')
  for (const path of paths.sort()) {
    const file = join(SDK_FOLDER, path)
    const content = await readFile(file).catch(() => null)
    if (content !== null) hash.update(`${path}\0${content.length}\0`).update(content)
  }
  return hash.digest('hex').slice(0, 32)
}
