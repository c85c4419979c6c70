/** Builds the package and writes its tarball: `node scripts/pack.ts [folder]` (default: the working directory). */
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { stringify } from 'yaml'
import { createPackedManifest, tarballName } from '../../sdk/scripts/packed-manifest.ts'
import { runProgram } from '../../sdk/scripts/run-program.ts'
import { buildPackage, PACKAGE_FOLDER } from './build.ts'

/** Resolves with the path of the tarball. */
export async function packTarball(folder: string): Promise<string> {
  const stage = await mkdtemp(join(tmpdir(), 'conformance-pack-'))
  try {
    await buildPackage(stage)
    await cp(join(PACKAGE_FOLDER, 'README.md'), join(stage, 'README.md'))
    await cp(join(PACKAGE_FOLDER, 'src/kit/client/PROTOCOL.md'), join(stage, 'PROTOCOL.md'))
    await cp(join(PACKAGE_FOLDER, 'src/kit/worker/SCRIPTS.md'), join(stage, 'SCRIPTS.md'))
    // Use the bundled document, because the package does not contain the files that control.yaml refers to.
    const control: unknown = JSON.parse(
      await readFile(join(PACKAGE_FOLDER, '../openapi/generated/control.json'), 'utf8'),
    )
    await writeFile(join(stage, 'control.yaml'), stringify(control))
    await cp(join(PACKAGE_FOLDER, 'ci'), join(stage, 'ci'), { recursive: true })
    const manifest: Record<string, unknown> = JSON.parse(await readFile(join(PACKAGE_FOLDER, 'package.json'), 'utf8'))
    await writeFile(join(stage, 'package.json'), `${JSON.stringify(createPackedManifest(manifest), null, 2)}\n`)
    await runProgram('npm', ['pack', '--ignore-scripts', '--pack-destination', folder], { cwd: stage })
    return join(folder, tarballName(manifest))
  } finally {
    await rm(stage, { recursive: true, force: true })
  }
}

if (import.meta.main) process.stdout.write(`${await packTarball(resolve(process.argv[2] ?? '.'))}\n`)
