/** Builds the package and writes its tarball: `node scripts/pack.ts [folder]`, by default into the current folder. */
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { buildSdk, SDK_FOLDER } from './build.ts'
import { createPackedManifest, tarballName } from './packed-manifest.ts'
import { runProgram } from './run-program.ts'
import { stageSources } from './stage-sources.ts'

/** The files of the package in the tarball, besides `dist` and `package.json`. */
const COPIED = ['README.md', 'vectors/README.md', 'vectors/signature-vectors.json']
/** The files of the whole project in the tarball. */
const COPIED_FROM_ROOT = ['LICENSE', 'CHANGELOG.md']

/** Resolves with the path of the tarball. */
export const packTarball = async (folder: string, types: 'checked' | 'unchecked'): Promise<string> => {
  const stage = await mkdtemp(join(tmpdir(), 'sdk-pack-'))
  try {
    await buildSdk(join(stage, 'dist'), types)
    await stageSources(join(SDK_FOLDER, 'src'), join(stage, 'src'))
    for (const path of COPIED) await cp(join(SDK_FOLDER, path), join(stage, path))
    for (const path of COPIED_FROM_ROOT) await cp(join(SDK_FOLDER, '..', path), join(stage, path))
    const manifest: Record<string, unknown> = JSON.parse(await readFile(join(SDK_FOLDER, 'package.json'), 'utf8'))
    await writeFile(join(stage, 'package.json'), `${JSON.stringify(createPackedManifest(manifest), null, 2)}\n`)
    await runProgram('npm', ['pack', '--ignore-scripts', '--pack-destination', folder], { cwd: stage })
    return join(folder, tarballName(manifest))
  } finally {
    await rm(stage, { recursive: true, force: true })
  }
}

if (import.meta.main) process.stdout.write(`${await packTarball(resolve(process.argv[2] ?? '.'), 'unchecked')}\n`)
