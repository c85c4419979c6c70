/**
 * Compiles the package to JavaScript and declarations: `node scripts/build.ts [folder]` writes `dist` into the folder,
 * by default into that of the package.
 */
import { cp, rm } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join, resolve } from 'node:path'
import { runProgram } from '../../sdk/scripts/run-program.ts'

export const PACKAGE_FOLDER: string = resolve(import.meta.dirname, '..')

const TSC = createRequire(import.meta.url).resolve('typescript/bin/tsc')

/** Files that the compiler does not copy, relative to the workspace's root. */
const COPIED = [
  'conformance/src/run/reference/assistant-module.mjs',
  'conformance/src/run/reference/controlled-process.mjs',
  'conformance/examples/python-client',
  'conformance/examples/python-gateway',
  'openapi/generated/gateway.json',
  'openapi/generated/admin.json',
  'openapi/generated/control.json',
  'openapi/rules.yaml',
]

const isSource = (path: string): boolean => !path.includes('__pycache__')

/** Replaces `dist`. Rejects with the compiler's messages. */
export async function buildPackage(folder: string): Promise<void> {
  const dist = join(folder, 'dist')
  await rm(dist, { recursive: true, force: true })
  await runProgram(process.execPath, [TSC, '-p', join(PACKAGE_FOLDER, 'tsconfig.build.json'), '--outDir', dist])
  // The compiler copies this imported manifest. In `dist` it would take precedence over the manifest of the package.
  await rm(join(dist, 'conformance/package.json'))
  for (const path of COPIED)
    await cp(join(PACKAGE_FOLDER, '..', path), join(dist, path), { recursive: true, filter: isSource })
}

if (import.meta.main) await buildPackage(resolve(process.argv[2] ?? PACKAGE_FOLDER))
