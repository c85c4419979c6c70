import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { build, type Plugin } from 'esbuild'
import { packSdk } from '../../scripts/packed-sdk.ts'

/** Bundles the cases with the packed SDK into one module for all runtimes: it exports what `behaviour.ts` exports. */
export const bundleBehaviour = async (outfile: string): Promise<void> => {
  const { projectFolder } = await packSdk()
  await build({
    entryPoints: [join(import.meta.dirname, 'behaviour.ts')],
    outfile,
    bundle: true,
    platform: 'browser',
    format: 'esm',
    target: 'es2022',
    logLevel: 'silent',
    plugins: [fromPackedCopy(projectFolder)],
  })
}

/** Bundles the cases into a temporary folder, and imports them from there. */
export const importBehaviour = async (): Promise<typeof import('./behaviour.ts')> => {
  const folder = await mkdtemp(join(tmpdir(), 'sdk-cases-'))
  const bundle = join(folder, 'behaviour.mjs')
  try {
    await bundleBehaviour(bundle)
    return await import(/* @vite-ignore */ pathToFileURL(bundle).href)
  } finally {
    await rm(folder, { recursive: true })
  }
}

/** In the workspace, the SDK's name would resolve to its source. */
const fromPackedCopy = (projectFolder: string): Plugin => ({
  name: 'packed-copy',
  setup: (esbuild) => {
    esbuild.onResolve({ filter: /^@conversation-gateway\/sdk(\/|$)/ }, ({ path, kind, resolveDir, pluginData }) =>
      resolveDir === projectFolder || pluginData === 'packed'
        ? undefined
        : esbuild.resolve(path, { kind, resolveDir: projectFolder, pluginData: 'packed' }),
    )
  },
})
